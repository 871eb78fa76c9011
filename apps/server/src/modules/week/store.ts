import { type Conn, execute, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

export const DueDelivery = z.object({
  id: z.number(),
  hub_id: z.number(),
  day: z.string(),
  cutoff_at: z.date(),
  time_zone: z.string(),
});
export type DueDelivery = z.infer<typeof DueDelivery>;

const columns = sql`d.id, d.hub_id, to_char(d.day, 'YYYY-MM-DD') as day, d.cutoff_at, h.time_zone`;
const notDone = (step: string) =>
  sql`not exists (select 1 from delivery_run r where r.delivery_id = d.id and r.step = ${step} and r.state <> 'running')`;

/** No checkout of the day `d` is under way. */
const nobodyChecksOut = sql`not exists (
            select 1 from checkout_attempt a where a.hub_id = d.hub_id and a.state in ('held', 'paid', 'challenge')
              and a.plan->'orders' @> jsonb_build_array(jsonb_build_object('deliveryId', d.id)))`;

/**
 * Delivery days whose cutoff has passed and was not run, oldest first. A day waits for checkouts of its own that are still
 * open, at most until `graceEnded` (decisions §4).
 */
export const findDueCutoffs = (db: Conn, now: Date, graceEnded: Date): Promise<DueDelivery[]> =>
  query(
    db,
    sql`select ${columns} from delivery d join hub h on h.id = d.hub_id
        where d.cutoff_at <= ${now} and ${notDone("cutoff")}
          and (d.cutoff_at <= ${graceEnded} or ${nobodyChecksOut})
        order by d.cutoff_at, d.id`,
    DueDelivery,
  );

const LockedDay = z.object({ id: z.number() });

/**
 * Keeps the delivery days of an order open until the transaction ends: their freeze waits for it, and it waits for a
 * freeze. False when one of them is closed already (or gone): then nothing may be ordered for it any more. The lock comes
 * in a statement of its own, so that what is read after it is what a freeze left.
 */
export async function keepDaysOpen(tx: Conn, deliveryIds: readonly number[]): Promise<boolean> {
  const ids = [...new Set(deliveryIds)];
  const locked = await query(
    tx,
    sql`select id from delivery where id = any(${ids}::int[]) order by id for key share`,
    LockedDay,
  );
  if (locked.length < ids.length) return false;
  return (
    (await queryOne(
      tx,
      sql`select delivery_id as id from snapshot where delivery_id = any(${ids}::int[]) limit 1`,
      LockedDay,
    )) === null
  );
}

/**
 * Locks a delivery day for its freeze: orders and checkouts of it that are being written are waited for, later ones wait.
 * False: a checkout of it is still under way and its ten minutes are not over, so the freeze must come later (decisions §4).
 */
export async function lockDayToClose(tx: Conn, deliveryId: number, graceEnded: Date): Promise<boolean> {
  await query(tx, sql`select id from delivery where id = ${deliveryId}::int for update`, LockedDay);
  return (
    (await queryOne(
      tx,
      sql`select d.id from delivery d where d.id = ${deliveryId}::int and (d.cutoff_at <= ${graceEnded} or ${nobodyChecksOut})`,
      LockedDay,
    )) !== null
  );
}

/** Days that are over in their hub's zone and whose orders are not closed yet, oldest first. */
export const findDueCloses = (db: Conn, now: Date): Promise<DueDelivery[]> =>
  query(
    db,
    sql`select ${columns} from delivery d join hub h on h.id = d.hub_id
        where ((d.day + 1)::timestamp at time zone h.time_zone) <= ${now} and ${notDone("close")}
          and exists (select 1 from delivery_run r where r.delivery_id = d.id and r.step = 'cutoff' and r.state <> 'running')
        order by d.day, d.id`,
    DueDelivery,
  );

/** Each hub's next delivery whose cycle was not opened yet: the one before it has passed its cutoff (decisions §1 cycle). */
export const findDueOpenings = (db: Conn, now: Date): Promise<DueDelivery[]> =>
  query(
    db,
    sql`select ${columns} from hub h
        join lateral (select * from delivery x where x.hub_id = h.id and x.cutoff_at > ${now} order by x.cutoff_at limit 1) d on true
        where ${notDone("open")} order by d.id`,
    DueDelivery,
  );

const Token = z.object({ fencing_token: z.number() });

/** Takes a step of a delivery day; null when another server has it. An expired lease is taken over with a new token. */
export async function claimRun(
  db: Conn,
  deliveryId: number,
  step: string,
  now: Date,
  leaseUntil: Date,
): Promise<number | null> {
  const row = await queryOne(
    db,
    sql`insert into delivery_run as r (delivery_id, step, state, lease_until, started_at) values (${deliveryId}::int, ${step}, 'running', ${leaseUntil}, ${now})
        on conflict (delivery_id, step) do update set lease_until = excluded.lease_until, fencing_token = r.fencing_token + 1
          where r.state = 'running' and r.lease_until <= ${now}
        returning fencing_token`,
    Token,
  );
  return row?.fencing_token ?? null;
}

/** Ends a step, by whoever still holds its token. */
export const finishRun = (
  db: Conn,
  deliveryId: number,
  step: string,
  token: number,
  errors: readonly string[],
  now: Date,
) =>
  execute(
    db,
    sql`update delivery_run set state = ${errors.length > 0 ? "done_with_errors" : "done"}, done_at = ${now}, errors = ${JSON.stringify(errors)}::jsonb
        where delivery_id = ${deliveryId}::int and step = ${step} and fencing_token = ${token}::int and state = 'running'`,
  );

/**
 * Renews the lease of a running step and locks its row until the transaction ends, so that two servers take its batches in
 * turn. Returns what its last batch left as `progress`; null: another server has the step, or it is over.
 */
export const extendRun = (
  tx: Conn,
  deliveryId: number,
  step: string,
  token: number,
  leaseUntil: Date,
): Promise<{ progress: Record<string, unknown> } | null> =>
  queryOne(
    tx,
    sql`update delivery_run set lease_until = ${leaseUntil}
        where delivery_id = ${deliveryId}::int and step = ${step} and fencing_token = ${token}::int and state = 'running'
        returning progress`,
    z.object({ progress: z.record(z.string(), z.unknown()) }),
  );

/** Writes how far a step has come; in the transaction of the batch. */
export const saveProgress = (tx: Conn, deliveryId: number, step: string, progress: object) =>
  execute(
    tx,
    sql`update delivery_run set progress = ${JSON.stringify(progress)}::jsonb where delivery_id = ${deliveryId}::int and step = ${step}`,
  );

/** Gives the step back for another try: the provider is away. */
export const releaseRun = (db: Conn, deliveryId: number, step: string, token: number, now: Date) =>
  execute(
    db,
    sql`update delivery_run set lease_until = ${now} where delivery_id = ${deliveryId}::int and step = ${step} and fencing_token = ${token}::int and state = 'running'`,
  );

/** Opens future orders of the day, `limit` at most. Returns how many. */
export const openOrders = (tx: Conn, deliveryId: number, limit: number) =>
  execute(
    tx,
    sql`update orders set status = 'open' where id = any(array(
          select id from orders where delivery_id = ${deliveryId}::int and status = 'future' order by id limit ${limit}::int))`,
  );

/** Marks pending orders of the day as delivered, `limit` at most. Returns how many. */
export const closeOrders = (tx: Conn, deliveryId: number, now: Date, limit: number) =>
  execute(
    tx,
    sql`update orders set status = 'closed', closed_at = ${now} where id = any(array(
          select id from orders where delivery_id = ${deliveryId}::int and status = 'pending' order by id limit ${limit}::int))`,
  );

const CaptureRow = z.object({
  payment_id: z.string(),
  provider: z.string(),
  /** The key the provider knows the charge by. */
  charge_key: z.string(),
  provider_ref: z.string().nullable(),
  customer_id: z.number(),
  due_cents: z.number(),
});
export type CaptureRow = z.infer<typeof CaptureRow>;

/**
 * Authorised charges of the day's orders at one provider, with what these orders come to now (edits only lowered it).
 * What is paid at the door, or was held by the provider before this one, is not this provider's to take.
 */
export const findCaptures = (db: Conn, deliveryId: number, provider: string): Promise<CaptureRow[]> =>
  query(
    db,
    sql`select p.id::text as payment_id, p.provider, p.charge_key::text as charge_key, p.provider_ref, p.customer_id,
          sum(o.order_total_cents - o.credit_cents)::int as due_cents
        from orders o join payment p on p.id = o.payment_id
        where o.delivery_id = ${deliveryId}::int and o.status = 'pending' and p.state = 'authorized' and p.provider = ${provider}
        group by p.id order by p.id`,
    CaptureRow,
  );

/** A hold that was to replace this one may be there already: it is looked for, and let go. */
const lookForNext = (now: Date) => sql`unseen_since = case when next_key is not null then ${now}::timestamptz end,
  look_again_at = case when next_key is not null then ${now}::timestamptz end`;

/** The hold of a payment is no more: its orders stand without a charge. */
export const dropHold = (db: Conn, paymentId: string, now: Date) =>
  execute(
    db,
    sql`with gone as (update payment set state = 'voided', ${lookForNext(now)} where id = ${paymentId}::uuid and state = 'authorized' returning id)
        update orders o set payment_id = null from gone where o.payment_id = gone.id and o.status in ('future', 'open', 'pending')`,
  );

const IdRow = z.object({ id: z.string() });

/**
 * The money is taken: the payment says so, once, and its orders of later days wait for a charge of their own. False when
 * it was recorded before.
 */
export async function recordCapture(tx: Conn, deliveryId: number, capture: CaptureRow, now: Date): Promise<boolean> {
  const rows = await query(
    tx,
    sql`with taken as (
          update payment set state = ${capture.due_cents > 0 ? "captured" : "voided"}, captured_cents = ${capture.due_cents}::int, ${lookForNext(now)}
          where id = ${capture.payment_id}::uuid and state = 'authorized' returning id),
        later as (
          update orders o set payment_id = null from taken where o.payment_id = taken.id and o.delivery_id <> ${deliveryId}::int and o.status in ('future', 'open'))
        select id::text as id from taken`,
    IdRow,
  );
  return rows.length > 0;
}

const UnpaidRow = z.object({
  order_id: z.number(),
  customer_id: z.number(),
  due_cents: z.number(),
  method_id: z.number().nullable(),
  provider_ref: z.string().nullable(),
});
export type UnpaidRow = z.infer<typeof UnpaidRow>;

/** Orders of the day without a charge: their first hold was taken with an earlier box. They are charged on the saved card. */
export const findUnpaid = (db: Conn, deliveryId: number, provider: string): Promise<UnpaidRow[]> =>
  query(
    db,
    sql`select o.id as order_id, o.customer_id, o.order_total_cents - o.credit_cents as due_cents, m.id as method_id, m.provider_ref
        from orders o
        left join payment_method m on m.customer_id = o.customer_id and m.is_default and m.deleted_at is null and m.provider = ${provider}
        where o.delivery_id = ${deliveryId}::int and o.status = 'pending' and o.payment_id is null and o.customer_id is not null
          and o.order_total_cents > o.credit_cents
        order by o.id`,
    UnpaidRow,
  );

export const insertCapturedPayment = (
  tx: Conn,
  payment: { id: string; provider: string; ref: string },
  order: UnpaidRow,
  now: Date,
) =>
  execute(
    tx,
    sql`with paid as (
          insert into payment (id, charge_key, customer_id, provider, provider_ref, state, amount_cents, captured_cents, payment_method_id, authorized_at, created_at)
          values (${payment.id}::uuid, ${payment.id}::uuid, ${order.customer_id}::int, ${payment.provider}, ${payment.ref}, 'captured', ${order.due_cents}::int, ${order.due_cents}::int,
            ${order.method_id}::int, ${now}, ${now}) on conflict do nothing returning id)
        update orders set payment_id = paid.id from paid where orders.id = ${order.order_id}::int and orders.payment_id is null`,
  );

const ReferralRow = z.object({ friend_id: z.number(), referrer_id: z.number() });

/** Friends' first orders that have passed their cutoff paid: each referrer gets the credit once (failures.md K5). */
export const claimReferralCredits = (tx: Conn, deliveryId: number, now: Date, amountCents: number) =>
  query(
    tx,
    sql`with due as (
          update referral r set credited_at = ${now} from orders o
          where o.id = r.order_id and o.delivery_id = ${deliveryId}::int and o.status in ('pending', 'closed') and r.credited_at is null and r.refused is null
          returning r.friend_id, r.referrer_id),
        credited as (
          update customer c set credit_cents = c.credit_cents + n.times * ${amountCents}::int
          from (select referrer_id, count(*)::int as times from due group by referrer_id) n where c.id = n.referrer_id)
        select friend_id, referrer_id from due`,
    ReferralRow,
  );

/** The hub's next offers with weekly stock after this one, in order of their ids. */
export const findWeeklyOffers = async (db: Conn, hubId: number, after: number, limit: number): Promise<number[]> =>
  (
    await query(
      db,
      sql`select id from offer where hub_id = ${hubId}::int and weekly_inventory is not null and id > ${after}::int order by id limit ${limit}::int`,
      z.object({ id: z.number() }),
    )
  ).map(({ id }) => id);

/** Fills offers up for the new cycle, with the adjustment that keeps the books right. */
export const refillWeekly = (tx: Conn, offerIds: readonly number[], now: Date) =>
  execute(
    tx,
    sql`with low as (
          select id, weekly_inventory - inventory as missing from offer
          where id = any(${[...offerIds]}::int[]) and inventory < weekly_inventory order by id for update),
        booked as (insert into stock_adjustment (offer_id, amount, reason, created_at) select id, missing, 'weekly stock', ${now} from low)
        update offer o set inventory = o.inventory + low.missing, sold_out_at = null,
          restocked_at = case when o.inventory = 0 then ${now}::timestamptz else o.restocked_at end
        from low where o.id = low.id`,
  );
