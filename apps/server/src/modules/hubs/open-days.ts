import { type Sql, sql } from "@marketday/db";

/** Whether the orders of delivery `d` have been closed: its cutoff has begun, on time or early (docs/decisions/0012). */
export const isClosedDay = (d: Sql): Sql =>
  sql`exists (select 1 from snapshot closed where closed.delivery_id = ${d}.id)`;

/**
 * Whether delivery `d` takes orders at `now`: its cutoff is ahead, and its orders were not closed early by
 * `market jobs run --at` (docs/decisions/0012). Every place that needs a hub's next delivery uses this condition.
 */
export const takesOrders = (d: Sql, now: Date): Sql => sql`(${d}.cutoff_at > ${now} and not ${isClosedDay(d)})`;
