import { type Conn, execute, query, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "./context.ts";

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

/** Locks an account until the transaction ends, so that concurrent logins count each other's sessions. */
export const lockAccount = (tx: Conn, customerId: CustomerId): Promise<number> =>
  execute(tx, sql`select id from customer where id = ${customerId}::int for no key update`);

/** Ends every session of a customer except one, and returns the ended ones. A trigger notifies every other server. */
export async function endCustomerSessions(
  conn: Conn,
  customerId: CustomerId,
  but: string | null,
  now: Date,
): Promise<string[]> {
  const ended = await query(
    conn,
    sql`update session set ended_at = ${now} where customer_id = ${customerId}::int and ended_at is null and id is distinct from ${but}::uuid
        returning id::text as id`,
    z.object({ id: z.string() }),
  );
  return ended.map(({ id }) => id);
}
