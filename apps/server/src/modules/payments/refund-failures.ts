import type { RefundFailure } from "../../gateways/payments/payments.ts";

/** Why a refund did not go back to the card, for operators. */
const REASONS: Readonly<Record<RefundFailure, string>> = {
  charge_disputed: "The shopper's bank disputes this payment, so the payment provider refunds nothing of it.",
  charge_already_refunded: "It was refunded at the payment provider already.",
  balance_insufficient: "The market's balance at the payment provider is too low.",
  expired_card: "The card has expired or was closed.",
  refused: "The card, or the payment provider, does not accept it.",
};

export const formatRefundFailure = (failure: string | null): string =>
  REASONS[failure as RefundFailure] ?? "The payment provider has not answered yet.";
