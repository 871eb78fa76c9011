import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

import { isPacked } from "../orders/box-state-sql.ts";
import type { Share } from "../week/harvest-links.ts";

const Item = z.object({
  variantId: z.number(),
  product: z.string(),
  variant: z.string(),
  unit: z.string().nullable(),
  /** Units in the boxes that are packed. */
  ordered: z.number(),
  /** Units on the sheets of the cutoff, which the email has. */
  frozen: z.number(),
  /** The variant is ordered from another vendor too: its product was moved since the first order. */
  isShared: z.boolean(),
});
export type HarvestItemRow = z.infer<typeof Item>;

/** The items that are ordered from a vendor for a delivery day, or were when the sheets were made, by title. */
export const findHarvestItems = (db: Conn, { deliveryId, vendorId }: Share): Promise<HarvestItemRow[]> =>
  query(
    db,
    sql`with frozen as (
          select f.variant_id, sum(f.quantity)::int as units from snapshot_line f
          where f.vendor_id = ${vendorId}::int and f.snapshot_id =
            (select s.id from snapshot s where s.delivery_id = ${deliveryId}::int and s.is_complete order by s.version limit 1)
          group by f.variant_id),
        item as (
          select i.variant_id, max(i.product_title) filter (where i.vendor_id = ${vendorId}::int) as product,
            max(i.variant_title) filter (where i.vendor_id = ${vendorId}::int) as variant,
            coalesce(sum(i.quantity) filter (where i.vendor_id = ${vendorId}::int and o.status <> 'cancelled' and ${isPacked(sql`o`)}), 0)::int as ordered,
            coalesce(bool_or(i.vendor_id <> ${vendorId}::int and i.quantity > 0 and o.status <> 'cancelled' and ${isPacked(sql`o`)}), false) as is_shared
          from orders o join hub h on h.id = o.hub_id join order_item i on i.order_id = o.id where o.delivery_id = ${deliveryId}::int
          group by i.variant_id having bool_or(i.vendor_id = ${vendorId}::int))
        select i.variant_id as "variantId", i.product, i.variant, v.unit, i.ordered, coalesce(f.units, 0) as frozen, i.is_shared as "isShared"
        from item i join variant v on v.id = i.variant_id left join frozen f on f.variant_id = i.variant_id
        where i.ordered > 0 or f.units > 0 order by i.product, i.variant, i.variant_id`,
    Item,
  );
