import { type AnyTx, query, sql } from "@marketday/db";
import { z } from "zod";

/** Where a pickup point is, and when it is open. */
export const PickupPlaceRow = z.object({
  name: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  zip_code: z.string(),
  hours: z.string(),
});
export type PickupPlaceRow = z.infer<typeof PickupPlaceRow>;

const StoredPoint = PickupPlaceRow.extend({
  id: z.number(),
  is_active: z.boolean(),
  boxes: z.number(),
  autoCheckouts: z.number(),
});
/**
 * A pickup point as it is. `boxes`: orders with their add-ons that are still to be picked up there; `autoCheckouts`: customers whose
 * automatic orders go there.
 */
export type StoredPoint = z.infer<typeof StoredPoint>;

/** The orders `o` of a hub `h` that are still to be picked up, on delivery `d`. */
const toPickUp = (now: Date) =>
  sql`o.status in ('future', 'open', 'pending') and d.day >= (${now}::timestamptz at time zone h.time_zone)::date`;

/** Locks the pickup points of a hub, closed ones too, against other changes. An unknown hub has none. */
export const lockPickupPoints = (tx: AnyTx, slug: string, now: Date): Promise<StoredPoint[]> =>
  query(
    tx,
    sql`with locked as (select p.* from pickup_point p where p.hub_id = (select id from hub where slug = ${slug}) order by p.id for no key update)
        select p.id, p.name, p.address, p.city, p.state, p.zip_code, p.hours, p.is_active,
          (select count(distinct coalesce(o.add_on_to_id, o.id))::int from orders o join delivery d on d.id = o.delivery_id join hub h on h.id = o.hub_id
           where o.pickup_point_id = p.id and ${toPickUp(now)}) as boxes,
          (select count(*)::int from customer c where c.pickup_point_id = p.id and c.hub_id = p.hub_id and c.auto_checkout_status > 0
             and c.deleted_at is null) as "autoCheckouts"
        from locked p order by p.id`,
    StoredPoint,
  );

const Affected = z.object({ customer_id: z.number(), order_id: z.number(), days: z.array(z.string()) });

/** The customers who have orders to pick up at a point: the days, and the order of the first. */
export const findPickupCustomers = (tx: AnyTx, pointId: number, now: Date): Promise<z.infer<typeof Affected>[]> =>
  query(
    tx,
    sql`select o.customer_id, (array_agg(coalesce(o.add_on_to_id, o.id) order by d.day, o.id))[1] as order_id,
          array_agg(distinct to_char(d.day, 'YYYY-MM-DD')) as days
        from orders o join delivery d on d.id = o.delivery_id join hub h on h.id = o.hub_id
        where o.pickup_point_id = ${pointId}::int and o.customer_id is not null and ${toPickUp(now)}
        group by o.customer_id order by o.customer_id`,
    Affected,
  );
