import { type Conn, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { takesOrders } from "../hubs/delivery-sql.ts";
import { isPacked } from "../orders/box-state-sql.ts";
import { pictureOf } from "../pictures/picture-json-sql.ts";
import { PictureRow } from "../pictures/picture-row.ts";

const Item = z.object({
  variantId: z.number(),
  product: z.string(),
  variant: z.string(),
  unit: z.string().nullable(),
  picture: PictureRow.nullable(),
  vendor: z.object({ id: z.number(), slug: z.string(), name: z.string() }),
  eachCents: z.number(),
  ordered: z.number(),
  frozen: z.number(),
  boxes: z.number(),
  /** Units on sale in the hub. Null: it does not sell it. */
  inventory: z.number().nullable(),
});
export type DayItemRow = z.infer<typeof Item>;

const DayRow = z.object({
  id: z.number(),
  hub: z.object({ id: z.number(), slug: z.string(), name: z.string(), timeZone: z.string() }),
  cutoff_at: z.date(),
  /** It has a complete version of its sheets. */
  is_frozen: z.boolean(),
  /** It takes the orders that are placed now. */
  is_next: z.boolean(),
  items: z.array(Item),
});
export type ShortDayRow = z.infer<typeof DayRow>;

/**
 * A hub's delivery day (slug or id) with its items by vendor and title: what is ordered, on the newest sheets, or was counted. Null: no
 * such hub or day.
 */
export const findShortDay = (db: Conn, key: string, day: string, now: Date): Promise<ShortDayRow | null> =>
  queryOne(
    db,
    sql`with d as (
          select d.*, h.slug, h.name, h.time_zone, h.pack_unpaid from delivery d join hub h on h.id = d.hub_id
          where d.day = ${day}::date
            and h.id = (select k.id from hub k where k.slug = ${key} or k.id = ${hubId(key)}::int order by k.id limit 1)),
        s as (select s.id from snapshot s join d on d.id = s.delivery_id where s.is_complete order by s.version desc limit 1),
        line as (
          select i.variant_id, i.vendor_id, i.product_title, i.variant_title, i.unit_price_cents, coalesce(o.add_on_to_id, o.id) as box_id,
            case when o.status <> 'cancelled' and ${isPacked(sql`o`)} then i.quantity else 0 end as quantity
          from d join orders o on o.delivery_id = d.id join hub h on h.id = d.hub_id join order_item i on i.order_id = o.id),
        item as (
          select l.variant_id, max(l.vendor_id) as vendor_id, max(l.product_title) as product, max(l.variant_title) as variant,
            coalesce(max(l.unit_price_cents) filter (where l.quantity > 0), max(l.unit_price_cents)) as each_cents,
            sum(l.quantity)::int as ordered, (count(distinct l.box_id) filter (where l.quantity > 0))::int as boxes,
            coalesce((select sum(f.quantity) from snapshot_line f join s on s.id = f.snapshot_id where f.variant_id = l.variant_id), 0)::int as frozen
          from line l group by l.variant_id)
        select d.id, json_build_object('id', d.hub_id, 'slug', d.slug, 'name', d.name, 'timeZone', d.time_zone) as hub, d.cutoff_at,
          exists (select 1 from s) as is_frozen,
          d.id = coalesce((select n.id from delivery n where n.hub_id = d.hub_id and ${takesOrders(sql`n`, now)} order by n.cutoff_at limit 1), 0) as is_next,
          coalesce((select json_agg(json_build_object('variantId', i.variant_id, 'product', i.product, 'variant', i.variant, 'unit', v.unit,
              'picture', (select ${pictureOf(sql`p.picture_id`)} from product_picture p where p.product_id = v.product_id and p.position = 0),
              'vendor', json_build_object('id', n.id, 'slug', n.slug, 'name', n.name), 'eachCents', i.each_cents, 'ordered', i.ordered,
              'frozen', i.frozen, 'boxes', i.boxes,
              'inventory', (select x.inventory from offer x where x.variant_id = i.variant_id and x.hub_id = d.hub_id))
              order by n.name, i.product, i.variant, i.variant_id)
            from item i join variant v on v.id = i.variant_id join vendor n on n.id = i.vendor_id
            where i.ordered > 0 or i.frozen > 0
              or exists (select 1 from shortage g where g.delivery_id = d.id and g.variant_id = i.variant_id and g.state <> 'removed')), '[]') as items
        from d`,
    DayRow,
  );

const hubId = (key: string): number | null => (/^[1-9]\d{0,8}$/.test(key) ? Number(key) : null);

const BoxRow = z.object({
  boxId: z.number(),
  tote: z.number().nullable(),
  name: z.string(),
  placed_at: z.date(),
  is_subscription: z.boolean(),
  ordered: z.number(),
  /** Of the card that paid its orders. Null: none, more than one, or it is not stored. */
  brand: z.string().nullable(),
  last4: z.string().nullable(),
});
export type ShareBoxRow = z.infer<typeof BoxRow>;

/** The boxes of a delivery day that have a variant, before and after the cutoff, the oldest first (as `findDemand`). */
export const findShareBoxes = (db: Conn, deliveryId: number, variantId: number): Promise<ShareBoxRow[]> =>
  query(
    db,
    sql`select box.id as "boxId",
          (select max(b.tote) from snapshot_box b join snapshot s on s.id = b.snapshot_id and s.is_complete and s.delivery_id = ${deliveryId}::int
           where b.order_id = box.id) as tote,
          coalesce(max(trim(c.first_name || ' ' || c.last_name)) filter (where c.deleted_at is null), '') as name, box.created_at as placed_at,
          bool_or(i.subscription_interval is not null) as is_subscription, sum(i.quantity)::int as ordered,
          case when count(distinct m.id) = 1 then max(nullif(m.brand, '')) end as brand,
          case when count(distinct m.id) = 1 then max(nullif(m.last4, '')) end as last4
        from orders o join hub h on h.id = o.hub_id join orders box on box.id = coalesce(o.add_on_to_id, o.id)
        join order_item i on i.order_id = o.id and i.variant_id = ${variantId}::int and i.quantity > 0
        left join customer c on c.id = o.customer_id left join payment y on y.id = o.payment_id left join payment_method m on m.id = y.payment_method_id
        where o.delivery_id = ${deliveryId}::int and o.status <> 'cancelled' and ${isPacked(sql`o`)}
        group by box.id order by box.created_at, box.id`,
    BoxRow,
  );
