import { type Conn, query, queryOne, type Sql, sql } from "@marketday/db";
import { PACKED, PAYMENT_PROBLEMS } from "@marketday/domain/order-state";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";
import { isGiven, isUnresolved } from "../payments/refund-store.ts";
import { isMailed, UNCONFIRMED } from "../payments/set-aside-store.ts";
import { joinedPicture, PictureRow } from "../pictures/store.ts";
import { SizeColumns, sizePairs } from "../products/size-store.ts";

/** The condition that an order of hub `h` is packed: it was charged, or the hub packs unpaid orders (docs/product.md §17). */
export const isPacked = (order: Sql): Sql => sql`(h.pack_unpaid or ${order}.charge_failed_at is null)`;

/** The amount to collect at the door for an order `o` with payment `y`, in cents: paid offline, or the card could not be charged. */
export const collectCents = sql`case when o.charge_failed_at is not null or (y.provider = 'offline' and y.state = 'authorized' and o.written_off_at is null)
            then o.order_total_cents - o.credit_cents else 0 end`;

/**
 * Every note for the box whose first order is `o`: its own, then those of its live add-ons, the oldest first. A text that several
 * orders have is there once, and directions to the door that only an add-on was given are among them.
 */
export const boxNotes = sql`(select coalesce(string_agg(n.note, chr(10) order by n.place), '') from (
    select t.note, min(t.place) as place from (
      select v.note, row_number() over (order by x.add_on_to_id nulls first, x.created_at, x.id, v.part) as place
      from orders x cross join lateral (values (1, x.delivery_notes), (2, x.address->>'instructions')) as v(part, note)
      where x.id = o.id or (x.add_on_to_id = o.id and x.status <> 'cancelled')) t
    where t.note <> '' and t.note is distinct from o.address->>'instructions' group by t.note) n)`;

/** The notes for a box, by the id of its first order (`boxNotes`). */
export const findBoxNotes = async (db: Conn, boxId: number): Promise<string> =>
  (await queryOne(
    db,
    sql`select ${boxNotes} as notes from orders o where o.id = ${boxId}::int`,
    z.object({ notes: z.string() }),
  ))!.notes;

export const OrderItemRow = z.object({
  order_id: z.number(),
  quantity: z.number(),
  bundle_id: z.number().nullable(),
  variant_id: z.number(),
  variant_title: z.string(),
  ...SizeColumns.shape,
  product_id: z.number(),
  product_slug: z.string(),
  product_title: z.string(),
  picture: PictureRow.nullable(),
  list_price_cents: z.number(),
  sale_price_cents: z.number().nullable(),
  pre_order_date: z.string().nullable(),
  inventory: z.number(),
  is_published: z.boolean(),
  vendor_id: z.number(),
  vendor_slug: z.string(),
  vendor_name: z.string(),
  vendor_city: z.string(),
  vendor_state: z.string(),
  vendor_avatar: PictureRow.nullable(),
});
export type OrderItemRow = z.infer<typeof OrderItemRow>;

export const OrderRow = z.object({
  id: z.number(),
  created_at: z.date(),
  status: z.enum(["future", "open", "pending", "closed", "cancelled"]),
  type: z.enum(["delivery", "pickup"]),
  address: z
    .object({
      address: z.string(),
      address2: z.string(),
      city: z.string(),
      state: z.string(),
      zipCode: z.string(),
      instructions: z.string(),
    })
    .nullable(),
  pickup: z
    .object({
      name: z.string(),
      address: z.string(),
      city: z.string(),
      state: z.string(),
      zipCode: z.string(),
      hours: z.string(),
    })
    .nullable(),
  delivery_notes: z.string(),
  items: z.array(OrderItemRow),
  add_on_items: z.array(OrderItemRow).nullable(),
  add_on_total_cents: z.number(),
  add_on_orders: z.array(
    z.object({ id: z.number(), created_at: z.string(), waived_cents: z.number(), order_total_cents: z.number() }),
  ),
  /** The box's delivery fee when it is on an emptied order, and the store credit that pays for it. */
  carried_fee_cents: z.number(),
  carried_credit_cents: z.number(),
  tip_cents: z.number(),
  tax_cents: z.number(),
  card_fee_cents: z.number(),
  delivery_fee_cents: z.number(),
  discount_cents: z.number(),
  waived_cents: z.number(),
  order_total_cents: z.number(),
  credit_cents: z.number(),
  payment_problem: z.enum(PAYMENT_PROBLEMS).nullable(),
  packed: z.enum(PACKED),
  is_paid_at_door: z.boolean(),
  missing: z.array(z.string()),
  refunds: z.object({ done: z.number(), underway: z.number(), by_hand: z.number(), failed: z.number() }),
  day: z.string(),
  cutoff_at: z.date(),
  hub_id: z.number(),
  hub_name: z.string(),
  time_zone: z.string(),
});
export type OrderRow = z.infer<typeof OrderRow>;

