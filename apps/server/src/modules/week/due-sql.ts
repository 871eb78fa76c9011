import { type Conn, pauses, query, sql } from "@marketday/db";
import { z } from "zod";

import { takesOrders } from "../hubs/delivery-sql.ts";
import { isAbandoned } from "../payments/purchase-sql.ts";
import { isReminderDue, isRenewalDue } from "../wagon-pass/pass-sql.ts";

const DueRow = z.object({
  job: z.string(),
  /** The action in words. */
  what: z.string(),
  /** The number of orders, carts, customers or mails. */
  count: z.number(),
  market: z.string().nullable(),
  /** The delivery day, `YYYY-MM-DD`. */
  day: z.string().nullable(),
});
export type DueWork = z.infer<typeof DueRow>;

/**
 * The work the jobs would do as of `now` (`market jobs run --dry-run`). `clock` is the real time, which decides about leases and
 * mails; `leaseEnded` and `holdEnded` are before it (interrupted requests, challenges of a bank). `graceEnded` and `soon` are ten
 * minutes before `now` (waiting cutoffs) and a day after it (reminders).
 */
export const findDueWork = (
  db: Conn,
  {
    now,
    clock,
    leaseEnded,
    holdEnded,
    graceEnded,
    soon,
  }: Record<"now" | "clock" | "leaseEnded" | "holdEnded" | "graceEnded" | "soon", Date>,
): Promise<DueWork[]> =>
  query(
    db,
    sql`with days as (
          select d.*, h.name as market, h.time_zone, h.is_published, to_char(d.day, 'YYYY-MM-DD') as day_text,
            row_number() over (partition by d.hub_id, ${takesOrders(sql`d`, now)} order by d.cutoff_at) as place, ${takesOrders(sql`d`, now)} as takes_orders,
            (select coalesce(jsonb_object_agg(r.step, r.state), '{}') from delivery_run r where r.delivery_id = d.id) as runs
          from delivery d join hub h on h.id = d.hub_id),
        next as (select * from days where takes_orders and place = 1),
        work as (
          select 10 as rank, cutoff_at as at, 'week' as job, 'close orders' as what, market, day_text as day,
            (select count(*)::int from orders o where o.delivery_id = days.id and o.status in ('open', 'future')) as count
          from days where cutoff_at <= ${now} and coalesce(runs->>'cutoff', 'running') = 'running'
            and (cutoff_at <= ${graceEnded} or not exists (
              select 1 from checkout_attempt a where a.hub_id = days.hub_id and a.state in ('held', 'challenge')
                and a.plan->'orders' @> jsonb_build_array(jsonb_build_object('deliveryId', days.id))))
          union all
          select 11, cutoff_at, 'week', 'charge orders', market, day_text,
            (select count(*)::int from orders o left join payment y on y.id = o.payment_id
             where o.delivery_id = days.id and o.status in ('open', 'future') and o.order_total_cents > o.credit_cents
               and (y.id is null or (y.provider <> 'offline' and y.state <> 'captured')))
          from days where cutoff_at <= ${now} and coalesce(runs->>'cutoff', 'running') = 'running'
          union all
          select 20, cutoff_at, 'week', 'open a cycle and fill carts', market, day_text,
            (select count(*)::int from customer c where c.hub_id = next.hub_id and c.deleted_at is null
              and (exists (select 1 from subscription s where s.customer_id = c.id) or exists (select 1 from bundle_subscription s where s.customer_id = c.id)))
          from next where coalesce(runs->>'open', 'running') = 'running'
          union all
          select 30, cutoff_at, 'week', 'mark orders delivered', market, day_text,
            (select count(*)::int from orders o where o.delivery_id = days.id and o.status in ('pending', 'open', 'future'))
          from days where ((days.day + 1)::timestamp at time zone time_zone) <= ${now} and coalesce(runs->>'close', 'running') = 'running'
          union all
          select 40, auto_checkout_at, 'auto-checkout', 'order for customers', market, day_text,
            case when runs ? 'auto_checkout'
              then (select count(*)::int from auto_checkout_result r where r.delivery_id = next.id and r.done_at is null
                and not ${pauses("auto-checkout", sql`r.delivery_id || ':' || r.customer_id`, sql`${clock}::timestamptz`)})
              else (select count(*)::int from customer c where c.hub_id = next.hub_id and c.auto_checkout_status > 0 and c.deleted_at is null) end
          from next where is_published and auto_checkout_at <= ${now} and coalesce(runs->>'auto_checkout', 'running') = 'running'
          union all
          select 41, auto_checkout_at, 'auto-checkout', 'give up automatic checkout', market, day_text,
            (select count(*)::int from customer c where c.hub_id = days.hub_id and c.auto_checkout_status > 0 and c.deleted_at is null)
          from days where cutoff_at <= ${now} and coalesce(runs->>'auto_checkout', 'running') = 'running'
            and (runs ? 'auto_checkout' or is_published and exists (
              select 1 from delivery_run x join delivery y on y.id = x.delivery_id
              where y.hub_id = days.hub_id and x.started_at <= days.auto_checkout_at))
          union all
          select 50, auto_checkout_at, 'reminders', 'remind of automatic checkout', market, day_text,
            (select count(*)::int from customer c where c.hub_id = next.hub_id and c.auto_checkout_status > 0 and c.deleted_at is null and c.subscribed_all_messages)
          from next where is_published and auto_checkout_at > ${now} and auto_checkout_at <= ${soon} and coalesce(runs->>'remind_auto_checkout', 'running') = 'running'
          union all
          select 51, cutoff_at, 'reminders', 'remind to order', market, day_text,
            (select count(distinct c.id)::int from customer c join cart k on k.customer_id = c.id join cart_item ci on ci.cart_id = k.id
             where c.hub_id = next.hub_id and c.auto_checkout_status = 0 and c.deleted_at is null and c.subscribed_all_messages)
          from next where is_published and cutoff_at > ${now} and cutoff_at <= ${soon} and coalesce(runs->>'remind_order_by', 'running') = 'running'
          union all
          select 60, null, 'checkouts', 'finish interrupted checkouts', null, null,
            (select count(*)::int from checkout_attempt
             where (state = 'held' and lease_until <= ${clock}) or (state = 'challenge' and expires_at <= ${clock}))
          union all
          select 61, null, 'wagon-passes', 'renew wagon passes', null, null,
            (select count(*)::int from wagon_pass where ${isRenewalDue(now)})
          union all
          select 61, null, 'wagon-passes', 'remind of renewals of wagon passes', null, null,
            (select count(*)::int from wagon_pass where ${isReminderDue(now)})
          union all
          select 62, null, 'purchases', 'finish interrupted purchases', null, null,
            (select count(*)::int from payment where ${isAbandoned(leaseEnded, holdEnded)})
          union all
          select 63, null, 'refunds', 'retry refunds', null, null,
            (select count(*)::int from refund where destination = 'card' and state = 'created' and created_at <= ${leaseEnded})
          union all
          select 64, null, 'delete-provider-customers', 'delete former customers at the payment provider', null, null,
            (select count(*)::int from customer where deleted_at is not null and stripe_customer_id is not null)
          union all
          select 65, null, 'charges', 'charge orders again', null, null,
            (select count(*)::int from orders where charge_next_at <= ${now} and charge_failed_at is not null)
          union all
          select 70, null, 'mail', 'send mails', null, null,
            (select count(*)::int from mail m where sent_at is null and (next_at is null or next_at <= ${clock}) and not ${pauses("mail", sql`m.id`)}))
        select job, what, count, market, day from work where count > 0 or rank in (10, 20, 30, 40) order by rank, at, market`,
    DueRow,
  );
