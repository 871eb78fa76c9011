import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

/** Units removed from the orders of a closed day, by variant. */
export interface TakenUnits {
  variantId: number;
  /** Removed by the whole action. */
  quantity: number;
  /** The part of these that the action removes in later transactions. */
  later?: number;
}

const Line = z.object({
  product: z.string(),
  variant: z.string(),
  unit: z.string().nullable(),
  before: z.number(),
  after: z.number(),
});
/** The units of each item that a vendor brings now, and brought before. */
export const VendorChange = z.object({
  vendor: z.string(),
  market: z.string(),
  /** `YYYY-MM-DD` */
  day: z.string(),
  /** The market's; missing in mails of an earlier version. */
  timeZone: z.string().default("UTC"),
  lines: z.array(Line),
});
export type VendorChange = z.infer<typeof VendorChange>;

const ChangedVendor = z.object({ vendor_id: z.number(), email: z.string(), change: VendorChange });

/**
 * The vendors who were sent a day's quantities and bring less now that these units were removed, with the old and new quantities
 * of their items. Vendors of a day that is over are left out.
 */
export const findVendorChanges = (
  tx: Conn,
  deliveryId: number,
  taken: readonly TakenUnits[],
  now: Date,
): Promise<z.infer<typeof ChangedVendor>[]> =>
  query(
    tx,
    sql`with taken as (
          select "variantId" as variant_id, sum(quantity)::int as quantity, sum(coalesce(later, 0))::int as later
          from jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) as t ("variantId" int, quantity int, later int) group by 1),
        frozen as (
          select distinct on (l.variant_id) l.variant_id, l.vendor_id, l.product_title, l.variant_title, l.unit, s.hub_name
          from snapshot s join snapshot_line l on l.snapshot_id = s.id join taken t on t.variant_id = l.variant_id
          where s.delivery_id = ${deliveryId}::int order by l.variant_id, s.version desc),
        counted as (
          select t.variant_id, t.quantity, coalesce((
            select sum(i.quantity)::int from orders o join order_item i on i.order_id = o.id and i.variant_id = t.variant_id
            where o.delivery_id = ${deliveryId}::int and o.status <> 'cancelled'), 0) - t.later as after from taken t)
        select v.id as vendor_id, v.email,
          jsonb_build_object('vendor', v.name, 'market', max(f.hub_name), 'day', to_char(d.day, 'YYYY-MM-DD'), 'timeZone', max(h.time_zone), 'lines', jsonb_agg(
            jsonb_build_object('product', f.product_title, 'variant', f.variant_title, 'unit', f.unit, 'before', c.after + c.quantity, 'after', c.after)
            order by f.product_title, f.variant_title, f.variant_id)) as change
        from counted c join frozen f on f.variant_id = c.variant_id join vendor v on v.id = f.vendor_id
        join delivery d on d.id = ${deliveryId}::int join hub h on h.id = d.hub_id
        where c.quantity > 0 and v.email is not null and (d.day + 1)::timestamp at time zone h.time_zone > ${now}
          -- While the first version is being frozen, its mails are not enqueued yet, but will have the frozen quantities.
          and exists (select 1 from snapshot s where s.delivery_id = d.id
            and (not s.is_complete or exists (select 1 from mail m where m.key = 'vendor-order:' || s.id || ':' || v.id)))
        group by v.id, d.id order by v.id`,
    ChangedVendor,
  );