/** The lines of the orders that `which` selects, as JSON: titles and prices at purchase, current units and stock. */
const itemsJson = (which: ReturnType<typeof sql>) => sql`(
  select jsonb_agg(jsonb_build_object(
      'order_id', i.order_id, 'quantity', i.quantity, 'bundle_id', i.bundle_id, 'variant_id', i.variant_id, 'variant_title', i.variant_title, ${sizePairs},
      'product_id', p.id, 'product_slug', p.slug, 'product_title', i.product_title, 'picture', ${joinedPicture.pic},
      'list_price_cents', i.list_price_cents, 'sale_price_cents', i.sale_price_cents, 'pre_order_date', to_char(v.pre_order_date, 'YYYY-MM-DD'),
      'inventory', coalesce(f.inventory, 0), 'is_published', coalesce(f.is_published and p.is_published, false),
      'vendor_id', ve.id, 'vendor_slug', ve.slug, 'vendor_name', ve.name, 'vendor_city', ve.city, 'vendor_state', ve.state,
      'vendor_avatar', ${joinedPicture.avatar}) order by i.id)
  from order_item i
  join variant v on v.id = i.variant_id
  join product p on p.id = v.product_id
  join vendor ve on ve.id = i.vendor_id
  left join offer f on f.variant_id = v.id and f.hub_id = o.hub_id
  left join product_picture pp on pp.product_id = p.id and pp.position = 0
  left join picture pic on pic.id = pp.picture_id
  left join picture avatar on avatar.id = ve.avatar_id
  where i.quantity > 0 and ${which})`;

/** An aggregate over the live add-ons of the box `o`. */
const addOns = (figure: ReturnType<typeof sql>) =>
  sql`(select ${figure} from orders a where a.add_on_to_id = o.id and a.status <> 'cancelled')`;

const orderColumns = sql`o.id, o.created_at, o.status, o.type, o.address,
  (select jsonb_build_object('name', pp.name, 'address', pp.address, 'city', pp.city, 'state', pp.state, 'zipCode', pp.zip_code, 'hours', pp.hours)
   from pickup_point pp where pp.id = o.pickup_point_id) as pickup,
  ${boxNotes} as delivery_notes, coalesce(${itemsJson(sql`i.order_id = o.id`)}, '[]') as items,
  ${itemsJson(sql`i.order_id in (select a.id from orders a where a.add_on_to_id = o.id and a.status <> 'cancelled')`)} as add_on_items,
  ${addOns(sql`coalesce(sum(a.order_total_cents - a.delivery_fee_cents)::int, 0)`)} as add_on_total_cents,
  ${addOns(sql`coalesce(sum(a.delivery_fee_cents)::int, 0)`)} as carried_fee_cents,
  ${addOns(sql`coalesce(sum(a.credit_cents) filter (where a.delivery_fee_cents > 0)::int, 0)`)} as carried_credit_cents,
  ${addOns(sql`coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'created_at', a.created_at, 'waived_cents', a.waived_cents, 'order_total_cents', a.order_total_cents)
    order by a.created_at, a.id) filter (where exists (select 1 from order_item i where i.order_id = a.id and i.quantity > 0)), '[]')`)} as add_on_orders,
  o.tip_cents, o.tax_cents, o.card_fee_cents, o.delivery_fee_cents, o.discount_cents, o.waived_cents, o.order_total_cents, o.credit_cents,
  s.payment_problem, s.packed, s.is_paid_at_door, t.missing, t.refunds,
  to_char(d.day, 'YYYY-MM-DD') as day, d.cutoff_at, h.id as hub_id, h.name as hub_name, h.time_zone`;

/**
 * What became of the payment and the items of the box `o`: of all its orders, except that a canceled add-on has no payment. A charge
 * that failed is of a closed day, a hold that was lost of an open one. A charge that the provider or the bank did not answer, or that
 * the market could not take, is no problem of the card: no mail was sent about it.
 */
