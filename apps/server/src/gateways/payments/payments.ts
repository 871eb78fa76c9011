/** Whose charge it is: the customer's number here, and where to reach them. */
export interface ProviderCustomer {
  customerId: number;
  /** Null for somebody who is told by other ways. */
  email?: string | null;
}

/** What pays: card data (test provider alone), a token of the provider's own form, a saved method, or nothing (offline). */
export interface PaymentMeans {
  card?: { number: string; expMonth: number; expYear: number; cvc: string } | null;
  /** The provider's one-time token for what was typed into its own form. */
  token?: string | null;
  /** The provider's own reference of a saved method. */
  savedRef?: string | null;
  /** Keep the card for later, off-session charges. */
  save: boolean;
  /** Nobody sits in front of a screen: the bank cannot ask. */
  offSession?: boolean;
}

export interface SavedMethod {
  ref: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  fingerprint: string;
}

/** A card that the provider does not take. */
interface CardRefused {
  reason: string;
  code: "card_declined" | "insufficient_funds";
}

/** How far a charge got at the provider. */
export type Authorization =
  | {
      state: "authorized";
      ref: string;
      saved: SavedMethod | null;
      /** The provider's fingerprint of the card that paid, saved or not; null where there is no card. */
      cardFingerprint: string | null;
    }
  | { state: "challenge"; ref: string; clientSecret: string }
  | { state: "declined"; ref: string | null; reason: string; code: "card_declined" | "insufficient_funds" };

/** What became of a charge, as the provider has it now. */
export type Found =
  | Authorization
  | { state: "captured"; ref: string; saved?: SavedMethod | null; cardFingerprint?: string | null }
  | { state: "voided"; ref: string };

/** How saving a card went: it may take the bank's question, too. */
export type SavedCard = SavedMethod | CardRefused | { challenge: { ref: string; clientSecret: string } };

/** How a refund went. */
type Refunded = { state: "done"; ref: string } | { state: "failed"; reason: string };

/** Thrown when the provider did not answer: nobody knows whether it charged; `find` with the same key tells. */
export class ProviderUnavailable extends Error {
  override name = "ProviderUnavailable";
}

/** A charge as both sides know it: the same key is the same charge, however often it is sent (failures.md B1, B5). */
export interface Charge extends ProviderCustomer {
  key: string;
  /** The provider's own id of it, where it is known already. */
  ref?: string | null;
}

/**
 * A payment provider. Amounts are integer cents. Nothing here may run inside a database transaction. Every call may throw
 * `ProviderUnavailable`.
 */
export interface PaymentProvider {
  readonly name: "test" | "offline" | "stripe";
  /** Whether a card is asked for at checkout. */
  readonly takesCards: boolean;
  authorize(request: Charge & { amountCents: number; means: PaymentMeans }): Promise<Authorization>;
  /** What became of this charge; null when the provider never heard of it. */
  find(charge: Charge): Promise<Found | null>;
  /** After a challenge. `approve` is the test provider's stand-in for the bank's page. */
  confirm(charge: Charge, approve: boolean): Promise<Authorization>;
  /** Keeps a card without a charge. */
  saveCard(payer: ProviderCustomer, means: Pick<PaymentMeans, "card" | "token">): Promise<SavedCard>;
  /** After the bank's question about a card to be kept; `ref` is the challenge's. Null: not this customer's. */
  confirmCard(payer: ProviderCustomer, ref: string): Promise<SavedCard | null>;
  /** Forgets a saved card; fine when it is not there. */
  forgetCard(ref: string): Promise<void>;
  /** Forgets who a customer of ours is there, for good; fine when they never paid there. Charges stay, by their `ref`. */
  forgetPayer(customerId: number): Promise<void>;
  /** Takes the money, at most what was authorised; once. `gone`: the hold is no more and nothing was taken. */
  capture(request: Charge & { amountCents: number }): Promise<"captured" | "gone">;
  /** Lets go of an authorisation; fine when there is none. False: the provider knows no such charge, yet. */
  void(charge: Charge): Promise<boolean>;
  /**
   * Gives back of what was captured; the same `refundKey` gives back once. `failed`: the card does not take it, now or ever.
   */
  refund(request: Charge & { refundKey: string; amountCents: number }): Promise<Refunded>;
}
