import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

import { isClosedDate } from "../hubs/delivery-sql.ts";
import { collectCents, isPacked } from "../orders/box-state-sql.ts";
import { weekDays, WeekRow } from "../week/week-sql.ts";
import { NO_PAYOUTS, payoutQueries } from "./day-payouts-sql.ts";
import { type HubFilter, isRead, meets } from "./hub-filter-sql.ts";

/** Boxes or orders by their numbers; totes ascending. Null on days for which they are not read. */
const boxColumns = { orders: z.array(z.number()), totes: z.array(z.number()), cents: z.number() };
const BoardRow = WeekRow.extend({
  slug: z.string(),
  name: z.string(),
  time_zone: z.string(),
  boxes: z.number(),
  delivered_boxes: z.number(),
  delivered_at: z.date().nullable(),
  open_orders: z.number(),
  auto_wanted: z.number(),
  auto_ordered: z.number(),
  sheets_at: z.date().nullable(),
  had_sheets: z.boolean(),
  vendors: z.object({ all: z.number(), arrived: z.number(), at: z.string().nullable() }),
  /** Counted shortages that are to be settled, and the first of them. */
  shorts: z.object({
    count: z.number(),
    first: z
      .object({
        vendor: z.string(),
        variantId: z.number(),
        came: z.number(),
        of: z.number(),
        refundTo: z.string(),
        bearer: z.string(),
        isByHand: z.boolean(),
      })
      .nullable(),
  }),
  declined: z.object({ orders: boxColumns.orders, cents: boxColumns.cents }),
  to_collect: z.object(boxColumns),
  undelivered: z.object(boxColumns),
  pace_before: z.number().nullable(),
  payout_vendors: z.number(),
  payout_paid: z.number(),
  payout_at: z.date().nullable(),
  payout_unpaid_cents: z.number(),
  /** Of all closed days whose payouts are read, the same in each row; `payable_until`: the last of them. */
  unpaid_vendors: z.number(),
  unpaid_cents: z.number(),
  payable_until: z.string().nullable(),
});
export type BoardRow = z.infer<typeof BoardRow>;

/** Outcomes of the automatic checkout that placed an order, and those of customers who wanted none. */
const ORDERED = sql`('placed', 'short')`;
const NOT_WANTED = sql`('nothing', 'already', 'elsewhere', 'off', 'moved', 'skipped', 'not_due', 'closed')`;

/**
 * The delivery days of these hubs with everything that the board shows, by day and hub. A box is delivered when none of its live orders
 * is pending or open. After the cutoff, boxes are those of the sheets (`freezeBoxes`): packed, and with an item. Order numbers and totes
 * are read from the beginning of the delivery day on, by the hub's clock.
 * @param payouts hubs of which the payouts are read
 */
