import { bringForward, type Conn, execute, insertJobs, query, queryOne, sql } from "@marketday/db";
import { FULFILLMENT_PROBLEMS } from "@marketday/domain/fulfillment";
import { z } from "zod";

import { isClosedDate, takesOrders } from "../hubs/delivery-sql.ts";
import { enqueueJobs } from "../mail/mail-sql.ts";
import { isOpened } from "../week/day-sql.ts";

/** One job for each customer of a run; its key is `deliveryId:customerId`. */
export const QUEUE = "auto-checkout";

/** A customer of a run; the data of its job. */
export interface AutoCheckoutJob {
  deliveryId: number;
  customerId: number;
  /** How far the run's time is ahead of the clock (`market jobs run --at`). */
  aheadMs: number;
}

const keyOf = sql`r.delivery_id || ':' || r.customer_id`;

export const AutoDelivery = z.object({
  id: z.number(),
  hub_id: z.number(),
  hub_name: z.string(),
  hub_slug: z.string(),
  time_zone: z.string(),
  day: z.string(),
  cutoff_at: z.date(),
});
export type AutoDelivery = z.infer<typeof AutoDelivery>;
const columns = sql`d.id, d.hub_id, h.name as hub_name, h.slug as hub_slug, h.time_zone, to_char(d.day, 'YYYY-MM-DD') as day, d.cutoff_at`;

/** Each published hub's next delivery whose auto-checkout is due and not over, and whose cycle is open; oldest first. */
export const findDueAutoCheckouts = (db: Conn, now: Date): Promise<AutoDelivery[]> =>
  query(
    db,
    sql`select ${columns} from hub h
        join lateral (select * from delivery x where x.hub_id = h.id and ${takesOrders(sql`x`, now)} order by x.cutoff_at limit 1) d on true
        where h.is_published and d.auto_checkout_at <= ${now}
          and ${isOpened(sql`d`)}
          and not exists (select 1 from delivery_run r where r.delivery_id = d.id and r.step = 'auto_checkout' and r.state <> 'running')
        order by d.auto_checkout_at, d.id`,
    AutoDelivery,
  );

/** Starts the run of a delivery, once, for the customers who have auto-checkout on now. */
export const startRun = (tx: Conn, delivery: AutoDelivery, now: Date) =>
  execute(
    tx,
    sql`with started as (
          insert into delivery_run (delivery_id, step, state, lease_until, started_at)
          values (${delivery.id}::int, 'auto_checkout', 'running', ${delivery.cutoff_at}, ${now}) on conflict do nothing returning delivery_id)
        insert into auto_checkout_result (delivery_id, customer_id)
        select s.delivery_id, c.id from started s, customer c
        where c.hub_id = ${delivery.hub_id}::int and c.auto_checkout_status > 0 and c.deleted_at is null`,
  );

/** Jobs that one statement inserts. */
const BATCH = 1000;

/** After an outcome of `failed` there is one try each six hours, without retries. */
const retryLimit = sql`case when r.outcome = 'failed' then 0 end`;

/**
 * Enqueues the customers of a run who are not done and have no job: all of a run that starts; later those whose job was lost
 * (a restored backup) or is a dead letter. Goes through them by their ids, `BATCH` at a time: to look for those without a job
 * takes seconds where Postgres does not know yet how many jobs there are.
 */
export async function enqueueCustomers(tx: Conn, deliveryId: number, aheadMs: number, clock: Date): Promise<void> {
  const waiting = sql`r.delivery_id = ${deliveryId}::int and r.done_at is null`;
  for (let after = 0; ;) {
    const [last] = await query(
      tx,
      sql`select r.customer_id from auto_checkout_result r where ${waiting} and r.customer_id > ${after}::int
          order by r.customer_id offset ${BATCH - 1}::int limit 1`,
      z.object({ customer_id: z.number() }),
    );
    await execute(
      tx,
      insertJobs(
        QUEUE,
        // A clock that is ahead of Postgres's delays no job.
        sql`select ${keyOf} as key, jsonb_build_object('deliveryId', r.delivery_id, 'customerId', r.customer_id, 'aheadMs', ${aheadMs}::float8) as data,
              least(${clock}::timestamptz, now()) as start_after, ${retryLimit} as retry_limit
            from auto_checkout_result r
            where ${waiting} and r.customer_id > ${after}::int and r.customer_id <= ${last?.customer_id ?? 2 ** 31 - 1}::int
            order by r.customer_id`,
      ),
    );
    if (!last) return;
    after = last.customer_id;
  }
}

