import type { OpenSession } from "@marketday/contracts/admin/session";
import type { Client } from "@marketday/db";
import { deviceName } from "@marketday/domain/device";
import { STAFF_SESSION } from "@marketday/domain/staff";
import { addMs } from "@marketday/domain/time";

import type { StaffActor, StaffId } from "./context.ts";

/** A staff session with its person and their roles; null when there is none. */
export const findStaffSession = (db: Client, sessionId: string) =>
  db.staff_session.findUnique({
    where: { id: sessionId },
    select: {
      id: true,
      created_at: true,
      last_seen_at: true,
      stepped_up_at: true,
      ended_at: true,
      staff: {
        select: {
          id: true,
          email: true,
          name: true,
          disabled_at: true,
          grants: { select: { role: true, hub_id: true }, orderBy: { id: "asc" } },
        },
      },
    },
  });
export type StaffSessionRow = NonNullable<Awaited<ReturnType<typeof findStaffSession>>>;

/** Stores when a person used any of their sessions. */
async function touchStaff(db: Client, id: number, now: Date): Promise<void> {
  await db.staff.updateMany({
    where: { id, OR: [{ last_seen_at: null }, { last_seen_at: { lt: now } }] },
    data: { last_seen_at: now },
  });
}

/** Stores a session that begins with a proof of identity. */
export async function insertStaffSession(
  db: Client,
  { id, staffId, userAgent, now }: { id: string; staffId: StaffId; userAgent: string; now: Date },
): Promise<void> {
  await db.staff_session.create({
    data: {
      id,
      staff_id: staffId,
      user_agent: userAgent.slice(0, 300),
      created_at: now,
      last_seen_at: now,
      stepped_up_at: now,
    },
  });
  await touchStaff(db, staffId, now);
}

/** Stores a use of a session, for the session and for its person. */
export async function touchStaffSession(
  db: Client,
  { id, staffId, now }: { id: string; staffId: number; now: Date },
): Promise<void> {
  await db.staff_session.updateMany({ where: { id }, data: { last_seen_at: now } });
  await touchStaff(db, staffId, now);
}

/** At most 20 open sessions of one person; the oldest end. */
const MOST_SESSIONS = 20;

/** Ends the oldest sessions of a person who has too many. */
export async function endOldestStaffSessions(db: Client, staffId: StaffId, now: Date): Promise<void> {
  const surplus = await db.staff_session.findMany({
    where: { staff_id: staffId, ended_at: null },
    select: { id: true },
    orderBy: [{ created_at: "desc" }, { id: "asc" }],
    skip: MOST_SESSIONS,
  });
  if (surplus.length > 0)
    await db.staff_session.updateMany({
      where: { id: { in: surplus.map(({ id }) => id) }, ended_at: null },
      data: { ended_at: now },
    });
}

/**
 * Gives an open session a new id after a proof of identity; its absolute end stays.
 * @returns false when it has ended or has another id by now
 */
export async function renewStaffSession(
  db: Client,
  { id, newId, now }: { id: string; newId: string; now: Date },
): Promise<boolean> {
  const { count } = await db.staff_session.updateMany({
    where: { id, ended_at: null },
    data: { id: newId, stepped_up_at: now, last_seen_at: now },
  });
  return count === 1;
}

/** Ends one session of a person; false when it is another person's, or had ended. A trigger notifies every server. */
export async function endOwnStaffSession(db: Client, staffId: StaffId, sessionId: string, now: Date): Promise<boolean> {
  const { count } = await db.staff_session.updateMany({
    where: { id: sessionId, staff_id: staffId, ended_at: null },
    data: { ended_at: now },
  });
  return count === 1;
}

/** Ends every session of a person but one, which may be another person's. @returns how many */
export async function endOtherStaffSessions(db: Client, staffId: StaffId, but: string, now: Date): Promise<number> {
  const { count } = await db.staff_session.updateMany({
    where: { staff_id: staffId, ended_at: null, id: { not: but } },
    data: { ended_at: now },
  });
  return count;
}

/** The sessions a person can still use, last used first. */
export const findOpenStaffSessions = (db: Client, staffId: StaffId, now: Date) =>
  db.staff_session.findMany({
    where: {
      staff_id: staffId,
      ended_at: null,
      last_seen_at: { gt: addMs(now, -STAFF_SESSION.idleMs) },
      created_at: { gt: addMs(now, -STAFF_SESSION.absoluteMs) },
    },
    select: { id: true, user_agent: true, created_at: true, last_seen_at: true },
    orderBy: [{ last_seen_at: "desc" }, { id: "asc" }],
  });

/** Open sessions as the admin API has them. */
export const toOpenSessions = (
  rows: Awaited<ReturnType<typeof findOpenStaffSessions>>,
  { sessionId }: StaffActor,
): OpenSession[] =>
  rows.map((row) => ({
    id: row.id,
    device: deviceName(row.user_agent),
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    isThis: row.id === sessionId,
  }));

/** Deletes sessions that were created or ended before these instants: at most `rows` at once. */
export async function deleteOldStaffSessions(
  db: Client,
  before: { created: Date; ended: Date },
  rows: number,
): Promise<number> {
  const isOld = { OR: [{ created_at: { lt: before.created } }, { ended_at: { lt: before.ended } }] };
  return (await db.staff_session.deleteMany({ where: isOld, limit: rows })).count;
}
