import { type Conn, join, query, queryOne, type Sql, sql } from "@marketday/db";
import { addMs, Day } from "@marketday/domain/time";
import { ANSWER_LATE_MS } from "@marketday/domain/today";
import { z } from "zod";

import { isClosedDate } from "../hubs/delivery-sql.ts";
import { failuresAt } from "../job-failures/failure-sql.ts";
import { isReversed } from "../ledger/payout-sql.ts";
import { collectCents, isPacked } from "../orders/box-state-sql.ts";
import { isUnresolved } from "../payments/refund-sql.ts";
import { weekDays, WeekRow } from "../week/week-sql.ts";

/** Markets: all of them, or those with these ids. */
export type HubScope = "all" | readonly number[];

/** Hubs that are read: those of the scope, and only the one that was requested (slug or id). */
export interface HubFilter {
  scope: HubScope;
  hub: string | null;
}

/** The condition that hub `h` meets a filter. */
const meets = (h: Sql, { scope, hub }: HubFilter): Sql =>
  join(
    [
      scope === "all" ? sql`true` : sql`${h}.id = any(${[...scope]}::int[])`,
      hub === null ? sql`true` : sql`(${h}.slug = ${hub} or ${h}.id::text = ${hub})`,
    ],
    " and ",
  );

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
  vendors: z.number(),
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

/** Older days are not read for what vendors are owed, unless they are the last ones of their hubs. */
const UNPAID_MS = 60 * Day.ms;

/** The last day up to which vendors were paid. */
const paidUntil = sql`(select max((a.data->>'to')::date) from (
            select t.id from ledger_transaction t where t.kind = 'payout' and exists (select 1 from audit_entry x where x.subject = 'payout:' || t.id and x.action = 'ledger payouts')
            order by t.created_at desc limit 1) last join audit_entry a on a.subject = 'payout:' || last.id and a.action = 'ledger payouts')`;

/** Every hub: the vendors of the whole market are read. */
const isWhole = ({ scope, hub }: HubFilter): boolean => scope === "all" && hub === null;

/**
 * Queries about the payouts of closed days, for hubs `h` that meet the filter: `payouts` by delivery, `unpaid` of all. A share is paid
 * when a payout that was not reversed was booked after the day's cutoff had begun, for days up to this one or later
 * (`findCoveringPayout`), or when the vendor is owed nothing for days up to this one, as after an overpayment: a payout would book
 * nothing (`payVendors`). `unpaid` is what a payout of all closed days would pay (`findDues`): to the vendors with an unpaid share in a
 * day after the last payout (of `UNPAID_MS` at most) or in the last closed day of a hub and, in the whole market, to those whose last
 * payout was reversed; in one hub not more than their shares in it.
 */