/** Enqueues the next try of a customer; nothing when there is a job. */
export const enqueueRetry = (tx: Conn, job: AutoCheckoutJob, retryAt: Date) =>
  execute(
    tx,
    insertJobs(
      QUEUE,
      sql`select ${keyOf} as key, ${JSON.stringify(job)}::jsonb as data, ${retryAt}::timestamptz as start_after, ${retryLimit} as retry_limit
          from auto_checkout_result r where r.delivery_id = ${job.deliveryId}::int and r.customer_id = ${job.customerId}::int`,
    ),
  );

/** Ends the run of a delivery when all its customers are done. */
export const finishRunWhenDone = (db: Conn, deliveryId: number, now: Date) =>
  execute(
    db,
    sql`with results as (select * from auto_checkout_result where delivery_id = ${deliveryId}::int)
        update delivery_run set done_at = ${now},
          state = case when exists (select 1 from results where outcome = 'missed') then 'missed'
            when exists (select 1 from results where outcome = 'failed') then 'done_with_errors' else 'done' end,
          errors = coalesce((select jsonb_agg('customer ' || customer_id || ': ' || error order by customer_id) from results where outcome = 'failed'), '[]')
        where delivery_id = ${deliveryId}::int and step = 'auto_checkout' and state = 'running'
          and not exists (select 1 from results where done_at is null)`,
  );

const PreferencesRow = z.object({
  status: z.number(),
  default_tip: z.number(),
  is_skipped: z.boolean(),
  is_ordered: z.boolean(),
  is_ordered_elsewhere: z.boolean(),
  /** Saved cards whose payment for this delivery the bank wants to be confirmed: charged again, they would only ask the bank again. */
  unconfirmed_cards: z.array(z.number()),
});

/**
 * The customer's settings for this delivery; null: there is no such customer. An automatic order of another hub counts until
 * its cutoff: after a switch only one of two hubs orders (failures.md C13).
 */
export const findPreferences = (tx: Conn, customerId: number, deliveryId: number) =>
  queryOne(
    tx,
    sql`select c.auto_checkout_status as status, c.default_tip,
          exists (select 1 from subscription_skip k where k.customer_id = c.id and k.delivery_id = ${deliveryId}::int) as is_skipped,
          exists (select 1 from orders o where o.customer_id = c.id and o.delivery_id = ${deliveryId}::int and o.source = 'auto' and o.status <> 'cancelled') as is_ordered,
          exists (select 1 from orders o where o.customer_id = c.id and o.source = 'auto' and o.status = 'open'
            and o.hub_id <> (select d.hub_id from delivery d where d.id = ${deliveryId}::int)) as is_ordered_elsewhere,
          coalesce((select array_agg(distinct (a.choice->>'paymentMethodId')::int) from cart k join checkout_attempt a on a.cart_id = k.id
            where k.customer_id = c.id and a.delivery_id = ${deliveryId}::int and a.source = 'auto' and a.state = 'failed'
              and a.failure->>'code' = 'challenge'), '{}') as unconfirmed_cards
        from customer c where c.id = ${customerId}::int and c.deleted_at is null`,
    PreferencesRow,
  );

const OverdueRun = AutoDelivery.extend({
  is_started: z.boolean(),
  /** The date is closed, or the hub is not published. */
  is_off: z.boolean(),
});
export type OverdueRun = z.infer<typeof OverdueRun>;

/**
 * Runs whose cutoff has passed and that are open, never started, or have customers who are not done. A hub whose jobs did not
 * run yet missed nothing, nor does one that is not published, or a closed date.
 */
