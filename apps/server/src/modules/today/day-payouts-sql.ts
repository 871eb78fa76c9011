import { type Sql, sql } from "@marketday/db";
import { addMs, Day } from "@marketday/domain/time";

import { isReversed } from "../ledger/payout-sql.ts";
import { type HubFilter, meets } from "./hub-filter-sql.ts";

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
export const payoutQueries = (hubs: HubFilter, now: Date): Sql => sql`
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
/** The same for a person who may not see them. */
export const NO_PAYOUTS = sql`
        payouts as (select null::int as id, 0 as vendors, 0 as paid, null::timestamptz as paid_at, 0::float8 as unpaid_cents where false),
        payable as (select null::date as last),
        unpaid as (select 0 as vendors, 0::float8 as cents)`;
