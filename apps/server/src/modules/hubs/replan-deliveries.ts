import { execute, query, queryOne, sql, type SqlTx } from "@marketday/db";
import { calendarDate, isWeekday } from "@marketday/domain/calendar-date";
import { deliveryDaysFrom, replanDays } from "@marketday/domain/delivery";
import { z } from "zod";

import { isClosedDay, insertDeliveries } from "./store.ts";

const Rule = z.object({ delivery_day: z.string(), time_zone: z.string(), closures: z.array(z.string()) });
const Locked = z.object({ id: z.number() });
const Stored = z.object({ id: z.number(), day: z.string(), cutoff_at: z.date(), has_orders: z.boolean() });

/**
 * Replans after a change of weekday, zone or closures: days with orders or a live checkout stay, other open days that no longer fit
 * are deleted, missing ones are added (docs/product.md §4, failures.md C19).
 * @returns the added and deleted dates, `YYYY-MM-DD`
 */
export async function replanDeliveries(
  tx: SqlTx,
  hubId: number,
  now: Date,
): Promise<{ added: string[]; removed: string[] }> {
  const rule = await queryOne(
    tx,
    sql`select delivery_day, time_zone, coalesce((select array_agg(c.day) from hub_closure c where c.hub_id = h.id), '{}') as closures
        from hub h where id = ${hubId}::int`,
    Rule,
  );
  if (!rule || !isWeekday(rule.delivery_day)) return { added: [], removed: [] };
  // Locked, so that a checkout of one of these days waits and then finds it or another. The lock is a separate statement, so that
  // the next one reads the result of a checkout before it.
  await query(
    tx,
    sql`select id from delivery where hub_id = ${hubId}::int and cutoff_at > ${now} order by id for update`,
    Locked,
  );
  const stored = await query(
    tx,
    sql`select d.id, d.day, d.cutoff_at, exists (select 1 from orders o where o.delivery_id = d.id) or exists (select 1 from checkout_attempt a where a.delivery_id = d.id) or ${isClosedDay(sql`d`)} as has_orders
        from delivery d where d.hub_id = ${hubId}::int and d.cutoff_at > ${now} order by d.id`,
    Stored,
  );
  const wanted = deliveryDaysFrom({
    weekday: rule.delivery_day,
    zone: rule.time_zone,
    now,
    closures: rule.closures.map(calendarDate),
  });
  const cutoffs = new Map(wanted.map(({ day, cutoff }) => [day as string, cutoff.getTime()]));
  // In another zone the same date has another cutoff: an empty day is created again.
  const moved = stored.filter(
    ({ day, cutoff_at: at, has_orders: taken }) => !taken && cutoffs.has(day) && cutoffs.get(day) !== at.getTime(),
  );
  const kept = stored.filter((row) => !moved.includes(row));
  const { add, remove } = replanDays(
    kept.map(({ day, cutoff_at: cutoff, has_orders: hasOrders }) => ({ day: calendarDate(day), cutoff, hasOrders })),
    wanted,
    now,
  );
  const gone = [...moved, ...kept.filter(({ day }) => (remove as string[]).includes(day))];
  if (gone.length > 0) await execute(tx, sql`delete from delivery where id = any(${gone.map(({ id }) => id)}::int[])`);
  if (add.length > 0)
    await insertDeliveries(
      tx,
      add.map(({ day, cutoff, autoCheckoutAt }) => ({ hubId, day, cutoff, autoCheckoutAt })),
    );
  return { added: add.map(({ day }) => day), removed: gone.map(({ day }) => day) };
}