const payoutQueries = (hubs: HubFilter, now: Date): Sql => sql`
        closed as materialized (
          select d.id, d.day, r.started_at from delivery d join hub h on h.id = d.hub_id join delivery_run r on r.delivery_id = d.id and r.step = 'cutoff'
          where ${meets(sql`h`, hubs)} and (d.id in (select id from week) or d.day > greatest(${paidUntil}, ${addMs(now, -UNPAID_MS)}::timestamptz::date))
            and exists (select 1 from delivery_run c where c.delivery_id = d.id and c.step = 'close' and c.state <> 'running')),
        payable as materialized (select max(day) as last, coalesce(max(day), ${now}::timestamptz::date) as until from closed),
        paid as materialized (
          select e.vendor_id, t.created_at, (a.data->>'to')::date as until
          from ledger_transaction t join ledger_entry e on e.transaction_id = t.id and e.account = 'payouts' and e.amount_cents > 0
          join audit_entry a on a.subject = 'payout:' || t.id and a.action = 'ledger payouts'
          where t.kind = 'payout' and t.created_at >= (select min(started_at) from closed) and not ${isReversed(sql`t.id`, sql`e.vendor_id`)}),
        shares as materialized (
          select c.id, c.day, e.vendor_id, sum(e.amount_cents)::float8 as cents,
            (select min(x.created_at) from paid x where x.vendor_id = e.vendor_id and x.created_at >= c.started_at and x.until >= c.day) as paid_at
          from closed c join orders o on o.delivery_id = c.id
          -- "offset 0": the orders of these days are few of all that the ledger has.
          cross join lateral (
            select e.vendor_id, e.amount_cents from ledger_transaction t join ledger_entry e on e.transaction_id = t.id
            where t.order_id = o.id and e.account = 'vendor' offset 0) e
          group by c.id, c.started_at, c.day, e.vendor_id having sum(e.amount_cents) > 0),
        owing as materialized (
          select vendor_id, sum(cents) as share_cents from shares where paid_at is null group by vendor_id
          ${
            isWhole(hubs)
              ? sql`union all
          select e.vendor_id, null from ledger_entry e where e.account = 'payouts' and e.amount_cents < 0
            and not exists (select 1 from ledger_entry x where x.account = 'payouts' and x.vendor_id = e.vendor_id and x.amount_cents > 0 and x.id > e.id)
            and not exists (select 1 from shares s where s.vendor_id = e.vendor_id and s.paid_at is null)
          group by e.vendor_id`
              : sql``
          }),
        booked as materialized (
          select w.vendor_id, w.share_cents, (select sum(e.amount_cents) from ledger_entry e where e.account = 'vendor' and e.vendor_id = w.vendor_id)::float8 as cents
          from owing w),
        -- What a payout leaves out: orders of later days, and those that still take changes.
        later as materialized (
          select e.vendor_id, d.day, o.status in ('pending', 'closed', 'cancelled') as is_final, sum(e.amount_cents)::float8 as cents
          from delivery d join orders o on o.delivery_id = d.id
          cross join lateral (
            select e.vendor_id, e.amount_cents from ledger_transaction t join ledger_entry e on e.transaction_id = t.id
            where t.order_id = o.id and e.account = 'vendor' offset 0) e
          where exists (select 1 from owing) and d.day > ${addMs(now, -UNPAID_MS)}::timestamptz::date
            and d.day >= least((select min(s.day) from shares s where s.paid_at is null and s.id in (select id from week)), (select until from payable))
          group by e.vendor_id, d.day, is_final),
        payouts as (
          select id, count(*)::int as vendors, count(*) filter (where is_paid)::int as paid, max(paid_at) as paid_at,
            coalesce(sum(least(cents, due_cents)) filter (where not is_paid), 0) as unpaid_cents
          from (
            select s.*, y.due_cents, s.paid_at is not null or y.due_cents <= 0 as is_paid
            from shares s left join lateral (
              select b.cents - coalesce((select sum(l.cents) from later l where l.vendor_id = s.vendor_id and (l.day > s.day or not l.is_final)), 0) as due_cents
              from booked b where b.vendor_id = s.vendor_id and s.paid_at is null) y on true
            where s.id in (select id from week)) share
          group by id),
        unpaid as materialized (
          select count(*)::int as vendors, coalesce(sum(cents), 0) as cents from (
            select ${isWhole(hubs) ? sql`due.cents` : sql`least(b.share_cents, due.cents)`} as cents
            from booked b cross join payable cross join lateral (
              select b.cents - coalesce((select sum(l.cents) from later l where l.vendor_id = b.vendor_id and (l.day > payable.until or not l.is_final)), 0) as cents) due
          ) vendor where cents > 0)`;
const NO_PAYOUTS = sql`
        payouts as (select null::int as id, 0 as vendors, 0 as paid, null::timestamptz as paid_at, 0::float8 as unpaid_cents where false),
        payable as (select null::date as last),
        unpaid as (select 0 as vendors, 0::float8 as cents)`;

const isRead = ({ scope }: HubFilter): boolean => scope === "all" || scope.length > 0;

