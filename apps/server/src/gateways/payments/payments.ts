import { type Refused, refusedAs } from "./refusals.ts";

/** The customer of a charge: our customer id, and the email for receipts. */
export interface ProviderCustomer {
  customerId: number;
  /** Null when the provider sends no mail. */
  email?: string | null;
}

/** Means of payment: card data (test provider only), a token of the provider's form, a saved method, or nothing (offline). */
export interface PaymentMeans {
  card?: { number: string; expMonth: number; expYear: number; cvc: string } | null;
  /** One-time token of the card that was entered in the provider's form. */
  token?: string | null;
  /** The provider's reference of a saved method. */
  savedRef?: string | null;
  /** Save the card for later, off-session charges. */
  save: boolean;
  /** The customer is not present, so the bank cannot request a confirmation. */
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

/** Result of authorizing a charge. */
export type Authorization =
  | {
      state: "authorized";
      ref: string;
      /** Cents that were authorized; null without a card. */
      amountCents: number | null;
      saved: SavedMethod | null;
      /** The provider's fingerprint of the card, saved or not; null without a card. */
      cardFingerprint: string | null;
    }
  | { state: "challenge"; ref: string; clientSecret: string }
  /** Refused, by the bank or the provider: nothing is held. */
  | ({ state: "declined"; ref: string | null } & Refused);

/** The current state of a charge at the provider. */
export type ChargeState =
  | Authorization
  | { state: "captured"; ref: string; amountCents: number; saved?: SavedMethod | null; cardFingerprint?: string | null }
  | { state: "voided"; ref: string };

/** Result of saving a card, which may require a challenge of the bank. */
export type SavedCard = SavedMethod | Refused | { challenge: { ref: string; clientSecret: string } };

/**
 * Why the provider refuses a refund: the shopper's bank disputes the charge; it was refunded elsewhere; the market's balance at the
 * provider is too low (it may work later); the card has expired or was closed; anything else.
 */
export const REFUND_FAILURES = [
  "charge_disputed",
  "charge_already_refunded",
  "balance_insufficient",
  "expired_card",
  "refused",
] as const;
export type RefundFailure = (typeof REFUND_FAILURES)[number];

/** Result of a refund. `pending`: the provider has accepted it and has not sent it to the card's bank yet. */
type RefundResult =
  | { state: "done" | "pending"; ref: string }
  | { state: "failed"; failure: RefundFailure; reason: string };

/** A refund as the provider has it, of the market or of its dashboard. Cents. */
export interface ProviderRefund {
  ref: string;
  /** Id of our row; null: it was made elsewhere, for example in the provider's dashboard. */
  refundKey: string | null;
  /** The provider's id of its charge; null when the provider does not name it. */
  chargeRef: string | null;
  amountCents: number;
  /** Null: it has not failed. */
  failure: RefundFailure | null;
}

/** A dispute of a charge, or its bank's warning of fraud, as the provider has it. */
export interface ProviderDispute {
  ref: string;
  /** The provider's id of its charge; null when the provider does not name it. */
  chargeRef: string | null;
  /** Cents; null: all of the charge. */
  amountCents: number | null;
  /** The provider's words for its state and its reason. */
  status: string;
  reason: string;
  dueBy: Date | null;
  createdAt: Date;
}

/** Money that moved outside of the market: by banks, or in the provider's dashboard. Read only; every call may throw. */
export interface MovedMoney {
  findDispute(ref: string): Promise<ProviderDispute | null>;
  /** Of one charge, or of the whole account since an instant. */
  listDisputes(of: { chargeRef: string } | { since: Date }): Promise<ProviderDispute[]>;
  listRefunds(of: { chargeRef: string } | { since: Date }): Promise<ProviderRefund[]>;
  /** The id by which the market knows a charge that is named in another way; null: it has none. */
  findChargeRef(chargeId: string): Promise<string | null>;
}

/** Thrown when the provider did not respond: whether it charged is unknown until `find` with the same key. */
export class ProviderUnavailable extends Error {
  override name = "ProviderUnavailable";
}

/** Identifies a charge: the same key is the same charge, however often it is sent (failures.md B1, B5). */
export interface Charge extends ProviderCustomer {
  key: string;
  /** The provider's id of the charge, when known. */
  ref?: string | null;
}

/** An authorization at the provider that is neither captured nor voided. */
export interface OpenCharge {
  /** Null: it was made elsewhere, for example in the provider's dashboard. */
  key: string | null;
  ref: string;
  amountCents: number;
  /** Whether its customer is one of this market; another market may share the provider's account. */
  isOfOurCustomer: boolean;
}

/**
 * A payment provider. Amounts are integer cents. No method may be called inside a database transaction. Every call may throw
 * `ProviderUnavailable`.
 */
export interface PaymentProvider {
  readonly name: "test" | "offline" | "stripe";
  /** Whether checkout requires a card. */
  readonly takesCards: boolean;
  /** Null: its money moves by the market alone. */
  readonly movedMoney: MovedMoney | null;
  authorize(request: Charge & { amountCents: number; means: PaymentMeans }): Promise<Authorization>;
  /** The current state of this charge; null when the provider has no such charge. */
  find(charge: Charge): Promise<ChargeState | null>;
  /** Every open authorization of the account. It may lag behind by minutes: `find` has the present state. */
  listOpen(): Promise<OpenCharge[]>;
  /** Completes a challenge. `approve` replaces the bank's page in the test provider. */
  confirm(charge: Charge, approve: boolean): Promise<Authorization>;
  /** Saves a card without a charge. */
  saveCard(customer: ProviderCustomer, means: Pick<PaymentMeans, "card" | "token">): Promise<SavedCard>;
  /** Completes the challenge `ref` of saving a card. Null: not this customer's challenge. */
  confirmCard(customer: ProviderCustomer, ref: string): Promise<SavedCard | null>;
  /** Deletes a saved card; no error when it does not exist. */
  deleteCard(ref: string): Promise<void>;
  /** Deletes a customer at the provider; no error when there is none. Their charges stay, by `ref`. */
  deleteCustomer(customerId: number): Promise<void>;
  /** Captures at most the authorized amount; once. `gone`: the authorization no longer exists and nothing was captured. */
  capture(request: Charge & { amountCents: number }): Promise<"captured" | "gone">;
  /** Voids an authorization; no error when there is none. False: the provider has no such charge (yet). */
  void(charge: Charge): Promise<boolean>;
  /**
   * Refunds part of the captured amount; once per `refundKey`. `failed`: nothing was refunded.
   * @param request `refusedAt`: when the provider refused it last; it repeats its answer for a request that is not a new one
   */
  refund(request: Charge & { refundKey: string; amountCents: number; refusedAt?: Date | null }): Promise<RefundResult>;
}

const NO_CARDS = refusedAs("payments_down", { reason: "This market takes no cards." });

const paidAtTheDoor = (ref: string): Extract<Authorization, { state: "authorized" }> => ({
  state: "authorized",
  ref,
  amountCents: null,
  saved: null,
  cardFingerprint: null,
});

/** Payment at pickup or at the door, recorded by operators (docs/product.md §7). No provider is called. */
export const offlinePayments = (): PaymentProvider => ({
  name: "offline",
  takesCards: false,
  movedMoney: null,
  authorize: async ({ key }) => paidAtTheDoor(key),
  find: async ({ key }) => paidAtTheDoor(key),
  listOpen: async () => [],
  confirm: async ({ key }) => paidAtTheDoor(key),
  saveCard: async () => NO_CARDS,
  confirmCard: async () => NO_CARDS,
  deleteCard: async () => undefined,
  deleteCustomer: async () => undefined,
  capture: async () => "captured",
  void: async () => true,
  refund: async ({ refundKey }) => ({ state: "done", ref: refundKey }),
});
