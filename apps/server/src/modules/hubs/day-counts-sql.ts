import { type AnyTx, execute, query, sql } from "@marketday/db";
import { z } from "zod";

const Id = z.object({ id: z.number() });

/** Locks the counts of shortages of these days that are not settled, in id order. Before orders and offers. */
export const lockCounts = (tx: AnyTx, deliveryIds: readonly number[]) =>
  query(
    tx,
    sql`select id from shortage where delivery_id = any(${[...deliveryIds]}::int[]) and state = 'counted' order by id for update`,
    Id,
  );

/**
 * Removes the counts of days that are not held. Units that they took off sale go back, unless the stock was set since (docs/product.md
 * §18). One that is about to be settled stays.
 */
export async function removeCounts(tx: AnyTx, deliveryIds: readonly number[], now: Date): Promise<void> {
  const counts = await lockCounts(tx, deliveryIds);
  if (counts.length === 0) return;
  const ids = counts.map(({ id }) => id);
  // A separate statement, so that the next one reads the result of a checkout before it.
  await query(
    tx,
    sql`select f.id from offer f where exists (select 1 from shortage g join delivery d on d.id = g.delivery_id
          where g.id = any(${ids}::int[]) and f.variant_id = g.variant_id and f.hub_id = d.hub_id) order by f.id for update`,
    Id,
  );
  await execute(
    tx,
    sql`with back as (
          select g.id, f.id as offer_id, g.withheld from shortage g join delivery d on d.id = g.delivery_id
          join offer f on f.variant_id = g.variant_id and f.hub_id = d.hub_id
          where g.id = any(${ids}::int[]) and g.withheld > 0
            and not exists (select 1 from stock_adjustment a where a.offer_id = f.id and a.stock_mark is null and a.id > g.stock_mark)),
        raised as (
          update offer f set inventory = f.inventory + b.units, sold_out_at = null
          from (select offer_id, sum(withheld)::int as units from back group by offer_id) b where f.id = b.offer_id),
        written as (
          insert into stock_adjustment (offer_id, amount, reason, created_at)
          select offer_id, withheld, 'short count ' || id || ' removed', ${now}::timestamptz from back)
        update shortage set state = 'removed', version = version + 1, withheld = 0, stock_mark = null where id = any(${ids}::int[])`,
  );
}