const boxState = sql`lateral (
  select case when bool_or(b.charge_error = ${UNCONFIRMED} and b.charge_failed_at is not null or b.status in ('future', 'open') and y.state = 'authorized' and y.hold_lost_at is not null and y.unconfirmed_at is not null) then 'bank'
      when bool_or(b.charge_failed_at is not null and ${isMailed(sql`b`)} or b.status in ('future', 'open') and y.state = 'authorized' and y.hold_lost_at is not null) then 'card' end as payment_problem,
    case when coalesce(bool_and(${isPacked(sql`b`)}), true) then 'all' when bool_or(${isPacked(sql`b`)}) then 'part' else 'none' end as packed,
    coalesce(bool_or(y.provider = 'offline' and y.state = 'authorized' and b.written_off_at is null), false) as is_paid_at_door
  from orders b left join payment y on y.id = b.payment_id
  where (b.id = o.id or b.add_on_to_id = o.id) and b.status <> 'cancelled') s
cross join lateral (
  select coalesce((select jsonb_agg(m.item order by a.id, m.place) from orders b join audit_entry a on a.subject = 'order:' || b.id and a.action = 'orders short'
      cross join lateral jsonb_array_elements_text(a.data->'missing') with ordinality as m(item, place)
      where b.id = o.id or b.add_on_to_id = o.id), '[]') as missing,
    (select jsonb_build_object('done', coalesce(sum(r.amount_cents) filter (where ${isGiven(sql`r`)} and r.state <> 'created' and not r.is_by_hand), 0),
        'underway', coalesce(sum(r.amount_cents) filter (where r.state = 'created' and not r.is_by_hand), 0),
        'by_hand', coalesce(sum(r.amount_cents) filter (where ${isGiven(sql`r`)} and r.is_by_hand), 0),
        'failed', coalesce(sum(r.amount_cents) filter (where ${isUnresolved(sql`r`)}), 0))
      from orders b cross join lateral (
        select r.*, r.destination = 'card' and coalesce(p.provider = 'offline', false) as is_by_hand
        from refund r left join payment p on p.id = r.payment_id where r.order_id = b.id) r
      where b.id = o.id or b.add_on_to_id = o.id) as refunds) t`;

/** Orders deleted by an edit are kept but hidden; orders cancelled by an operator stay listed (docs/product.md §8). */
export const visible = sql`not (o.status = 'cancelled' and o.edited_at is not null)`;

/** The customer's order with its add-ons, in one statement. The id of an add-on finds its box. */
export const findOrder = (db: Conn, customerId: CustomerId, orderId: number): Promise<OrderRow | null> =>
  queryOne(
    db,
    sql`select ${orderColumns}
        from orders given
        join orders o on o.id = coalesce(given.add_on_to_id, given.id)
        join delivery d on d.id = o.delivery_id
        join hub h on h.id = o.hub_id
        cross join ${boxState}
        where given.id = ${orderId}::int and given.customer_id = ${customerId}::int and ${visible}`,
    OrderRow,
  );

/**
 * A page of the customer's boxes, latest delivery first, optionally filtered by cutoff date (in the hub's time zone). `total`:
 * the number on all pages.
 */
export async function findOrders(
  db: Conn,
  customerId: CustomerId,
  cutoffDate: string | null,
  page: { rows: number; offset: number },
): Promise<{ orders: OrderRow[]; total: number }> {
  const listed = sql`from orders o join delivery d on d.id = o.delivery_id join hub h on h.id = o.hub_id
        where o.customer_id = ${customerId}::int and o.add_on_to_id is null and ${visible}
          and (${cutoffDate}::date is null or (d.cutoff_at at time zone h.time_zone)::date = ${cutoffDate}::date)`;
  const rows = await query(
    db,
    sql`with page as (
          select o.id, count(*) over ()::int as total ${listed}
          order by d.day desc, o.created_at desc, o.id desc limit ${page.rows}::int offset ${page.offset}::int)
        select ${orderColumns}, page.total from page join orders o on o.id = page.id
        join delivery d on d.id = o.delivery_id join hub h on h.id = o.hub_id
        cross join ${boxState}
        order by d.day desc, o.created_at desc, o.id desc`,
    OrderRow.extend({ total: z.number() }),
  );
  if (rows.length > 0 || page.offset === 0) return { orders: rows, total: rows[0]?.total ?? 0 };
  // A page past the end still returns the total.
  const all = await queryOne(db, sql`select count(*)::int as total ${listed}`, z.object({ total: z.number() }));
  return { orders: [], total: all?.total ?? 0 };
}
