import { type AnyTx, execute, query, type Sql, sql } from "@marketday/db";
import { z } from "zod";

/** `orders.charge_error` of a charge that the bank needs the shopper to confirm. */
export const UNCONFIRMED = "The bank needs the shopper to confirm this payment.";

/** The condition that the shopper was mailed that an order could not be charged: its card was refused, or there was none. */
export const isMailed = (order: Sql): Sql =>
  sql`exists (select 1 from mail m where m.key in ('payment-failed:' || ${order}.id, 'payment-unconfirmed:' || ${order}.id))`;

const SetAsideRow = z.object({ id: z.number(), is_refused: z.boolean() });
/** An order that could not be charged. `is_refused`: its card was refused, or there was none. */
type SetAside = z.infer<typeof SetAsideRow>;

/** Locks and reads a customer's orders that could not be charged. Orders are locked before their customer. */
export const lockSetAside = (tx: AnyTx, customerId: number): Promise<SetAside[]> =>
  query(
    tx,
    sql`select o.id, ${isMailed(sql`o`)} as is_refused from orders o
        where o.customer_id = ${customerId}::int and o.charge_failed_at is not null order by o.id for no key update of o`,
    SetAsideRow,
  );

/** Whether the bank wants the renewed hold of an open order confirmed: the default card is charged when the order closes. */
export const hasUnconfirmedHold = async (tx: AnyTx, customerId: number): Promise<boolean> =>
  (
    await query(
      tx,
      sql`select o.id from orders o join payment p on p.id = o.payment_id
          where o.customer_id = ${customerId}::int and o.status in ('open', 'future') and p.state = 'authorized' and p.unconfirmed_at is not null limit 1`,
      z.object({ id: z.number() }),
    )
  ).length > 0;

/** Locked orders that could not be charged are charged again at once: there is another card. */
export const chargeAgain = (tx: AnyTx, orders: readonly SetAside[], now: Date) =>
  execute(
    tx,
    sql`update orders set charge_next_at = ${now} where id = any(${orders.map(({ id }) => id)}::int[]) and charge_failed_at is not null`,
  );
