import { type AnyTx, type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { takesOrders } from "../hubs/delivery-sql.ts";

export const DueDelivery = z.object({
  id: z.number(),
  hub_id: z.number(),
  day: z.string(),
  cutoff_at: z.date(),
  time_zone: z.string(),
  hub_slug: z.string(),
});
export type DueDelivery = z.infer<typeof DueDelivery>;

/** The columns of a `DueDelivery`, from `delivery d` and `hub h`. */
export const dueDeliveryColumns = sql`d.id, d.hub_id, to_char(d.day, 'YYYY-MM-DD') as day, d.cutoff_at, h.time_zone, h.slug as hub_slug`;

/** The condition that a step of the day `d` is not over. */
export const notDone = (step: string): Sql =>
  sql`not exists (select 1 from delivery_run r where r.delivery_id = d.id and r.step = ${step} and r.state <> 'running')`;

/** The condition that the cycle of a day is open: all carts are filled, but for those that cannot be written. */
export const isOpened = (day: Sql): Sql =>
  sql`exists (select 1 from delivery_run r where r.delivery_id = ${day}.id and r.step = 'open' and (r.state <> 'running' or r.progress->>'part' = 'refused'))`;

/** The condition that no checkout of the day `d` is in progress. */
const hasNoLiveCheckouts = sql`not exists (
            select 1 from checkout_attempt a where a.hub_id = d.hub_id and a.state in ('held', 'challenge')
              and a.plan->'orders' @> jsonb_build_array(jsonb_build_object('deliveryId', d.id)))`;

/**
 * Delivery days whose cutoff has passed and was not run, oldest first. A day waits for its open checkouts, at most until
 * `graceEnded` (docs/product.md §4).
 */
export const findDueCutoffs = (db: Conn, now: Date, graceEnded: Date): Promise<DueDelivery[]> =>
  query(
    db,
    sql`select ${dueDeliveryColumns} from delivery d join hub h on h.id = d.hub_id
        where d.cutoff_at <= ${now} and ${notDone("cutoff")}
          and (d.cutoff_at <= ${graceEnded} or ${hasNoLiveCheckouts})
        order by d.cutoff_at, d.id`,
    DueDelivery,
  );

const LockedDay = z.object({ id: z.number() });

/**
 * Locks a delivery day for its freeze: waits for orders and checkouts that are being written, and blocks later ones. False: a
 * checkout is in progress within its ten minutes, so the freeze must wait (docs/product.md §4).
 */
export async function lockDeliveryForCutoff(tx: AnyTx, deliveryId: number, graceEnded: Date): Promise<boolean> {
  await query(tx, sql`select id from delivery where id = ${deliveryId}::int for update`, LockedDay);
  return (
    (await queryOne(
      tx,
      sql`select d.id from delivery d where d.id = ${deliveryId}::int and (d.cutoff_at <= ${graceEnded} or ${hasNoLiveCheckouts})`,
      LockedDay,
    )) !== null
  );
}

/** Next deliveries of hubs whose cycle was not opened yet, after the cutoff of the previous one (docs/product.md §1 cycle). */
export const findDueOpenings = (db: Conn, now: Date): Promise<DueDelivery[]> =>
  query(
    db,
    sql`select ${dueDeliveryColumns} from hub h
        join lateral (select * from delivery x where x.hub_id = h.id and ${takesOrders(sql`x`, now)} order by x.cutoff_at limit 1) d on true
        where ${notDone("open")} order by d.id`,
    DueDelivery,
  );

/**
 * Refills offers, whose rows the caller has locked, to their weekly stock for the new cycle. Each has an adjustment with the level that
 * its week starts at, of 0 units where more was left.
 */
export const refillWeekly = (tx: AnyTx, offerIds: readonly number[], now: Date) =>
  execute(
    tx,
    sql`with low as (
          select id, greatest(weekly_inventory - inventory, 0) as missing, greatest(weekly_inventory, inventory) as level from offer
          where id = any(${[...offerIds]}::int[])),
        booked as (
          insert into stock_adjustment (offer_id, amount, reason, level, created_at) select id, missing, 'weekly stock', level, ${now} from low order by id)
        update offer o set inventory = o.inventory + low.missing, sold_out_at = null,
          restocked_at = case when o.inventory = 0 then ${now}::timestamptz else o.restocked_at end
        from low where o.id = low.id and low.missing > 0`,
  );
