import { type AnyTx, type Conn, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { BorneRefund, borneRefunds } from "../payments/bearer-sql.ts";
import { isWithBank } from "../payments/moved-sql.ts";
import { isCharging } from "../payments/order-charge-sql.ts";
import { isGoodwill } from "../payments/refund-sql.ts";
import { EditableOrder, editableColumns } from "./edit-sql.ts";

const OrderForSupport = EditableOrder.extend({
  customer_id: z.number().nullable(),
  /** The customer its sale is booked with. */
  booked_customer_id: z.number().nullable(),
  /** False: its account was deleted. */
  has_account: z.boolean(),
  delivery_id: z.number(),
  add_on_to_id: z.number().nullable(),
  provider: z.string().nullable(),
  payment_state: z.string().nullable(),
  /** The captured amount that has not been refunded. */
  left_cents: z.number(),
  /** The part of the goodwill that was refunded to the card. */
  goodwill_card_cents: z.number(),
  /** The part of the goodwill that the shopper's bank has taken back. */
  bank_cents: z.number(),
  /** A charge is in progress, so its result is not known yet. */
  is_charging: z.boolean(),
  /** When the charge first failed; null: it has not. */
  charge_failed_at: z.date().nullable(),
  written_off_at: z.date().nullable(),
  /** Its goodwill that vendors bear. */
  borne: z.array(BorneRefund),
});
/** An order in any state with its payment, for operators. Amounts in cents. */
export type OrderForSupport = z.infer<typeof OrderForSupport>;

/** Locks and returns an order in any state. Null: it does not exist. */
export async function lockOrderForSupport(tx: AnyTx, orderId: number): Promise<OrderForSupport | null> {
  const [locked] = await query(
    tx,
    sql`select id from orders where id = ${orderId}::int for update`,
    z.object({ id: z.number() }),
  );
  if (!locked) return null;
  return queryOne(tx, sql`${supported} where o.id = ${orderId}::int`, OrderForSupport);
}

/** These orders in any state, without a lock. */
export const findOrdersForSupport = (db: Conn, orderIds: readonly number[]): Promise<OrderForSupport[]> =>
  query(db, sql`${supported} where o.id = any(${[...orderIds]}::int[])`, OrderForSupport);

const supported = sql`select ${editableColumns}, o.customer_id, o.delivery_id, o.add_on_to_id,
          (select max(e.customer_id) from ledger_transaction t join ledger_entry e on e.transaction_id = t.id where t.order_id = o.id and e.account = 'shopper') as booked_customer_id,
          exists (select 1 from customer c where c.id = o.customer_id and c.deleted_at is null) as has_account, p.provider, p.state as payment_state,
          greatest(0, coalesce(p.captured_cents - p.refunded_cents, 0)) as left_cents,
          coalesce((select sum(amount_cents)::int from refund r where r.order_id = o.id and ${isWithBank(sql`r`)}), 0) as bank_cents,
          coalesce((select sum(amount_cents)::int from refund r where r.order_id = o.id and ${isGoodwill(sql`r`)} and r.state <> 'failed'
            and r.destination = 'card'), 0) as goodwill_card_cents,
          o.charge_failed_at, o.written_off_at, ${borneRefunds(sql`o.id`)} as borne,
          ${isCharging} or (o.status = 'pending' and coalesce(p.provider, '') <> 'offline' and exists (
            select 1 from delivery_run r where r.delivery_id = o.delivery_id and r.step = 'cutoff' and r.state = 'running')) as is_charging
        from orders o join delivery d on d.id = o.delivery_id join hub h on h.id = o.hub_id left join payment p on p.id = o.payment_id`;

const Id = z.object({ id: z.number() });

/** Locks these orders in id order. */
export const lockOrders = (tx: AnyTx, orderIds: readonly number[]): Promise<unknown> =>
  query(tx, sql`select id from orders where id = any(${[...orderIds]}::int[]) order by id for update`, Id);

/** Locks these orders, then the offers of all their lines in one statement and in id order (failures.md A3). */
export async function lockOrdersAndOffers(tx: AnyTx, orderIds: readonly number[]): Promise<void> {
  const ids = [...orderIds];
  await lockOrders(tx, ids);
  await query(
    tx,
    sql`select f.id from offer f
        where (f.variant_id, f.hub_id) in (
          select i.variant_id, o.hub_id from order_item i join orders o on o.id = i.order_id where o.id = any(${ids}::int[]) and i.quantity > 0)
        order by f.id for update`,
    Id,
  );
}
