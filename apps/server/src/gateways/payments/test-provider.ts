import type { Db, Prisma } from "@marketday/db";
import { CARD_MINIMUM } from "@marketday/domain/limits";

import { newUuid, sha256 } from "../../lib/tokens.ts";
import {
  type Authorization,
  type PaymentMeans,
  type PaymentProvider,
  ProviderUnavailable,
  type SavedMethod,
} from "./payments.ts";
import { refusedAs } from "./refusals.ts";
import { refundTestCharge } from "./test-refund-sql.ts";

/** The cards of docs/product.md §7 and what each does. */
const CARDS: Record<string, "decline" | "no_funds" | "challenge" | "timeout"> = {
  "4000000000000002": "decline",
  "4000000000009995": "no_funds",
  "4000002500003155": "challenge",
  "4000000000000119": "timeout",
};

const shownCharge = {
  id: true,
  state: true,
  amount_cents: true,
  decline_code: true,
  card_fingerprint: true,
} satisfies Prisma.test_chargeSelect;
type ChargeRow = Prisma.test_chargeGetPayload<{ select: typeof shownCharge }>;

const brandOf = (number: string) => (number.startsWith("4") ? "visa" : number.startsWith("5") ? "mastercard" : "card");
/** The reference of a saved test card contains its number, like a token of a real provider refers to it. */
const refOf = (number: string, key: string) =>
  `tpm_${Buffer.from(number).toString("base64url")}.${sha256(key).slice(0, 12)}`;
const numberOf = (ref: string) => Buffer.from(ref.slice(4).split(".")[0] ?? "", "base64url").toString();

const fingerprintOf = (number: string) => sha256(`card:${number}`).slice(0, 32);

const savedOf = (card: NonNullable<PaymentMeans["card"]>, key: string): SavedMethod => ({
  ref: refOf(card.number, key),
  brand: brandOf(card.number),
  last4: card.number.slice(-4),
  expMonth: card.expMonth,
  expYear: card.expYear,
  fingerprint: fingerprintOf(card.number),
});

const NO_CARD = refusedAs("card_incorrect", { reason: "Enter a card." });

function toAuthorization(row: ChargeRow, saved: SavedMethod | null): Authorization {
  if (row.state === "requires_action") return { state: "challenge", ref: row.id, clientSecret: `${row.id}_secret` };
  if (row.state === "declined") {
    const code = row.decline_code === "insufficient_funds" ? "insufficient_funds" : "card_declined";
    return { state: "declined", ref: row.id, ...refusedAs(code) };
  }
  // A voided charge cannot be authorized again with the same key.
  if (row.state === "voided") return { state: "declined", ref: row.id, ...refusedAs("card_declined") };
  return {
    state: "authorized",
    ref: row.id,
    amountCents: row.amount_cents,
    saved,
    cardFingerprint: row.card_fingerprint,
  };
}

/**
 * The test provider: a separate ledger (table `test_charge`) that survives a kill of the server, on a separate connection so
 * that it never shares a transaction with the order.
 */
export function testPayments(db: Db, now: () => Date): PaymentProvider {
  const byKey = (key: string): Promise<ChargeRow | null> =>
    db.test_charge.findUnique({ where: { idempotency_key: key }, select: shownCharge });
  const move = async (key: string, from: string[], to: string): Promise<ChargeRow | null> => {
    const [moved] = await db.test_charge.updateManyAndReturn({
      where: { idempotency_key: key, state: { in: from } },
      data: { state: to },
      select: shownCharge,
    });
    return moved ?? null;
  };

  return {
    name: "test",
    takesCards: true,
    movedMoney: null,
    async authorize({ key, amountCents, means }) {
      const number = means.savedRef ? numberOf(means.savedRef) : means.card?.number;
      if (!number) return { state: "declined", ref: null, ...NO_CARD };
      if (amountCents < CARD_MINIMUM)
        return { state: "declined", ref: null, ...refusedAs("payments_down", { detail: "amount_too_small" }) };
      const behavior = CARDS[number];
      if (behavior === "timeout") throw new ProviderUnavailable("the test card that never answers");
      const state = behavior === "challenge" ? "requires_action" : behavior ? "declined" : "authorized";
      const decline = behavior === "no_funds" ? "insufficient_funds" : behavior === "decline" ? "card_declined" : null;
      await db.test_charge.createMany({
        data: {
          id: `tch_${sha256(key).slice(0, 24)}`,
          idempotency_key: key,
          state,
          amount_cents: amountCents,
          decline_code: decline,
          card_last4: number.slice(-4),
          card_brand: brandOf(number),
          card_fingerprint: fingerprintOf(number),
          created_at: now(),
        },
        skipDuplicates: true,
      });
      const row = await byKey(key);
      if (!row) throw new ProviderUnavailable("the charge is not in the test ledger");
      const saved = means.save && means.card ? savedOf(means.card, key) : null;
      return toAuthorization(row, saved);
    },
    async find({ key }) {
      const row = await byKey(key);
      if (!row) return null;
      if (row.state === "voided") return { state: "voided", ref: row.id };
      if (row.state === "captured")
        return { state: "captured", ref: row.id, amountCents: row.amount_cents, cardFingerprint: row.card_fingerprint };
      return toAuthorization(row, null);
    },
    async listOpen() {
      const rows = await db.test_charge.findMany({
        where: { state: "authorized" },
        select: { idempotency_key: true, id: true, amount_cents: true },
        orderBy: [{ created_at: "asc" }, { id: "asc" }],
      });
      return rows.map((row) => ({
        key: row.idempotency_key,
        ref: row.id,
        amountCents: row.amount_cents,
        isOfOurCustomer: true,
      }));
    },
    async confirm({ key }, approve) {
      const moved = await move(key, ["requires_action"], approve ? "authorized" : "declined");
      const row = moved ?? (await byKey(key));
      if (!row) throw new ProviderUnavailable("the charge is not in the test ledger");
      return toAuthorization(row, null);
    },
    async saveCard(_customer, { card }) {
      if (!card) return NO_CARD;
      const behavior = CARDS[card.number];
      if (behavior === "timeout") throw new ProviderUnavailable("the test card that never answers");
      const code = behavior === "no_funds" ? "insufficient_funds" : "card_declined";
      return behavior === "decline" || behavior === "no_funds" ? refusedAs(code) : savedOf(card, newUuid());
    },
    confirmCard: async () => null,
    deleteCard: async () => undefined,
    deleteCustomer: async () => undefined,
    async capture({ key, amountCents }) {
      await db.test_charge.updateMany({
        where: { idempotency_key: key, state: "authorized", amount_cents: { gte: amountCents } },
        data: { state: "captured", captured_cents: amountCents },
      });
      return (await byKey(key))?.state === "captured" ? "captured" : "gone";
    },
    async refund({ key, refundKey, amountCents }) {
      const isRefunded = await refundTestCharge(db, { key, refundKey, amountCents, now: now() });
      return isRefunded
        ? { state: "done", ref: refundKey }
        : {
            state: "failed",
            failure: "charge_already_refunded",
            reason: "More than was taken cannot be given back.",
          };
    },
    async void({ key }) {
      const moved = await move(key, ["authorized", "requires_action"], "voided");
      return moved !== null || (await byKey(key)) !== null;
    },
  };
}
