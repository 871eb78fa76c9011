import { type Conn, execute, query, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId, GuestId } from "./context.ts";

export const SessionRow = z.object({
  id: z.string(),
  guest_id: z.string().nullable(),
  customer_id: z.number().nullable(),
  hub_id: z.number().nullable(),
  created_at: z.date(),
  last_seen_at: z.date(),
  ended_at: z.date().nullable(),
});
export type SessionRow = z.infer<typeof SessionRow>;

/** The session with its owner's hub. A deleted customer's session counts as ended. */
export async function findSession(db: Conn, sessionId: string): Promise<SessionRow | null> {
  const [row] = await query(
    db,
    sql`select s.id::text as id, s.guest_id::text as guest_id, s.customer_id, coalesce(g.hub_id, c.hub_id) as hub_id,
          s.created_at, s.last_seen_at, coalesce(s.ended_at, c.deleted_at) as ended_at
        from session s
        left join guest g on g.id = s.guest_id
        left join customer c on c.id = s.customer_id
        where s.id = ${sessionId}::uuid`,
    SessionRow,
  );
  return row ?? null;
}

export async function touchSession(db: Conn, sessionId: string, now: Date): Promise<void> {
  await execute(db, sql`update session set last_seen_at = ${now} where id = ${sessionId}::uuid`);
}

interface NewSession {
  id: string;
  owner: { guestId: GuestId } | { customerId: CustomerId };
  userAgent: string;
  now: Date;
}

/** At most 20 live sessions of one account; the oldest end (failures.md F7). */
const MOST_SESSIONS = 20;

export async function insertSession(db: Conn, { id, owner, userAgent, now }: NewSession): Promise<void> {
  const guestId = "guestId" in owner ? owner.guestId : null;
  const customerId = "customerId" in owner ? owner.customerId : null;
  // Locks the account, so that concurrent logins count each other's sessions.
  if (customerId !== null)
    await execute(db, sql`select id from customer where id = ${customerId}::int for no key update`);
  await execute(
    db,
    sql`insert into session (id, guest_id, customer_id, user_agent, created_at, last_seen_at)
        values (${id}::uuid, ${guestId}::uuid, ${customerId}::int, ${userAgent.slice(0, 300)}, ${now}, ${now})`,
  );
  if (customerId !== null)
    await execute(
      db,
      sql`update session set ended_at = ${now} where id in (
            select id from session where customer_id = ${customerId}::int and ended_at is null
            order by created_at desc, id offset ${MOST_SESSIONS})`,
    );
}

/** Ends one session; a trigger notifies every server. */
export async function endSession(db: Conn, sessionId: string, now: Date): Promise<void> {
  await execute(db, sql`update session set ended_at = ${now} where id = ${sessionId}::uuid and ended_at is null`);
}

/** Ends every session of a guest who became a customer, so that a planted guest cookie is useless (failures.md F1). */
export async function endGuestSessions(db: Conn, guestId: GuestId, now: Date): Promise<void> {
  await execute(db, sql`update session set ended_at = ${now} where guest_id = ${guestId}::uuid and ended_at is null`);
}

/** Ends every session of a customer except one, and returns the ended ones. A trigger notifies every other server. */
export async function endCustomerSessions(
  db: Conn,
  customerId: CustomerId,
  but: string | null,
  now: Date,
): Promise<string[]> {
  const ended = await query(
    db,
    sql`update session set ended_at = ${now} where customer_id = ${customerId}::int and ended_at is null and id is distinct from ${but}::uuid
        returning id::text as id`,
    z.object({ id: z.string() }),
  );
  return ended.map(({ id }) => id);
}

const OpenSessionRow = z.object({
  id: z.string(),
  user_agent: z.string(),
  created_at: z.date(),
  last_seen_at: z.date(),
});

/** The sessions a customer can still use, last used first. */
export const findOpenSessions = (db: Conn, customerId: CustomerId, since: { seen: Date; created: Date }) =>
  query(
    db,
    sql`select id::text as id, user_agent, created_at, last_seen_at from session
        where customer_id = ${customerId}::int and ended_at is null and last_seen_at > ${since.seen} and created_at > ${since.created}
        order by last_seen_at desc, id`,
    OpenSessionRow,
  );

/** Ends one session of a customer; false when it is another customer's, or had ended. */
export const endOwnSession = async (db: Conn, customerId: CustomerId, sessionId: string, now: Date): Promise<boolean> =>
  (await execute(
    db,
    sql`update session set ended_at = ${now} where id = ${sessionId}::uuid and customer_id = ${customerId}::int and ended_at is null`,
  )) === 1;

/** Deletes sessions that were last seen or ended before these instants: at most `rows` at once. */
export const deleteOldSessions = (db: Conn, before: { seen: Date; ended: Date }, rows: number): Promise<number> =>
  execute(
    db,
    sql`delete from session where id in (
          select id from session where last_seen_at < ${before.seen} or ended_at < ${before.ended} limit ${rows}::int)`,
  );

/** Deletes guests without a session that were created before an instant: at most `rows` at once. */
export const deleteOldGuests = (db: Conn, before: Date, rows: number): Promise<number> =>
  execute(
    db,
    sql`delete from guest where id in (
          select g.id from guest g where g.created_at < ${before} and not exists (select 1 from session s where s.guest_id = g.id) limit ${rows}::int)`,
  );
