import { type AnyTx, type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

import { isPacked } from "./box-state-sql.ts";

const DayItem = z.object({
  variantId: z.number(),
  product: z.string(),
  variant: z.string(),
  unit: z.string().nullable(),
  vendorSlug: z.string(),
  vendor: z.string(),
});
/** A variant ordered for a delivery day, including units taken off since, with its vendor. */
export type DayItem = z.infer<typeof DayItem>;

/** Variants ordered for a delivery day, including units taken off since, by vendor and title. */
export const findDayItems = (db: Conn, deliveryId: number): Promise<DayItem[]> =>
  query(
    db,
    sql`select i.variant_id as "variantId", max(i.product_title) as product, max(i.variant_title) as variant, max(t.unit) as unit, v.slug as "vendorSlug", v.name as vendor
        from orders o join order_item i on i.order_id = o.id join vendor v on v.id = i.vendor_id join variant t on t.id = i.variant_id
        where o.delivery_id = ${deliveryId}::int group by i.variant_id, v.id order by v.name, 2, 3`,
    DayItem,
  );

const DemandRow = z.object({
  boxId: z.number(),
  tote: z.number().nullable(),
  orderId: z.number(),
  quantity: z.number(),
});
/** The units of a variant in one packed order. */
export type DemandRow = z.infer<typeof DemandRow>;

/** Units of a variant per packed order of a delivery day: oldest box first, oldest order of each box first. */
export const findDemand = (db: Conn, deliveryId: number, variantId: number): Promise<DemandRow[]> =>
  query(
    db,
    sql`select box.id as "boxId",
          (select max(b.tote) from snapshot_box b join snapshot s on s.id = b.snapshot_id and s.is_complete and s.delivery_id = ${deliveryId}::int
           where b.order_id = box.id) as tote,
          o.id as "orderId", sum(i.quantity)::int as quantity
        from orders o join hub h on h.id = o.hub_id join orders box on box.id = coalesce(o.add_on_to_id, o.id)
        join order_item i on i.order_id = o.id and i.variant_id = ${variantId}::int and i.quantity > 0
        where o.delivery_id = ${deliveryId}::int and o.status in ('pending', 'closed') and ${isPacked(sql`o`)}
        group by box.id, o.id order by box.created_at, box.id, o.add_on_to_id nulls first, o.created_at, o.id`,
    DemandRow,
  );

const Id = z.object({ id: z.number() });

/** Locks every order of a delivery day that contains the variant, in id order, until the transaction ends. */
export const lockDemand = (tx: AnyTx, deliveryId: number, variantId: number) =>
  query(
    tx,
    sql`select o.id from orders o where o.delivery_id = ${deliveryId}::int
          and exists (select 1 from order_item i where i.order_id = o.id and i.variant_id = ${variantId}::int and i.quantity > 0)
        order by o.id for update`,
    Id,
  );
