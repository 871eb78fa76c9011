import type { Client, Prisma, Tx } from "@marketday/db";
import { type CalendarDate, dateFromUtc, dateInZone, dateToUtc } from "@marketday/domain/calendar-date";

import { escapeLike } from "../../lib/escape-like.ts";
import type { PassRow } from "./pass-sql.ts";

/** The date in the time zone of the customer's market; UTC without a market. */
export async function findMarketDate(db: Client, customerId: number, now: Date): Promise<CalendarDate> {
  const customer = await db.customer.findUnique({
    where: { id: customerId },
    select: { hub: { select: { time_zone: true } } },
  });
  return dateInZone(now, customer?.hub?.time_zone ?? "UTC");
}

const shownPass = {
  id: true,
  customer_id: true,
  plan: true,
  status: true,
  started_on: true,
  renews_on: true,
  ends_on: true,
  declined: true,
  unconfirmed_method_id: true,
} satisfies Prisma.wagon_passSelect;

/** The customer's active pass, else the latest one. */
export async function findPass(db: Client, customerId: number): Promise<PassRow | null> {
  const passes = await db.wagon_pass.findMany({
    where: { customer_id: customerId },
    select: shownPass,
    orderBy: { id: "desc" },
  });
  const pass = passes.find(({ status }) => status === "active") ?? passes[0];
  return pass
    ? {
        ...pass,
        plan: pass.plan as PassRow["plan"],
        status: pass.status as PassRow["status"],
        started_on: dateFromUtc(pass.started_on),
        renews_on: pass.renews_on && dateFromUtc(pass.renews_on),
        ends_on: pass.ends_on && dateFromUtc(pass.ends_on),
      }
    : null;
}

/** The customer's passes that renew, and the cancelled ones with their last day. */
export const findValidPasses = (db: Client, customerId: number): Promise<{ status: string; ends_on: Date | null }[]> =>
  db.wagon_pass.findMany({
    where: { customer_id: customerId, status: { in: ["active", "cancelled"] } },
    select: { status: true, ends_on: true },
  });

/** Whether one of `findValidPasses` is valid on a date in the time zone of the market, as in `hasActivePass`. */
export const isValidOn = (
  { status, ends_on: end }: { status: string; ends_on: Date | null },
  day: CalendarDate,
): boolean => status === "active" || (end !== null && dateFromUtc(end) >= day);

/** Whether the customer has a pass that renews. */
export const hasRenewingPass = async (db: Client, customerId: number): Promise<boolean> =>
  (await db.wagon_pass.count({ where: { customer_id: customerId, status: "active" } })) > 0;

/** Whether a purchase or renewal of the customer's pass is in progress. */
export const isBeingBought = async (tx: Tx, customerId: number): Promise<boolean> =>
  (await tx.payment.count({
    where: {
      customer_id: customerId,
      state: { in: ["created", "challenge", "authorized"] },
      purpose: { path: ["kind"], equals: "wagon-pass" },
    },
  })) > 0;

/** The date, in the time zone of the customer's market, of the first purchase with this key, or with a later part after it. */
export async function findFirstTry(db: Client, customerId: number, key: string): Promise<CalendarDate | null> {
  const first = await db.payment.findFirst({
    where: {
      customer_id: customerId,
      OR: [{ idempotency_key: key }, { idempotency_key: { startsWith: `${escapeLike(key)}:` } }],
    },
    select: { created_at: true },
    orderBy: { created_at: "asc" },
  });
  return first && findMarketDate(db, customerId, first.created_at);
}

/** Inserts an active pass. @throws unique violation when the customer has one already */
export async function insertPass(
  tx: Tx,
  customerId: number,
  plan: PassRow["plan"],
  startedOn: CalendarDate,
  renewsOn: CalendarDate,
  now: Date,
): Promise<void> {
  await tx.wagon_pass.create({
    data: {
      customer_id: customerId,
      plan,
      status: "active",
      started_on: dateToUtc(startedOn),
      renews_on: dateToUtc(renewsOn),
      created_at: now,
    },
    select: { id: true },
  });
}

/** Counts a declined renewal and schedules the next try. `unconfirmed`: the card whose charge the bank wants confirmed. */
export const postponeRenewal = (tx: Tx, id: number, retryAt: Date, unconfirmed: number | null) =>
  tx.wagon_pass.updateMany({
    where: { id, status: "active" },
    data: { declined: { increment: 1 }, retry_at: retryAt, unconfirmed_method_id: unconfirmed },
  });

/**
 * Extends a locked pass by a paid period: `until` is its next renewal day, or its last day if it does not renew. A lapsed one
 * renews again, unless its customer has bought another one.
 */
export async function renewPass(tx: Tx, id: number, until: CalendarDate): Promise<void> {
  const paid = { declined: 0, retry_at: null, unconfirmed_method_id: null };
  const day = dateToUtc(until);
  const { count } = await tx.wagon_pass.updateMany({
    where: {
      id,
      OR: [{ status: "active" }, { status: "lapsed", customer: { wagon_passes: { none: { status: "active" } } } }],
    },
    data: { ...paid, status: "active", renews_on: day, ends_on: null },
  });
  if (count === 0)
    await tx.wagon_pass.updateMany({
      where: { id },
      data: { ...paid, status: "cancelled", renews_on: null, ends_on: day },
    });
}
