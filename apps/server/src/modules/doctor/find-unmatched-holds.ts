import type { Db, Prisma } from "@marketday/db";

import type { Deps } from "../../deps.ts";
import type { OpenCharge, PaymentProvider } from "../../gateways/payments/payments.ts";

/** An authorization that only the provider has (`unknown`, `ended`), or only the market (`missing`). */
export type UnmatchedHold =
  /** No payment of the market has its key. */
  | { kind: "unknown"; key: string | null; ref: string; amountCents: number }
  /** Its payment has ended, so no one voids or captures it. */
  | { kind: "ended"; key: string; ref: string; amountCents: number; state: string }
  /** The market counts on it. `state`: what the provider has instead; null: nothing. */
  | { kind: "missing"; key: string; ref: string | null; amountCents: number; state: string | null };

export interface HoldComparison {
  unmatched: UnmatchedHold[];
  /** Missing ones that were not looked up one by one, because there are too many. */
  uncheckedCount: number;
}

const shownPayment = {
  charge_key: true,
  next_key: true,
  provider_ref: true,
  customer_id: true,
  state: true,
  amount_cents: true,
  hold_lost_at: true,
  look_again_at: true,
} satisfies Prisma.paymentSelect;
type Row = Prisma.paymentGetPayload<{ select: typeof shownPayment }>;

/** The provider is expected to hold its money: it was not lost, and is not being renewed. */
const isHeld = (row: Row): boolean => row.state === "authorized" && row.hold_lost_at === null && row.next_key === null;

/** It is looked up until the provider has voided it (`find-orphaned-charges.ts`). */
const isLookedUp = (row: Row): boolean => row.look_again_at !== null;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Payments that are authorized, oldest first, and those with one of these keys. */
async function findPayments(db: Db, provider: string, keys: readonly string[]): Promise<Row[]> {
  const authorized = await db.payment.findMany({
    where: { provider, state: "authorized" },
    select: shownPayment,
    orderBy: [{ created_at: "asc" }, { id: "asc" }],
  });
  // Nearly all keys are theirs, so the list of the others is short.
  const found = new Set(authorized.flatMap((row) => [row.charge_key, row.next_key]));
  const rest = keys.filter((key) => !found.has(key));
  const ended = await db.payment.findMany({
    where: { provider, OR: [{ charge_key: { in: rest } }, { next_key: { in: rest } }] },
    select: shownPayment,
  });
  return [...authorized, ...ended];
}

async function isStillHeld(db: Db, key: string): Promise<boolean> {
  const row = await db.payment.findUnique({ where: { charge_key: key }, select: shownPayment });
  return row !== null && isHeld(row);
}

/** Lookups one by one for authorizations that the provider's list lacks. */
const LOOKUPS_MAX = 200;

/** The provider's list may lag behind: its own record decides. */
async function isHeldNow(payments: PaymentProvider, { key, ref }: OpenCharge, row: Row | undefined): Promise<boolean> {
  if (key === null) return true;
  // By its reference; the customer only matters without one.
  return (await payments.find({ key, ref, customerId: row?.customer_id ?? 0 }))?.state === "authorized";
}

async function findProviderOnly(payments: PaymentProvider, open: readonly OpenCharge[], rows: readonly Row[]) {
  const byKey = new Map(rows.flatMap((row) => [row.charge_key, row.next_key].map((key) => [key, row] as const)));
  const found: UnmatchedHold[] = [];
  for (const charge of open) {
    const { key, ref, amountCents } = charge;
    const row = key === null ? undefined : byKey.get(key);
    const isExplained = row
      ? isLookedUp(row) || ["created", "challenge", "authorized"].includes(row.state)
      : !charge.isOfOurCustomer;
    if (isExplained || !(await isHeldNow(payments, charge, row))) continue;
    found.push(
      row && key !== null
        ? { kind: "ended", key, ref, amountCents, state: row.state }
        : { kind: "unknown", key, ref, amountCents },
    );
  }
  return found;
}

/**
 * Compares the open authorizations with the provider's. Read-only, here and there. Charges of another market on the same account
 * are left alone.
 * @throws ProviderUnavailable, or what else the provider answers
 */
export async function findUnmatchedHolds({ db, payments }: Pick<Deps, "db" | "payments">): Promise<HoldComparison> {
  if (!payments.takesCards) return { unmatched: [], uncheckedCount: 0 };
  const open = await payments.listOpen();
  const keys = open.flatMap(({ key }) => (key !== null && UUID.test(key) ? [key] : []));
  const rows = await findPayments(db, payments.name, keys);
  const unmatched = await findProviderOnly(payments, open, rows);
  const listed = new Set(keys);
  const missing = rows.filter((row) => isHeld(row) && !listed.has(row.charge_key));
  for (const row of missing.slice(0, LOOKUPS_MAX)) {
    const { charge_key: key, provider_ref: ref, amount_cents: amountCents } = row;
    const found = await payments.find({ key, ref, customerId: row.customer_id ?? 0 });
    if (found?.state === "authorized" || !(await isStillHeld(db, key))) continue;
    unmatched.push({ kind: "missing", key, ref, amountCents, state: found?.state ?? null });
  }
  return { unmatched, uncheckedCount: Math.max(0, missing.length - LOOKUPS_MAX) };
}