/**
 * The delivery days of these hubs with everything that the board shows, by day and hub. A box is delivered when none of its live orders
 * is pending or open. After the cutoff, boxes are those of the sheets (`freezeBoxes`): packed, and with an item. Order numbers and totes are read from the beginning of the delivery day on, by the hub's clock.
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
          (select count(distinct l.vendor_id)::int from snapshot_line l where l.snapshot_id = w.snapshot_id) as vendors,
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

/** By count, the hubs for which it is read; absent: it is not. `market`: counts of the whole market. */
export interface CountScopes {
  /** Hubs that the person may see at all. */
  seen: HubFilter;
  inbox: HubFilter;
  stock: HubFilter;
  money: HubFilter;
  applications: boolean;
  system: boolean;
}

const counted = { count: z.number(), since: z.coerce.date().nullable() };
const Counted = z.object(counted).nullable();
const CountsRow = z.object({
  /** How many hubs meet the filter of what the person may see. */
  hubs: z.number(),
  /** The market's date: of its first published hub, else in UTC. */
  market_date: z.string(),
  problems: Counted,
  questions: Counted,
  messages: Counted,
  applications: Counted,
  watched: Counted,
  declined: Counted,
  to_collect: z.object({ ...counted, cents: z.number() }).nullable(),
  refunds: Counted,
  disputes: Counted,
  mails: Counted,
  jobs: Counted,
  facts: z.record(z.string(), z.record(z.string(), z.unknown())),
});
export type CountsRow = z.infer<typeof CountsRow>;

/** Rows and since when the oldest one is there; null unless `isRead`. */
const counting = (isRead: boolean, since: Sql, from: Sql): Sql =>
  isRead ? sql`(select json_build_object('count', count(*), 'since', min(${since})) ${from})` : sql`null::json`;

/** Applications count as new for so long: nothing records which of them were answered. */
const APPLICATIONS_MS = 7 * Day.ms;

/** Sold-out lines `ci` of carts whose shoppers watch them, with the offer `o` of the shopper's hub `h`. */
const watchedSoldOut = sql`cart_item ci join cart k on k.id = ci.cart_id join customer c on c.id = k.customer_id and c.deleted_at is null
          join variant v on v.id = ci.variant_id join product p on p.id = v.product_id and p.is_published join vendor ve on ve.id = p.vendor_id and ve.is_published
          join offer o on o.variant_id = v.id and o.hub_id = c.hub_id and o.is_published and o.inventory = 0 join hub h on h.id = o.hub_id`;

const WatchedRow = z.object({
  variant_id: z.number(),
  product: z.string(),
  variant: z.string(),
  vendor: z.string(),
  hub: z.string(),
  watchers: z.number(),
  sold_out_at: z.date().nullable(),
});

/** Sold-out items that shoppers watch, the most watched first: of one hub (slug or id), or of all. */
export const findWatched = (db: Conn, hub: string | null): Promise<z.infer<typeof WatchedRow>[]> =>
  query(
    db,
    sql`select v.id as variant_id, p.title as product, v.title as variant, ve.slug as vendor, h.slug as hub, count(distinct c.id)::int as watchers, o.sold_out_at
        from ${watchedSoldOut} where ci.watching and ${meets(sql`h`, { scope: "all", hub })}
        group by o.id, v.id, p.id, ve.id, h.id order by watchers desc, h.slug, ve.slug, p.title, v.id`,
    WatchedRow,
  );

