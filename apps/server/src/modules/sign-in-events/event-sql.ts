import { type Conn, enqueued, execute, pauses, queryOne, sql, waits } from "@marketday/db";
import { z } from "zod";

/** Writes an event and enqueues it. */
export const insertEvent = (
  conn: Conn,
  event: { event: "login" | "sign_up"; customerId: number; visit: string | null; now: Date },
) =>
  execute(
    conn,
    sql`with written as (
          insert into identify_event (event, customer_id, visit, created_at)
          values (${event.event}, ${event.customerId}::int, ${event.visit}, ${event.now}) returning id)
        ${enqueued("identify", sql`select id from written`)}`,
  );

/** Enqueues unsent events without a job (after a restored backup). */
export const enqueueUnnotified = (conn: Conn): Promise<number> =>
  execute(
    conn,
    enqueued(
      "identify",
      sql`select e.id from identify_event e where e.sent_at is null and not ${waits("identify", sql`e.id`)} order by e.id limit 1000`,
    ),
  );

/** Events that are due. */
export async function countUnnotified(conn: Conn): Promise<number> {
  const row = await queryOne(
    conn,
    sql`select count(*)::int as count from identify_event e where e.sent_at is null and not ${pauses("identify", sql`e.id`)}`,
    z.object({ count: z.number() }),
  );
  return row?.count ?? 0;
}
