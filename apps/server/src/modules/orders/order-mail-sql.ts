import { type Conn, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

const OrderMail = z.object({
  id: z.number(),
  /** Of its template. */
  template: z.string(),
  order_id: z.number(),
  created_at: z.date(),
  /** Null: it is not sent yet. */
  sent_at: z.date().nullable(),
  /** Its data had a code, which is gone once it is sent. */
  is_secret: z.boolean(),
});
/** A mail to the customer of an order. */
export type OrderMail = z.infer<typeof OrderMail>;

/** The mails about these orders: every mail whose data names an order goes to its customer. */
const ofOrders = (orderIds: readonly number[]): Sql => sql`m.data->>'orderId' = any(${orderIds.map(String)}::text[])`;
const columns = sql`m.id, m.template, (m.data->>'orderId')::int as order_id, m.created_at, m.sent_at, m.is_secret`;

/** The mails about these orders, oldest first. Sent ones are kept for 90 days. */
export const findOrderMails = (db: Conn, orderIds: readonly number[]): Promise<OrderMail[]> =>
  query(db, sql`select ${columns} from mail m where ${ofOrders(orderIds)} order by m.created_at, m.id`, OrderMail);

/** One of them by its id. Null: it is not about these orders. */
export const findOrderMail = async (db: Conn, orderIds: readonly number[], mailId: number): Promise<OrderMail | null> =>
  (await queryOne(
    db,
    sql`select ${columns} from mail m where m.id = ${mailId}::int and ${ofOrders(orderIds)}`,
    OrderMail,
  )) ?? null;
