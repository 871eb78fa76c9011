import type { Client } from "@marketday/db";

import type { CustomerId, GuestId } from "./context.ts";
import { lockAccount } from "./session-sql.ts";

export async function touchSession(db: Client, sessionId: string, now: Date): Promise<void> {
  await db.session.updateMany({ where: { id: sessionId }, data: { last_seen_at: now } });
}

interface NewSession {
  id: string;
  owner: { guestId: GuestId } | { customerId: CustomerId };
  userAgent: string;
  now: Date;
}

/** At most 20 live sessions of one account; the oldest end (failures.md F7). */
const MOST_SESSIONS = 20;

/** Ends the oldest sessions of an account that has too many. */
async function endOldestSessions(db: Client, customerId: CustomerId, now: Date): Promise<void> {
  const surplus = await db.session.findMany({
    where: { customer_id: customerId, ended_at: null },
    select: { id: true },
    orderBy: [{ created_at: "desc" }, { id: "asc" }],
    skip: MOST_SESSIONS,
  });
  if (surplus.length > 0)
    await db.session.updateMany({
      where: { id: { in: surplus.map(({ id }) => id) }, ended_at: null },
      data: { ended_at: now },
    });
}

export async function insertSession(db: Client, { id, owner, userAgent, now }: NewSession): Promise<void> {
  const customerId = "customerId" in owner ? owner.customerId : null;
  if (customerId !== null) await lockAccount(db, customerId);
  await db.session.create({
    data: {
      id,
      guest_id: "guestId" in owner ? owner.guestId : null,
      customer_id: customerId,
      user_agent: userAgent.slice(0, 300),
      created_at: now,
      last_seen_at: now,
    },
  });
  if (customerId !== null) await endOldestSessions(db, customerId, now);
}

/** Ends one session; a trigger notifies every server. */
export async function endSession(db: Client, sessionId: string, now: Date): Promise<void> {
  await db.session.updateMany({ where: { id: sessionId, ended_at: null }, data: { ended_at: now } });
}

/** Ends every session of a guest who became a customer, so that a planted guest cookie is useless (failures.md F1). */
export async function endGuestSessions(db: Client, guestId: GuestId, now: Date): Promise<void> {
  await db.session.updateMany({ where: { guest_id: guestId, ended_at: null }, data: { ended_at: now } });
}

/** The sessions a customer can still use, last used first. */
export const findOpenSessions = (db: Client, customerId: CustomerId, since: { seen: Date; created: Date }) =>
  db.session.findMany({
    where: {
      customer_id: customerId,
      ended_at: null,
      last_seen_at: { gt: since.seen },
      created_at: { gt: since.created },
    },
    select: { id: true, user_agent: true, created_at: true, last_seen_at: true },
    orderBy: [{ last_seen_at: "desc" }, { id: "asc" }],
  });

/** Ends one session of a customer; false when it is another customer's, or had ended. */
export async function endOwnSession(
  db: Client,
  customerId: CustomerId,
  sessionId: string,
  now: Date,
): Promise<boolean> {
  const own = { id: sessionId, customer_id: customerId, ended_at: null };
  return (await db.session.updateMany({ where: own, data: { ended_at: now } })).count === 1;
}

/** Deletes sessions that were last seen or ended before these instants: at most `rows` at once. */
export async function deleteOldSessions(
  db: Client,
  before: { seen: Date; ended: Date },
  rows: number,
): Promise<number> {
  const isOld = { OR: [{ last_seen_at: { lt: before.seen } }, { ended_at: { lt: before.ended } }] };
  return (await db.session.deleteMany({ where: isOld, limit: rows })).count;
}

/** Deletes guests without a session that were created before an instant: at most `rows` at once. */
export const deleteOldGuests = async (db: Client, before: Date, rows: number): Promise<number> =>
  (await db.guest.deleteMany({ where: { created_at: { lt: before }, sessions: { none: {} } }, limit: rows })).count;
