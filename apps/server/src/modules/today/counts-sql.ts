import { type Conn, query, queryOne, type Sql, sql } from "@marketday/db";
import { addMs, Day } from "@marketday/domain/time";
import { ANSWER_LATE_MS } from "@marketday/domain/today";
import { z } from "zod";

import { isClosed } from "../answers/answer-sql.ts";
import { failuresAt } from "../job-failures/failure-sql.ts";
import { collectCents, isPacked } from "../orders/box-state-sql.ts";
import { isUnresolved } from "../payments/refund-sql.ts";
import { type HubFilter, isRead, meets } from "./hub-filter-sql.ts";

/** By count, the hubs for which it is read; absent: it is not. `market`: counts of the whole market. */
export interface CountScopes {
  /** Hubs that the person may see at all. */
  seen: HubFilter;
  shorts: HubFilter;
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
  shorts: Counted,
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

/** Applications count as new for so long, unless the staff answered or closed them in the inbox. */
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
  const { seen, shorts, inbox, stock, money } = scopes;
  const dayAgo = addMs(now, -ANSWER_LATE_MS);
  const row = await queryOne(
    db,
    sql`with market_day as (
          select coalesce((select (${now}::timestamptz at time zone time_zone)::date from hub where is_published order by id limit 1), (${now}::timestamptz at time zone 'UTC')::date) as day)
        select (select count(*)::int from hub h where ${meets(sql`h`, seen)}) as hubs, (select to_char(day, 'YYYY-MM-DD') from market_day) as market_date,
          ${counting(
            isRead(shorts),
            sql`x.counted_at`,
            sql`from shortage x join delivery d on d.id = x.delivery_id join hub h on h.id = d.hub_id
              where x.state = 'counted' and d.cutoff_at <= ${now} and ${meets(sql`h`, shorts)}`,
          )} as shorts,
          ${counting(isRead(inbox), sql`r.created_at`, sql`from problem_report r join orders o on o.id = r.order_id join hub h on h.id = o.hub_id where r.status = 'open' and ${meets(sql`h`, inbox)}`)} as problems,
          ${counting(
            isRead(inbox),
            sql`q.created_at`,
            sql`from question q join customer c on c.id = q.customer_id left join hub h on h.id = c.hub_id
              where q.answer is null and q.hidden_at is null and q.created_at <= ${dayAgo} and not ${isClosed("question", sql`q.id`, sql`q.created_at`)} and ${meets(sql`h`, inbox)}`,
          )} as questions,
          ${counting(
            isRead(inbox),
            sql`m.created_at`,
            sql`from thread t join customer c on c.id = t.customer_id left join hub h on h.id = c.hub_id
              cross join lateral (select x.sender, x.created_at from message x where x.thread_id = t.id order by x.created_at desc, x.id desc limit 1) m
              where m.sender = 'C' and m.created_at <= ${dayAgo} and not ${isClosed("message", sql`t.id`, sql`m.created_at`)} and ${meets(sql`h`, inbox)}`,
          )} as messages,
          ${counting(
            scopes.applications,
            sql`l.created_at`,
            sql`from lead l where l.kind in ('vendor', 'driver', 'job') and l.created_at > ${addMs(now, -APPLICATIONS_MS)}
              and not exists (select 1 from inbox_state s where s.kind = 'application' and s.item_id = l.id and (s.closed_at >= l.created_at or s.answered_at >= l.created_at))`,
          )} as applications,
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