export const findOverdueRuns = (db: Conn, now: Date): Promise<OverdueRun[]> => {
  const isOff = sql`(${isClosedDate(sql`d`)} or not h.is_published)`;
  return query(
    db,
    sql`select ${columns}, r.delivery_id is not null as is_started, ${isOff} as is_off from delivery d join hub h on h.id = d.hub_id
        left join delivery_run r on r.delivery_id = d.id and r.step = 'auto_checkout'
        where d.cutoff_at <= ${now} and (
          exists (select 1 from auto_checkout_result u where u.delivery_id = d.id and u.done_at is null)
          or coalesce(r.state, 'running') = 'running' and (r.delivery_id is not null or not ${isOff} and exists (
            select 1 from delivery_run x join delivery y on y.id = x.delivery_id
            where y.hub_id = d.hub_id and x.started_at <= d.auto_checkout_at)))
        order by d.cutoff_at, d.id`,
    OverdueRun,
  );
};

const CustomerRow = z.object({ customer_id: z.number() });
const idsOf = (rows: readonly z.infer<typeof CustomerRow>[]): number[] => rows.map(({ customer_id: id }) => id);

/**
 * The next customers of a run after this id who are not done, by id, locked. Those whose result is being written are skipped, and
 * those whose checkout is in progress: it is settled first.
 */
export const lockUndone = async (tx: Conn, deliveryId: number, after: number, limit: number): Promise<number[]> =>
  idsOf(
    await query(
      tx,
      sql`select r.customer_id from auto_checkout_result r
          where r.delivery_id = ${deliveryId}::int and r.customer_id > ${after}::int and r.done_at is null
            and not exists (select 1 from checkout_attempt a where a.customer_id = r.customer_id and a.delivery_id = r.delivery_id
              and a.source = 'auto' and a.state = 'held')
          order by r.customer_id limit ${limit}::int for update of r skip locked`,
      CustomerRow,
    ),
  );

/** The outcome of a try that had no place, once the customer has chosen another one. */
export const PLACE_CHANGED = "place_changed";

/**
 * The customer receives elsewhere from now on: tries that had no place are repeated at once, until the cutoff. `clock`: as
 * `enqueueCustomers`.
 */
export async function retryElsewhere(tx: Conn, customerId: number, now: Date, clock: Date): Promise<void> {
  const jobs = await query(
    tx,
    sql`update auto_checkout_result r set outcome = ${PLACE_CHANGED}, done_at = null
        from delivery d
        where r.customer_id = ${customerId}::int and d.id = r.delivery_id and d.cutoff_at > ${now}
          and r.outcome = any(${[...FULFILLMENT_PROBLEMS]}::text[])
          and not exists (select 1 from orders o where o.customer_id = r.customer_id and o.delivery_id = d.id and o.source = 'auto' and o.status <> 'cancelled')
        returning r.delivery_id, r.customer_id`,
    z.object({ delivery_id: z.number(), customer_id: z.number() }),
  );
  for (const { delivery_id: deliveryId } of jobs) {
    const key = sql`${deliveryId}::int || ':' || ${customerId}::int`;
    const at = sql`least(${clock}::timestamptz, now())`;
    await execute(tx, bringForward(QUEUE, sql`(${key})::text`, at));
    await execute(
      tx,
      insertJobs(
        QUEUE,
        sql`select ${key} as key, jsonb_build_object('deliveryId', ${deliveryId}::int, 'customerId', ${customerId}::int, 'aheadMs', 0) as data,
              ${at} as start_after, null::int as retry_limit`,
      ),
    );
  }
}

/**
 * Enqueues a corrected mail to a customer who got the one of the day before, with what automatic checkout orders and where it goes. One for
 * each change.
 */
export const insertCorrections = (tx: Conn, customerId: number, now: Date) =>
  execute(
    tx,
    sql`with written as (
          insert into mail (key, template, to_email, data, created_at)
          select 'auto-checkout-changed:' || d.id || ':' || c.id || ':' || ${now.getTime()}::bigint, 'auto-checkout-changed', c.email,
            jsonb_build_object('deliveryId', d.id, 'customerId', c.id), ${now}
          from customer c join delivery d on d.hub_id = c.hub_id and d.auto_checkout_at > ${now}
          where c.id = ${customerId}::int and c.email is not null and c.auto_checkout_status > 0
            and exists (select 1 from mail m where m.key = 'auto-checkout-soon:' || d.id || ':' || c.id)
          on conflict (key) do nothing returning id, next_at), ${enqueueJobs(now)} select from notified`,
  );

