import type Stripe from "stripe";

import type { MovedMoney, ProviderDispute, ProviderRefund, RefundFailure } from "../payments.ts";
import { callStripe, isInvalid } from "./client.ts";

/** Metadata field of a refund with the id of our row. */
export const REFUND_KEY = "marketday_refund";

/** Stripe's error codes of refunds, and the reasons of refunds that fail later. */
const FAILURES: Readonly<Record<string, RefundFailure>> = {
  charge_disputed: "charge_disputed",
  refund_disputed_payment: "charge_disputed",
  charge_for_pending_refund_disputed: "charge_disputed",
  charge_already_refunded: "charge_already_refunded",
  balance_insufficient: "balance_insufficient",
  insufficient_funds: "balance_insufficient",
  expired_card: "expired_card",
  expired_or_canceled_card: "expired_card",
  lost_or_stolen_card: "expired_card",
};

export const refundFailureOf = (code: string | null | undefined): RefundFailure => FAILURES[code ?? ""] ?? "refused";

type Expandable = string | { id: string } | null | undefined;
const idOf = (value: Expandable): string | null => (typeof value === "string" ? value : (value?.id ?? null));
const instantOf = (seconds: number): Date => new Date(seconds * 1000);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function refundOf(refund: Stripe.Refund): ProviderRefund {
  const key = refund.metadata?.[REFUND_KEY] ?? "";
  const hasFailed = refund.status === "failed" || refund.status === "canceled";
  return {
    ref: refund.id,
    refundKey: UUID.test(key) ? key : null,
    chargeRef: idOf(refund.payment_intent),
    amountCents: refund.amount,
    failure: hasFailed ? refundFailureOf(refund.failure_reason) : null,
  };
}

export const disputeOf = (dispute: Stripe.Dispute): ProviderDispute => ({
  ref: dispute.id,
  chargeRef: idOf(dispute.payment_intent),
  amountCents: dispute.amount,
  status: dispute.status,
  reason: dispute.reason ?? "",
  // An event may lack what the type promises: an older version of Stripe's API.
  dueBy: dispute.evidence_details?.due_by ? instantOf(dispute.evidence_details.due_by) : null,
  createdAt: instantOf(dispute.created ?? 0),
});

export const warningOf = (warning: Stripe.Radar.EarlyFraudWarning): ProviderDispute => ({
  ref: warning.id,
  chargeRef: idOf(warning.payment_intent),
  amountCents: null,
  status: warning.actionable ? "fraud_warning" : "fraud_warning_closed",
  reason: warning.fraud_type,
  dueBy: null,
  createdAt: instantOf(warning.created ?? 0),
});

/** Id of the charge of an event's object, which may name no PaymentIntent. */
export const chargeIdOf = (object: { charge?: Expandable }): string | null => idOf(object.charge);

async function collect<From, To>(pages: AsyncIterable<From>, convert: (each: From) => To): Promise<To[]> {
  const found: To[] = [];
  for await (const each of pages) found.push(convert(each));
  return found;
}

/** The filter of a list at Stripe. */
const filterOf = (of: { chargeRef: string } | { since: Date }) =>
  "since" in of
    ? { created: { gte: Math.floor(of.since.getTime() / 1000) }, limit: 100 }
    : { payment_intent: of.chargeRef, limit: 100 };

/**
 * Refunds of the dashboard, disputes and warnings of fraud at Stripe. Its failures do not open the breaker of charges: a restricted
 * key may lack these permissions.
 */
export function stripeMovedMoney(stripe: Stripe, readOptions: Stripe.RequestOptions): MovedMoney {
  const orNull = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await callStripe(work);
    } catch (error) {
      if (isInvalid(error)) return null;
      throw error;
    }
  };
  return {
    async findDispute(ref) {
      if (ref.startsWith("issfr_")) {
        const warning = await orNull(() => stripe.radar.earlyFraudWarnings.retrieve(ref, {}, readOptions));
        return warning && warningOf(warning);
      }
      const dispute = await orNull(() => stripe.disputes.retrieve(ref, {}, readOptions));
      return dispute && disputeOf(dispute);
    },
    listDisputes: (of) => callStripe(() => collect(stripe.disputes.list(filterOf(of), readOptions), disputeOf)),
    listRefunds: (of) => callStripe(() => collect(stripe.refunds.list(filterOf(of), readOptions), refundOf)),
    async findChargeRef(chargeId) {
      const charge = await orNull(() => stripe.charges.retrieve(chargeId, {}, readOptions));
      return charge && idOf(charge.payment_intent);
    },
  };
}
