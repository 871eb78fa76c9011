import { type Conn, execute, query, queryOne, sql } from "@marketday/db";
import type { RefundDestination } from "@marketday/domain/ledger";
import { z } from "zod";

import { EditableOrder, editableColumns } from "./edit-store.ts";

const OrderForSupport = EditableOrder.extend({
  customer_id: z.number().nullable(),
  delivery_id: z.number(),
  add_on_to_id: z.number().nullable(),
  provider: z.string().nullable(),
  payment_state: z.string().nullable(),
  /** What the provider still has of this payment. */
  left_cents: z.number(),
  /** How much of the goodwill went to the card. */
  goodwill_card_cents: z.number(),
  /** It is being charged at this moment: money may be on its way. */
  is_charging: z.boolean(),
  /** It could not be charged since. */
  charge_failed_at: z.date().nullable(),
  written_off_at: z.date().nullable(),
});
/** An order as those who look after it see it: its money, whatever its state. Amounts in cents. */
export type OrderForSupport = z.infer<typeof OrderForSupport>;

/** Any order, locked; cancelled ones too. Null: there is none. */
export async function lockOrderForSupport(tx: Conn, orderId: number): Promise<OrderForSupport | null> {
  const [locked] = await query(
    tx,
    sql`select id from orders where id = ${orderId}::int for update`,
    z.object({ id: z.number() }),
  );
  if (!locked) return null;
  return queryOne(
    tx,
    sql`select ${editableColumns}, o.customer_id, o.delivery_id, o.add_on_to_id, p.provider, p.state as payment_state,
          coalesce(p.captured_cents - p.refunded_cents, 0) as left_cents,
          coalesce((select sum(amount_cents)::int from refund r where r.order_id = o.id and r.kind = 'care' and r.state <> 'failed'
            and r.destination = 'card'), 0) as goodwill_card_cents,
          o.charge_failed_at, o.written_off_at,
          o.charge_lease_until is not null or (o.status = 'pending' and coalesce(p.provider, '') <> 'offline' and exists (
            select 1 from delivery_run r where r.delivery_id = o.delivery_id and r.step = 'cutoff' and r.state = 'running')) as is_charging
        from orders o join delivery d on d.id = o.delivery_id join hub h on h.id = o.hub_id left join payment p on p.id = o.payment_id
        where o.id = ${orderId}::int`,
    OrderForSupport,
  );
}

/** Locks these orders and then, in one go and in id order, the offers of all their lines (failures.md A3). */
export async function lockOrdersAndOffers(tx: Conn, orderIds: readonly number[]): Promise<void> {
  const Id = z.object({ id: z.number() });
  const ids = [...orderIds];
  await query(tx, sql`select id from orders where id = any(${ids}::int[]) order by id for update`, Id);
  await query(
    tx,
    sql`select f.id from offer f
        where (f.variant_id, f.hub_id) in (
          select i.variant_id, o.hub_id from order_item i join orders o on o.id = i.order_id where o.id = any(${ids}::int[]) and i.quantity > 0)
        order by f.id for update`,
    Id,
  );
}

/** The order is off: it stays listed as "Cancelled" (decisions §8), its amounts as they were. */
export const markCancelled = (tx: Conn, orderId: number, now: Date) =>
  execute(
    tx,
    sql`update orders set status = 'cancelled', cancelled_at = ${now}, edited_at = null, charge_failed_at = null, charge_error = null, charge_next_at = null
        where id = ${orderId}::int and status <> 'cancelled'`,
  );

/** Units that an order no longer has and that are not on sale again either: spoiled, or never there. V1 counts them out. */
export const writeOffStock = (
  tx: Conn,
  units: readonly { offerId: number; quantity: number }[],
  reason: string,
  now: Date,
) =>
  execute(
    tx,
    sql`insert into stock_adjustment (offer_id, amount, reason, created_at)
        select "offerId", -sum(quantity)::int, ${reason}, ${now} from jsonb_to_recordset(${JSON.stringify(units)}::jsonb) as r ("offerId" int, quantity int)
        group by "offerId"`,
  );

export interface NewRefund {
  id: string;
  paymentId: string | null;
  orderId: number;
  kind: "care" | "short" | "cancel";
  destination: RefundDestination;
  amountCents: number;
  reason: string;
  key: string | null;
  now: Date;
}

/** Writes money given back; what goes to a card waits for the provider. */
export async function insertRefund(tx: Conn, refund: NewRefund): Promise<void> {
  const isDone = refund.destination === "credit";
  await execute(
    tx,
    sql`with given as (
          insert into refund (id, payment_id, order_id, kind, destination, amount_cents, reason, key, state, created_at, done_at)
          values (${refund.id}::uuid, ${refund.paymentId}::uuid, ${refund.orderId}::int, ${refund.kind}, ${refund.destination}, ${refund.amountCents}::int,
            ${refund.reason}, ${refund.key}, ${isDone ? "done" : "created"}, ${refund.now}, ${isDone ? refund.now : null}::timestamptz)
          returning payment_id, destination, amount_cents)
        update payment p set refunded_cents = p.refunded_cents + given.amount_cents from given where p.id = given.payment_id and given.destination = 'card'`,
  );
}

const RefundRow = z.object({
  id: z.string(),
  order_id: z.number().nullable(),
  amount_cents: z.number(),
  destination: z.enum(["card", "credit"]),
  state: z.enum(["created", "done", "failed"]),
});
export type RefundRow = z.infer<typeof RefundRow>;
const refundColumns = sql`id::text as id, order_id, amount_cents, destination, state`;

export const findRefundByKey = (db: Conn, key: string): Promise<RefundRow | null> =>
  queryOne(db, sql`select ${refundColumns} from refund where key = ${key}`, RefundRow);

export const findRefund = (db: Conn, id: string): Promise<RefundRow | null> =>
  queryOne(db, sql`select ${refundColumns} from refund where id = ${id}::uuid`, RefundRow);

/** Who did what to an order, and why. */
export const auditOrderAction = (
  tx: Conn,
  entry: { actor: string; action: string; orderId: number; reason: string; data: object; now: Date },
) =>
  execute(
    tx,
    sql`insert into audit_entry (actor, action, subject, reason, data, created_at)
        values (${entry.actor}, ${entry.action}, ${`order:${entry.orderId}`}, ${entry.reason}, ${JSON.stringify(entry.data)}::jsonb, ${entry.now})`,
  );