/** Outcomes that the customer already got an email about. */
const NOTIFIED = ["nothing", "choose_market", ...FULFILLMENT_PROBLEMS, PLACE_CHANGED, "no_card", "declined", "failed"];

/**
 * Writes the last result of these customers of a run that is over, and enqueues an email to those whose order was missed, or was not
 * confirmed at the bank, without those in `notified`. Where the date is closed or the hub is not published, nothing was missed.
 * @returns the customers whose order was missed
 */
export const endUndone = async (
  tx: Conn,
  delivery: OverdueRun,
  customerIds: readonly number[],
  notified: readonly number[],
  now: Date,
): Promise<number[]> =>
  idsOf(
    await query(
      tx,
      sql`with ends as (
            select r.customer_id, case
                when exists (select 1 from orders o where o.customer_id = r.customer_id and o.delivery_id = r.delivery_id
                  and o.source = 'auto' and o.status <> 'cancelled') then 'placed'
                when r.outcome = any(${NOTIFIED}::text[]) then r.outcome
                when r.outcome = 'unconfirmed' then case when exists (select 1 from orders o where o.customer_id = r.customer_id
                  and o.delivery_id = r.delivery_id and o.status <> 'cancelled') then 'already' else 'unconfirmed' end
                else ${delivery.is_off ? "skipped" : "missed"} end as outcome
            from auto_checkout_result r
            where r.delivery_id = ${delivery.id}::int and r.customer_id = any(${[...customerIds]}::int[]) and r.done_at is null),
          ended as (
            update auto_checkout_result r set outcome = e.outcome, error = case when e.outcome = 'failed' then r.error end, done_at = ${now}
            from ends e where r.delivery_id = ${delivery.id}::int and r.customer_id = e.customer_id),
          written as (
            insert into mail (key, template, to_email, data, created_at)
            select 'auto-checkout-' || e.outcome || ':' || ${delivery.id}::int || ':' || c.id, 'auto-checkout-' || e.outcome, c.email,
              ${JSON.stringify({ day: delivery.day, market: delivery.hub_name, timeZone: delivery.time_zone })}::jsonb, ${now}
            from ends e join customer c on c.id = e.customer_id
            where e.outcome in ('missed', 'unconfirmed') and c.email is not null and not c.id = any(${[...notified]}::int[])
            on conflict (key) do nothing returning id, next_at), ${enqueueJobs(now)}
          select e.customer_id from ends e, (select count(*) from notified) n where e.outcome = 'missed'`,
      CustomerRow,
    ),
  );

/**
 * Records a run that never started, once, for the customers whom it would have ordered for: those with auto-checkout on and something
 * in the cart, who did not skip or order the delivery.
 */
export const insertMissedRun = (tx: Conn, delivery: OverdueRun, now: Date) =>
  execute(
    tx,
    sql`with missed as (
          insert into delivery_run (delivery_id, step, state, lease_until, started_at, done_at)
          values (${delivery.id}::int, 'auto_checkout', 'missed', ${now}, ${now}, ${now}) on conflict do nothing returning delivery_id)
        insert into auto_checkout_result (delivery_id, customer_id)
        select m.delivery_id, c.id from missed m, customer c
        where c.hub_id = ${delivery.hub_id}::int and c.auto_checkout_status > 0 and c.deleted_at is null
          and exists (select 1 from cart k join cart_item ci on ci.cart_id = k.id
            where k.customer_id = c.id and (c.auto_checkout_status = 1 or ci.subscription_interval is not null))
          and not exists (select 1 from subscription_skip k where k.customer_id = c.id and k.delivery_id = m.delivery_id)
          and not exists (select 1 from orders o where o.customer_id = c.id and o.delivery_id = m.delivery_id and o.status <> 'cancelled')`,
  );