/** The counts below the board in one statement, and the stored facts of the market's health. Cents. */
export const findCounts = async (db: Conn, scopes: CountScopes, now: Date): Promise<CountsRow> => {
  const { seen, inbox, stock, money } = scopes;
  const dayAgo = addMs(now, -ANSWER_LATE_MS);
  const row = await queryOne(
    db,
    sql`with market_day as (
          select coalesce((select (${now}::timestamptz at time zone time_zone)::date from hub where is_published order by id limit 1), (${now}::timestamptz at time zone 'UTC')::date) as day)
        select (select count(*)::int from hub h where ${meets(sql`h`, seen)}) as hubs, (select to_char(day, 'YYYY-MM-DD') from market_day) as market_date,
          ${counting(isRead(inbox), sql`r.created_at`, sql`from problem_report r join orders o on o.id = r.order_id join hub h on h.id = o.hub_id where r.status = 'open' and ${meets(sql`h`, inbox)}`)} as problems,
          ${counting(
            isRead(inbox),
            sql`q.created_at`,
            sql`from question q join customer c on c.id = q.customer_id left join hub h on h.id = c.hub_id
              where q.answer is null and q.created_at <= ${dayAgo} and ${meets(sql`h`, inbox)}`,
          )} as questions,
          ${counting(
            isRead(inbox),
            sql`m.created_at`,
            sql`from thread t join customer c on c.id = t.customer_id left join hub h on h.id = c.hub_id
              cross join lateral (select x.sender, x.created_at from message x where x.thread_id = t.id order by x.created_at desc, x.id desc limit 1) m
              where m.sender = 'C' and m.created_at <= ${dayAgo} and ${meets(sql`h`, inbox)}`,
          )} as messages,
          ${counting(scopes.applications, sql`l.created_at`, sql`from lead l where l.kind in ('vendor', 'driver', 'job') and l.created_at > ${addMs(now, -APPLICATIONS_MS)}`)} as applications,
          ${counting(
            isRead(stock),
            sql`w.since`,
            sql`from (
              select o.id, o.sold_out_at as since from ${watchedSoldOut}
              where ci.watching and ${meets(sql`h`, stock)} group by o.id) w`,
          )} as watched,
          ${counting(isRead(money), sql`o.charge_failed_at`, sql`from orders o join hub h on h.id = o.hub_id where o.charge_failed_at is not null and ${meets(sql`h`, money)}`)} as declined,
          ${
            isRead(money)
              ? sql`(select json_build_object('count', count(*), 'since', null, 'cents', coalesce(sum(d.cents), 0)) from (
              select coalesce(o.add_on_to_id, o.id) as id, sum(${collectCents}) as cents from (
                select id from orders where charge_failed_at is not null
                union select x.id from payment p join orders x on x.payment_id = p.id where p.provider = 'offline' and p.state = 'authorized') open
              join orders o on o.id = open.id join hub h on h.id = o.hub_id left join payment y on y.id = o.payment_id
              where o.status in ('pending', 'closed') and ${isPacked(sql`o`)} and ${meets(sql`h`, money)} group by 1) d where d.cents > 0)`
              : sql`null::json`
          } as to_collect,
          ${counting(
            isRead(money),
            sql`r.done_at`,
            sql`from refund r left join orders o on o.id = r.order_id left join hub h on h.id = o.hub_id
              where ${isUnresolved(sql`r`)} and r.payment_id is not null and ${meets(sql`h`, money)}`,
          )} as refunds,
          ${counting(
            isRead(money),
            sql`d.created_at`,
            sql`from dispute d left join lateral (select o.hub_id from orders o where o.payment_id = d.payment_id order by o.id limit 1) o on true left join hub h on h.id = o.hub_id
              where d.closed_at is null and (d.status like '%needs_response' or d.status = 'fraud_warning') and ${meets(sql`h`, money)}`,
          )} as disputes,
          ${counting(scopes.system, sql`coalesce(m.next_at, m.created_at)`, sql`from mail m where m.sent_at is null and (m.next_at is null or m.next_at <= ${now})`)} as mails,
          ${counting(scopes.system, sql`f.since`, sql`from (${failuresAt(now)}) f where f.job <> 'mail'`)} as jobs,
          coalesce((select json_object_agg(key, value) from market_fact where key in ('doctor', 'backup')), '{}') as facts`,
    CountsRow,
  );
  if (!row) throw new Error("no counts");
  return row;
};
