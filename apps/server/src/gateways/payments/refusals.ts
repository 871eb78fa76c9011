/** What a refused payment is called on the wire. */
export type RefusedCode =
  | "card_declined"
  | "insufficient_funds"
  | "card_limit"
  | "card_unusable"
  | "card_expired"
  | "card_incorrect"
  | "card_unsupported"
  | "challenge"
  | "bank_unavailable"
  | "payments_down";

/** A payment that was refused, so that nothing was charged. */
export interface Refused {
  code: RefusedCode;
  /** For the shopper: our words, never the provider's. */
  reason: string;
  /** For operators: what the provider returned. */
  detail?: string;
}

/** The words for each refusal. The card is blamed only where the card is the reason (docs/product.md §7). */
const REASONS: Readonly<Record<RefusedCode, string>> = {
  card_declined: "Your card was declined.",
  insufficient_funds: "Your card has insufficient funds.",
  card_limit: "Your card has reached a limit that your bank sets. Please use another card, or try again tomorrow.",
  card_unusable: "Your card was declined. Please use another card.",
  card_expired: "Your card has expired. Please use another card.",
  card_incorrect:
    "The card's number, date, security code, or ZIP code isn't right. Please check it and enter it again.",
  card_unsupported: "This card can't be used for this purchase. Please use another card.",
  challenge: "Your bank needs to confirm this payment.",
  bank_unavailable: "Your bank couldn't be reached, so you haven't been charged. Please try again in a few minutes.",
  payments_down: "We can't take cards right now. You have not been charged.",
};

/** A refusal, with the words of its code or better ones. */
export const refusedAs = (
  code: RefusedCode,
  { reason = REASONS[code], detail }: { reason?: string; detail?: string } = {},
): Refused => ({ code, reason, ...(detail !== undefined && { detail }) });

/** When the same card may be charged again without the shopper: after days, soon, or never. */
type Retry = "later" | "soon" | "never";
const RETRY: Readonly<Record<RefusedCode, Retry>> = {
  card_declined: "later",
  insufficient_funds: "later",
  card_limit: "later",
  card_unusable: "never",
  card_expired: "never",
  card_incorrect: "never",
  card_unsupported: "never",
  // Another charge would only ask the bank again.
  challenge: "never",
  bank_unavailable: "soon",
  payments_down: "soon",
};
export const retryOf = (code: RefusedCode): Retry => RETRY[code];
