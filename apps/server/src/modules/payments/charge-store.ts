import { type Conn, execute, queryOne, sql } from "@marketday/db";
import { z } from "zod";

const OurCharge = z.object({
  payment_id: z.string(),
  customer_id: z.number().nullable(),
  state: z.enum(["created", "challenge", "authorized", "captured", "voided", "failed"]),
  amount_cents: z.number(),
  captured_cents: z.number(),
  is_purchase: z.boolean(),
  attempt_id: z.string().nullable(),
  attempt_state: z.string().nullable(),
  live_orders: z.number(),
  /** The key is that of a hold that is being renewed, not the present one. */
  is_next: z.boolean(),
});
/** A charge as our own rows have it. Cents. */
export type OurCharge = z.infer<typeof OurCharge>;

/** What a provider's key stands for here; null: nothing of ours. */
export const findCharge = (db: Conn, key: string): Promise<OurCharge | null> =>
  queryOne(
    db,
    sql`select p.id::text as payment_id, p.customer_id, p.state, p.amount_cents, p.captured_cents, p.purpose is not null as is_purchase,
          a.id::text as attempt_id, a.state as attempt_state, coalesce(p.next_key = ${key}::uuid, false) as is_next,
          (select count(*)::int from orders o where o.payment_id = p.id and o.status <> 'cancelled') as live_orders
        from payment p left join checkout_attempt a on a.payment_id = p.id
        where p.charge_key = ${key}::uuid or p.next_key = ${key}::uuid
        limit 1`,
    OurCharge,
  );

/** A provider's event, claimed: false when it was handled before. One that died half-way is handled again. */
export const claimEvent = async (
  db: Conn,
  event: { provider: string; id: string; type: string; now: Date },
): Promise<boolean> =>
  (await queryOne(
    db,
    sql`insert into webhook_event as w (provider, event_id, type, received_at) values (${event.provider}, ${event.id}, ${event.type}, ${event.now})
        on conflict (provider, event_id) do update set type = w.type where w.processed_at is null returning event_id`,
    z.object({ event_id: z.string() }),
  )) !== null;

export const finishEvent = (db: Conn, provider: string, id: string, outcome: string, now: Date) =>
  execute(
    db,
    sql`update webhook_event set processed_at = ${now}, outcome = ${outcome} where provider = ${provider} and event_id = ${id} and processed_at is null`,
  );

/** Something an operator should look at: kept for `market doctor` and the log of hands. */
export const noteAlert = (
  tx: Conn,
  alert: { actor: string; subject: string; reason: string; data: object; now: Date },
) =>
  execute(
    tx,
    sql`insert into audit_entry (actor, action, subject, reason, data, created_at)
        values (${alert.actor}, 'alert', ${alert.subject}, ${alert.reason}, ${JSON.stringify(alert.data)}::jsonb, ${alert.now})`,
  );

const StrayRow = z.object({ id: z.string(), captured_cents: z.number(), customer_id: z.number().nullable() });

/**
 * Money was taken that pays for nothing: the payment says so and a refund of all of it is written, once. Null when that was
 * done before.
 */
export const recordOrphanedCharge = (
  tx: Conn,
  paymentId: string,
  refundId: string,
  takenCents: number,
  reason: string,
  now: Date,
) =>
  queryOne(
    tx,
    sql`with taken as (
          update payment p set state = 'captured', captured_cents = least(p.amount_cents, ${takenCents}::int),
            refunded_cents = least(p.amount_cents, ${takenCents}::int)
          where p.id = ${paymentId}::uuid and p.state <> 'captured' and not exists (select 1 from refund r where r.key = ${`stray:${paymentId}`})
          returning p.id, p.captured_cents, p.customer_id),
        given as (
          insert into refund (id, payment_id, kind, destination, amount_cents, reason, key, state, created_at)
          select ${refundId}::uuid, id, 'stray', 'card', captured_cents, ${reason}, ${`stray:${paymentId}`}, 'created', ${now} from taken returning payment_id)
        select taken.id::text as id, taken.captured_cents, taken.customer_id from taken join given on given.payment_id = taken.id`,
    StrayRow,
  );
