import { type Conn, queryOne, sql } from "@marketday/db";
import { calendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";
import { z } from "zod";

import { SAMPLE_NOW } from "../mail/template.ts";
import { SizeColumns, sizePairs } from "../products/size-store.ts";
import { boxNotes } from "./store.ts";

const OrderRow = z.object({
  /** The order number of the box, which customers see for an order and its add-ons (`docs/product.md` §17). */
  order_id: z.number(),
  /** The day an add-on was ordered, `YYYY-MM-DD` in the market's zone; null: the mail is about the first order, or the whole box. */
  added_on: z.string().nullable(),
  market: z.string(),
  time_zone: z.string(),
  first_name: z.string(),
  type: z.enum(["delivery", "pickup"]),
  status: z.string(),
  /** Whether the hub packs orders that could not be charged (docs/product.md §17). */
  packs_unpaid: z.boolean(),
  day: z.string(),
  cutoff_at: z.date(),
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
  /** Several lines; empty without any. */
  notes: z.string(),
  pickup: z
    .object({ name: z.string(), address: z.string(), city: z.string(), state: z.string(), hours: z.string() })
    .nullable(),
  items: z.array(
    z.object({
      product_title: z.string(),
      variant_title: z.string(),
      ...SizeColumns.shape,
      vendor: z.string(),
      quantity: z.number(),
      cents: z.number(),
      added_on: z.string().nullable(),
    }),
  ),
  items_cents: z.number(),
  discount_cents: z.number(),
  waived_cents: z.number(),
  tip_cents: z.number(),
  tax_cents: z.number(),
  card_fee_cents: z.number(),
  delivery_fee_cents: z.number(),
  order_total_cents: z.number(),
  credit_cents: z.number(),
  /** The amount authorized on the card and not captured yet; 0 without a card. */
  authorized_cents: z.number(),
});
/** `now`: when the mail is sent. */
export type OrderForMail = z.infer<typeof OrderRow> & { now: Date };

/** "Thursday, November 26" of `YYYY-MM-DD`, with the year when it is another one in the order's market. */
export const formatOrderDay = ({ now, time_zone: zone }: OrderForMail, day: string): string =>
  formatLong(calendarDate(day), dateInZone(now, zone));

/**
 * An order for a mail: its own lines and amounts, or (`whole`) those of every order of its box that is not canceled. Null:
 * there is no such order, or the whole box is canceled.
 */
export async function findOrderForMail(
  db: Conn,
  orderId: number,
  whole: boolean,
  now: Date,
): Promise<OrderForMail | null> {
  const row = await queryOne(
    db,
    sql`with requested as (select coalesce(add_on_to_id, id) as box_id from orders where id = ${orderId}::int),
          parts as (
            select m.*, case when m.add_on_to_id is not null then to_char(m.created_at at time zone h.time_zone, 'YYYY-MM-DD') end as added_on
            from requested join orders m on m.id = requested.box_id or m.add_on_to_id = requested.box_id join hub h on h.id = m.hub_id
            where case when ${whole} then m.status <> 'cancelled' else m.id = ${orderId}::int end)
        select o.id as order_id, case when ${whole} then null else (select added_on from parts) end as added_on,
          h.name as market, h.time_zone, coalesce(c.first_name, '') as first_name, o.type, o.status, h.pack_unpaid as packs_unpaid,
          to_char(d.day, 'YYYY-MM-DD') as day, d.cutoff_at,
          case when o.address is null then null else jsonb_build_object('address', o.address->>'address', 'address2', coalesce(o.address->>'address2', ''),
            'city', o.address->>'city', 'state', o.address->>'state', 'zipCode', o.address->>'zipCode',
            'instructions', coalesce(o.address->>'instructions', '')) end as address,
          case when ${whole} then ${boxNotes} else (select delivery_notes from parts) end as notes,
          (select jsonb_build_object('name', p.name, 'address', p.address, 'city', p.city, 'state', p.state, 'hours', p.hours)
           from pickup_point p where p.id = o.pickup_point_id) as pickup,
          (select coalesce(jsonb_agg(jsonb_build_object('product_title', i.product_title, 'variant_title', i.variant_title, ${sizePairs}, 'added_on', m.added_on,
             'vendor', ve.name, 'quantity', i.quantity, 'cents', i.quantity * i.unit_price_cents)
             order by m.add_on_to_id nulls first, m.created_at, m.id, ve.name, i.id), '[]')
           from parts m join order_item i on i.order_id = m.id join variant v on v.id = i.variant_id
             join vendor ve on ve.id = i.vendor_id where i.quantity > 0) as items,
          total.*,
          coalesce((select sum(y.amount_cents)::int from parts m join payment y on y.id = m.payment_id
            where y.provider <> 'offline' and y.state = 'authorized'), 0) as authorized_cents
        from requested join orders o on o.id = requested.box_id
        join (select sum(items_cents)::int as items_cents, sum(discount_cents)::int as discount_cents, sum(waived_cents)::int as waived_cents, sum(tip_cents)::int as tip_cents,
            sum(tax_cents)::int as tax_cents, sum(card_fee_cents)::int as card_fee_cents, sum(delivery_fee_cents)::int as delivery_fee_cents,
            sum(order_total_cents)::int as order_total_cents, sum(credit_cents)::int as credit_cents
          from parts having count(*) > 0) total on true
        join hub h on h.id = o.hub_id join delivery d on d.id = o.delivery_id left join customer c on c.id = o.customer_id`,
    OrderRow,
  );
  return row && { ...row, now };
}

const noMeasure = { measure: null, measure_amount: null };
/** Made-up items, for the preview of mails. */
export const sampleLines = [
  { product_title: "Free-range eggs", variant_title: "Dozen", unit: "dozen", ...noMeasure },
  { product_title: "Sourdough", variant_title: "Large loaf", unit: "2 lb", ...noMeasure },
] as const;

/** A made-up order, for the preview of mails about one. */
export const sampleOrder: OrderForMail = {
  now: SAMPLE_NOW,
  order_id: 482_913_077,
  added_on: null,
  market: "Carmel market",
  time_zone: "America/Indiana/Indianapolis",
  first_name: "Rosa",
  type: "delivery",
  status: "open",
  packs_unpaid: true,
  day: "2026-11-26",
  cutoff_at: new Date("2026-11-25T06:00:00Z"),
  address: {
    address: "12 Main Street",
    address2: "",
    city: "Carmel",
    state: "IN",
    zipCode: "46032",
    instructions: "The blue door behind the barn",
  },
  notes: "Gate code 4471\nLeave it in the cooler",
  pickup: null,
  items: [
    { ...sampleLines[0], vendor: "Sugar Creek Farm", quantity: 2, cents: 1300, added_on: null },
    { ...sampleLines[1], vendor: "Two Rivers Bakery", quantity: 1, cents: 875, added_on: "2026-11-23" },
  ],
  items_cents: 2175,
  discount_cents: 200,
  waived_cents: 0,
  tip_cents: 218,
  tax_cents: 138,
  card_fee_cents: 95,
  delivery_fee_cents: 895,
  order_total_cents: 3321,
  credit_cents: 0,
  authorized_cents: 3321,
};