export const findBoard = (
  db: Conn,
  { hubs, payouts }: { hubs: HubFilter; payouts: HubFilter },
  now: Date,
): Promise<BoardRow[]> =>
  query(
    db,
    sql`with week as materialized (${weekDays(meets(sql`h`, hubs), now)}),
        ${isRead(payouts) ? payoutQueries(payouts, now) : NO_PAYOUTS}
        select w.*, h.slug, h.name, h.time_zone, b.boxes, b.delivered_boxes, b.delivered_at, b.open_orders, a.auto_wanted, a.auto_ordered,
          (select p.planned_at from route_plan p where p.snapshot_id = w.snapshot_id) as sheets_at,
          exists (select 1 from snapshot v join route_plan p on p.snapshot_id = v.id where v.delivery_id = w.id) as had_sheets,
          (select json_build_object('all', count(*), 'arrived', count(r.arrived_at), 'at', max(r.arrived_at))
            from (select distinct l.vendor_id from snapshot_line l where l.snapshot_id = w.snapshot_id) v
            left join vendor_arrival r on r.delivery_id = w.id and r.vendor_id = v.vendor_id) as vendors,
          (select json_build_object('count', count(*), 'first', (array_agg(json_build_object('vendor', ve.slug, 'variantId', x.variant_id, 'came', x.came,
              'of', x."of", 'refundTo', x.refund_to, 'bearer', x.bearer,
              'isByHand', x.gets is not null) order by x.id))[1])
            from shortage x join variant v on v.id = x.variant_id join product p on p.id = v.product_id join vendor ve on ve.id = p.vendor_id
            where x.delivery_id = w.id and x.state = 'counted') as shorts,
          (select json_build_object('orders', coalesce(json_agg(o.id order by o.id), '[]'), 'cents', coalesce(sum(o.order_total_cents - o.credit_cents), 0))
            from orders o where o.delivery_id = w.id and o.charge_failed_at is not null) as declined,
          json_build_object('cents', b.collect_cents, 'orders', array_to_json(b.collect_ids), 'totes', array(
            select x.tote from snapshot_box x where x.snapshot_id = w.snapshot_id and x.order_id = any(b.collect_ids) order by x.tote)) as to_collect,
          json_build_object('cents', 0, 'orders', array_to_json(b.pending_ids), 'totes', array(
            select x.tote from snapshot_box x where x.snapshot_id = w.snapshot_id and x.order_id = any(b.pending_ids) order by x.tote)) as undelivered,
          case when w.cutoff_at > ${now} and w.snapshot_id is null then (
            select count(distinct coalesce(o.add_on_to_id, o.id))::int from orders o where o.delivery_id = before.id
              and o.created_at <= before.until and (o.cancelled_at is null or o.cancelled_at > before.until)
              having before.id is not null) end as pace_before,
          coalesce(y.vendors, 0) as payout_vendors, coalesce(y.paid, 0) as payout_paid, y.paid_at as payout_at, coalesce(y.unpaid_cents, 0) as payout_unpaid_cents,
          u.vendors as unpaid_vendors, u.cents as unpaid_cents, to_char(payable.last, 'YYYY-MM-DD') as payable_until
        from week w cross join unpaid u cross join payable join hub h on h.id = w.hub_id
        cross join lateral (select w.day::date <= (${now}::timestamptz at time zone h.time_zone)::date as has_begun) clock
        cross join lateral (
          select count(*) filter (where is_boxed)::int as boxes, count(*) filter (where is_boxed and not is_pending and open_orders = 0)::int as delivered_boxes,
            max(closed_at) as delivered_at, coalesce(sum(open_orders), 0)::int as open_orders,
            coalesce(array_agg(id order by id) filter (where is_pending and is_boxed and clock.has_begun), '{}') as pending_ids,
            coalesce(array_agg(id order by id) filter (where collect_cents > 0 and clock.has_begun), '{}') as collect_ids,
            coalesce(sum(collect_cents), 0)::int as collect_cents
          from (
            select coalesce(o.add_on_to_id, o.id) as id, bool_or(o.status = 'pending') as is_pending,
              bool_or(o.status in ('open', 'future') or (${isPacked(sql`o`)} and exists (select 1 from order_item i where i.order_id = o.id and i.quantity > 0))) as is_boxed, max(o.closed_at) as closed_at,
              count(*) filter (where o.status in ('open', 'future')) as open_orders,
              sum(case when o.status in ('pending', 'closed') and ${isPacked(sql`o`)} then ${collectCents} else 0 end) as collect_cents
            from orders o left join payment y on y.id = o.payment_id where o.delivery_id = w.id and o.status <> 'cancelled' group by 1) box) b
        cross join lateral (
          select count(*) filter (where r.outcome in ${ORDERED})::int as auto_ordered,
            count(*) filter (where r.outcome is null or r.outcome not in ${NOT_WANTED})::int as auto_wanted
          from auto_checkout_result r where r.delivery_id = w.id) a
        left join lateral (
          select x.id, x.cutoff_at - (w.cutoff_at - ${now}::timestamptz) as until
          from delivery x where x.hub_id = w.hub_id and x.day = w.day::date - 7 and not ${isClosedDate(sql`x`)}) before on true
        left join payouts y on y.id = w.id
        order by w.day, h.name, h.id, w.id`,
    BoardRow,
  );
