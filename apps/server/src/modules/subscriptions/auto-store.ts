import { type Conn, execute, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { takesOrders } from "../hubs/open-days.ts";

const JOB = "auto-checkout";

export const AutoDelivery = z.object({
  id: z.number(),
  hub_id: z.number(),
  hub_name: z.string(),
  time_zone: z.string(),
  day: z.string(),
  cutoff_at: z.date(),
});
export type AutoDelivery = z.infer<typeof AutoDelivery>;
const columns = sql`d.id, d.hub_id, h.name as hub_name, h.time_zone, to_char(d.day, 'YYYY-MM-DD') as day, d.cutoff_at`;

/** Each hub's next delivery whose auto-checkout has come and is not over, its cycle being open; the oldest first. */
export const findDueAutoCheckouts = (db: Conn, now: Date): Promise<AutoDelivery[]> =>
  query(
    db,
    sql`select ${columns} from hub h
        join lateral (select * from delivery x where x.hub_id = h.id and ${takesOrders(sql`x`, now)} order by x.cutoff_at limit 1) d on true
        where d.auto_checkout_at <= ${now}
          and exists (select 1 from delivery_run r where r.delivery_id = d.id and r.step = 'open' and r.state <> 'running')
          and not exists (select 1 from delivery_run r where r.delivery_id = d.id and r.step = 'auto_checkout' and r.state <> 'running')
        order by d.auto_checkout_at, d.id`,
    AutoDelivery,
  );

/**
 * Writes down, once, for whom the delivery is ordered: those who have auto-checkout on at this moment. `clock`: from when
 * they may be claimed; leases go by the real time.
 */
export const startRun = (tx: Conn, delivery: AutoDelivery, now: Date, clock: Date) =>
  execute(
    tx,
    sql`with started as (
          insert into delivery_run (delivery_id, step, state, lease_until, started_at)
          values (${delivery.id}::int, 'auto_checkout', 'running', ${delivery.cutoff_at}, ${now}) on conflict do nothing returning delivery_id)
        insert into job_claim (job, subject, lease_until)
        select ${JOB}, s.delivery_id || ':' || c.id, ${clock} from started s, customer c
        where c.hub_id = ${delivery.hub_id}::int and c.auto_checkout_status > 0 and c.deleted_at is null`,
  );

const ClaimRow = z.object({
  subject: z.string(),
  customer_id: z.number(),
  fencing_token: z.number(),
  attempts: z.number(),
  outcome: z.string().nullable(),
});
export type Claim = z.infer<typeof ClaimRow>;

const ClaimedRow = ClaimRow.extend({ hub_id: z.number().nullable() });

/**
 * Takes the next customer who is due; other workers skip the row while it is being taken, and while its lease lasts.
 * `hub_id` is the customer's hub at this moment, which the order belongs to (failures.md C13); null: the account is deleted.
 */
export const claimCustomer = (
  db: Conn,
  deliveryId: number,
  now: Date,
  leaseUntil: Date,
): Promise<z.infer<typeof ClaimedRow> | null> =>
  queryOne(
    db,
    sql`update job_claim set lease_until = ${leaseUntil}, fencing_token = fencing_token + 1, attempts = attempts + 1
        where job = ${JOB} and subject = (
          select subject from job_claim where job = ${JOB} and starts_with(subject, ${`${deliveryId}:`}) and done_at is null and lease_until <= ${now}
          order by lease_until, subject for update skip locked limit 1)
        returning subject, split_part(subject, ':', 2)::int as customer_id, fencing_token, attempts, outcome,
          (select c.hub_id from customer c where c.id = split_part(job_claim.subject, ':', 2)::int and c.deleted_at is null) as hub_id`,
    ClaimedRow,
  );

export interface ClaimEnd {
  outcome: string;
  error: string | null;
  /** When it is tried again; null: it is over. */
  retryAt: Date | null;
}

/** Writes what came of a try; false when the worker lost its claim meanwhile (failures C7). */
export const endClaim = async (tx: Conn, claim: Claim, end: ClaimEnd, now: Date): Promise<boolean> =>
  (await execute(
    tx,
    sql`update job_claim set outcome = ${end.outcome}, error = ${end.error}, lease_until = coalesce(${end.retryAt}, lease_until),
          done_at = case when ${end.retryAt}::timestamptz is null then ${now}::timestamptz end
        where job = ${JOB} and subject = ${claim.subject} and fencing_token = ${claim.fencing_token}::int and done_at is null`,
  )) === 1;

/** Ends the run when nobody of it is left to be tried. */
export const finishRunWhenDone = (db: Conn, deliveryId: number, now: Date) =>
  execute(
    db,
    sql`with mine as (select * from job_claim where job = ${JOB} and starts_with(subject, ${`${deliveryId}:`}))
        update delivery_run set done_at = ${now},
          state = case when exists (select 1 from mine where outcome = 'missed') then 'missed'
            when exists (select 1 from mine where outcome = 'failed') then 'done_with_errors' else 'done' end,
          errors = coalesce((select jsonb_agg('customer ' || split_part(subject, ':', 2) || ': ' || error order by subject) from mine where outcome = 'failed'), '[]')
        where delivery_id = ${deliveryId}::int and step = 'auto_checkout' and state = 'running'
          and not exists (select 1 from mine where done_at is null)`,
  );

const SelectRow = z.object({
  status: z.number(),
  default_tip: z.number(),
  is_skipped: z.boolean(),
  is_ordered: z.boolean(),
  is_ordered_elsewhere: z.boolean(),
});

/**
 * The customer's settings for this delivery at this moment; null: there is no such customer any more. An automatic order
 * of another hub counts until its cutoff: after a switch only one of two hubs orders (failures.md C13).
 */
export const findPreferences = (tx: Conn, customerId: number, deliveryId: number) =>
  queryOne(
    tx,
    sql`select c.auto_checkout_status as status, c.default_tip,
          exists (select 1 from subscription_skip k where k.customer_id = c.id and k.delivery_id = ${deliveryId}::int) as is_skipped,
          exists (select 1 from orders o where o.customer_id = c.id and o.delivery_id = ${deliveryId}::int and o.source = 'auto' and o.status <> 'cancelled') as is_ordered,
          exists (select 1 from orders o where o.customer_id = c.id and o.source = 'auto' and o.status = 'open'
            and o.hub_id <> (select d.hub_id from delivery d where d.id = ${deliveryId}::int)) as is_ordered_elsewhere
        from customer c where c.id = ${customerId}::int and c.deleted_at is null`,
    SelectRow,
  );

/** Units an attempt's orders hold, by variant. */
export const findOrdered = (db: Conn, orderIds: readonly number[]) =>
  query(
    db,
    sql`select variant_id, sum(quantity)::int as quantity from order_item where order_id = any(${[...orderIds]}::int[]) group by variant_id`,
    z.object({ variant_id: z.number(), quantity: z.number() }),
  );

/** Runs that are still open, or never began, though their cutoff has passed. A hub whose clock did not run yet missed nothing. */
export const findOverdueRuns = (db: Conn, now: Date): Promise<(AutoDelivery & { is_started: boolean })[]> =>
  query(
    db,
    sql`select ${columns}, r.delivery_id is not null as is_started from delivery d join hub h on h.id = d.hub_id
        left join delivery_run r on r.delivery_id = d.id and r.step = 'auto_checkout'
        where d.cutoff_at <= ${now} and coalesce(r.state, 'running') = 'running'
          and (r.delivery_id is not null or exists (
            select 1 from delivery_run x join delivery y on y.id = x.delivery_id
            where y.hub_id = d.hub_id and x.started_at <= d.auto_checkout_at))
        order by d.cutoff_at, d.id`,
    AutoDelivery.extend({ is_started: z.boolean() }),
  );

const LeftRow = ClaimRow.extend({ error: z.string().nullable(), is_ordered: z.boolean(), is_under_way: z.boolean() });

/** Who is left of a run whose cutoff has passed, locked; workers that are still at it are let finish. */
export const lockLeftOver = (tx: Conn, delivery: AutoDelivery) =>
  query(
    tx,
    sql`select j.subject, split_part(j.subject, ':', 2)::int as customer_id, j.fencing_token, j.attempts, j.outcome, j.error,
          exists (select 1 from orders o where o.customer_id = split_part(j.subject, ':', 2)::int and o.delivery_id = ${delivery.id}::int
            and o.source = 'auto' and o.status <> 'cancelled') as is_ordered,
          exists (select 1 from checkout_attempt a where a.customer_id = split_part(j.subject, ':', 2)::int and a.delivery_id = ${delivery.id}::int
            and a.source = 'auto' and a.state in ('held', 'paid')) as is_under_way
        from job_claim j where j.job = ${JOB} and starts_with(j.subject, ${`${delivery.id}:`}) and j.done_at is null
        order by j.subject for update of j skip locked`,
    LeftRow,
  );

/** Who has something in the cart and took no other step for the delivery. */
export const findWaiting = (tx: Conn, delivery: AutoDelivery) =>
  query(
    tx,
    sql`select c.id as customer_id from customer c
        where c.hub_id = ${delivery.hub_id}::int and c.auto_checkout_status > 0 and c.deleted_at is null
          and exists (select 1 from cart k join cart_item ci on ci.cart_id = k.id
            where k.customer_id = c.id and (c.auto_checkout_status = 1 or ci.subscription_interval is not null))
          and not exists (select 1 from subscription_skip k where k.customer_id = c.id and k.delivery_id = ${delivery.id}::int)
          and not exists (select 1 from orders o where o.customer_id = c.id and o.delivery_id = ${delivery.id}::int and o.status <> 'cancelled')
        order by c.id`,
    z.object({ customer_id: z.number() }),
  );

/** Writes down that a run never began; false when somebody did. */
export const insertMissedRun = async (tx: Conn, delivery: AutoDelivery, now: Date): Promise<boolean> =>
  (await execute(
    tx,
    sql`insert into delivery_run (delivery_id, step, state, lease_until, started_at, done_at)
        values (${delivery.id}::int, 'auto_checkout', 'missed', ${now}, ${now}, ${now}) on conflict do nothing`,
  )) === 1;
