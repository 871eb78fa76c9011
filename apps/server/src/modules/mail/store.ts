import { type Conn, enqueued, execute, queryOne, type Sql, sql, waits } from "@marketday/db";
import { z } from "zod";

import { lineNameSql } from "../../lib/line-name.ts";

export interface NewMail {
  /** The event, "order-confirmation:123456789": one event has one mail (failures.md V9). */
  key: string;
  template: string;
  customerId: number;
  data: Record<string, unknown>;
  now: Date;
}

/**
 * The end of a statement that wrote mails as `written`, ids returned, in its `with`: what is due of them goes to the queue,
 * and whoever sends wakes.
 */
export const enqueueJobs = (now: Date): Sql => sql`
  queued as (${enqueued("mail", sql`select w.id from written w where w.next_at is null or w.next_at <= ${now}`)}),
  told as (select pg_notify('mail', '') from queued limit 1)`;

/** Writes a mail with what caused it, in the same transaction. A second one for the event is dropped. */
export async function enqueueMail(tx: Conn, mail: NewMail): Promise<void> {
  await execute(
    tx,
    sql`with written as (
          insert into mail (key, template, to_email, data, created_at)
          select ${mail.key}, ${mail.template}, c.email, ${JSON.stringify(mail.data)}::jsonb, ${mail.now}
          from customer c where c.id = ${mail.customerId}::int and c.email is not null
          on conflict (key) do nothing returning id, next_at), ${enqueueJobs(mail.now)} select from told`,
  );
}

export interface MailTo extends Omit<NewMail, "customerId"> {
  /** An address that is no customer's. */
  to: string;
  /** Not before this instant; null: at once. */
  notBefore: Date | null;
  /** The data is forgotten once the mail is out. */
  isSecret: boolean;
}

/** Writes a mail to anybody, perhaps for later. */
export async function enqueueMailTo(tx: Conn, mail: MailTo): Promise<void> {
  await execute(
    tx,
    sql`with written as (
          insert into mail (key, template, to_email, data, is_secret, next_at, created_at)
          values (${mail.key}, ${mail.template}, ${mail.to}, ${JSON.stringify(mail.data)}::jsonb, ${mail.isSecret}, ${mail.notBefore}, ${mail.now})
          on conflict (key) do nothing returning id, next_at), ${enqueueJobs(mail.now)} select from told`,
  );
}

/**
 * Hands to the queue what is due and not in it: mails for later whose hour has come, and any whose job was lost (a restored
 * backup).
 */
export const enqueueDue = (db: Conn, now: Date): Promise<number> =>
  execute(
    db,
    enqueued(
      "mail",
      sql`select m.id from mail m where m.sent_at is null and (m.next_at is null or m.next_at <= ${now}) and not ${waits("mail", sql`m.id`)}
          order by m.id limit 1000`,
    ),
  );

export const MailRow = z.object({
  id: z.number(),
  key: z.string(),
  template: z.string(),
  to_email: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type MailRow = z.infer<typeof MailRow>;

/** A mail that is still to be sent; null: it is out, is gone, or has time. */
export const findUnsent = (db: Conn, id: number, now: Date): Promise<MailRow | null> =>
  queryOne(
    db,
    sql`select id, key, template, to_email, data from mail where id = ${id}::int and sent_at is null and (next_at is null or next_at <= ${now})`,
    MailRow,
  );

export const markSent = (db: Conn, id: number, now: Date) =>
  execute(
    db,
    sql`update mail set sent_at = ${now}, attempts = attempts + 1, last_error = null, data = case when is_secret then '{}' else data end
        where id = ${id}::int`,
  );

/** It was not taken: what an operator reads of it. */
export const markUnsent = (db: Conn, id: number, error: string) =>
  execute(
    db,
    sql`update mail set attempts = attempts + 1, last_error = ${error.slice(0, 500)} where id = ${id}::int and sent_at is null`,
  );

const ReaderRow = z.object({ customer_id: z.number(), wants_messages: z.boolean() });

/** Whose address it is, and whether they want the market's messages; null: nobody's any more. */
export const findRecipient = (db: Conn, email: string) =>
  queryOne(
    db,
    sql`select id as customer_id, subscribed_all_messages as wants_messages from customer where email = ${email} and deleted_at is null`,
    ReaderRow,
  );

/** Ends the market's messages to a customer; false when there is no such customer any more. */
export const unsubscribeRecipient = async (db: Conn, customerId: number): Promise<boolean> =>
  (await execute(
    db,
    sql`update customer set subscribed_all_messages = false, subscribed_marketing_emails = false
        where id = ${customerId}::int and deleted_at is null`,
  )) === 1;

const LineRow = z.object({
  /** The number of the box: what people know an order and its add-ons by (`docs/product.md` §17). */
  order_id: z.number(),
  /** The day an add-on was ordered, `YYYY-MM-DD` in the market's zone; null: the mail is about the first order, or the whole box. */
  added_on: z.string().nullable(),
  market: z.string(),
  time_zone: z.string(),
  first_name: z.string(),
  type: z.enum(["delivery", "pickup"]),
  status: z.string(),
  day: z.string(),
  cutoff_at: z.date(),
  address: z
    .object({ address: z.string(), address2: z.string(), city: z.string(), state: z.string(), zipCode: z.string() })
    .nullable(),
  pickup: z
    .object({ name: z.string(), address: z.string(), city: z.string(), state: z.string(), hours: z.string() })
    .nullable(),
  items: z.array(
    z.object({
      title: z.string(),
      vendor: z.string(),
      quantity: z.number(),
      cents: z.number(),
      added_on: z.string().nullable(),
    }),
  ),
  items_cents: z.number(),
  discount_cents: z.number(),
  tip_cents: z.number(),
  tax_cents: z.number(),
  card_fee_cents: z.number(),
  delivery_fee_cents: z.number(),
  order_total_cents: z.number(),
  credit_cents: z.number(),
  /** What is held on the card and not charged yet; 0 without a card. */
  authorized_cents: z.number(),
});
export type OrderForMail = z.infer<typeof LineRow>;

/**
 * An order as mails describe it: its own lines and amounts, or (`whole`) those of everything that still comes in its box. Null:
 * there is none, or nothing of the box is left.
 */
export const findOrderForMail = (db: Conn, orderId: number, whole: boolean): Promise<OrderForMail | null> =>
  queryOne(
    db,
    sql`with asked as (select coalesce(add_on_to_id, id) as box_id from orders where id = ${orderId}::int),
          parts as (
            select m.*, case when m.add_on_to_id is not null then to_char(m.created_at at time zone h.time_zone, 'YYYY-MM-DD') end as added_on
            from asked join orders m on m.id = asked.box_id or m.add_on_to_id = asked.box_id join hub h on h.id = m.hub_id
            where case when ${whole} then m.status <> 'cancelled' else m.id = ${orderId}::int end)
        select o.id as order_id, case when ${whole} then null else (select added_on from parts) end as added_on,
          h.name as market, h.time_zone, coalesce(c.first_name, '') as first_name, o.type, o.status,
          to_char(d.day, 'YYYY-MM-DD') as day, d.cutoff_at,
          case when o.address is null then null else jsonb_build_object('address', o.address->>'address', 'address2', coalesce(o.address->>'address2', ''),
            'city', o.address->>'city', 'state', o.address->>'state', 'zipCode', o.address->>'zipCode') end as address,
          (select jsonb_build_object('name', p.name, 'address', p.address, 'city', p.city, 'state', p.state, 'hours', p.hours)
           from pickup_point p where p.id = o.pickup_point_id) as pickup,
          (select coalesce(jsonb_agg(jsonb_build_object('title', ${lineNameSql("i.")}, 'added_on', m.added_on,
             'vendor', v.name, 'quantity', i.quantity, 'cents', i.quantity * i.unit_price_cents)
             order by m.add_on_to_id nulls first, m.created_at, m.id, v.name, i.id), '[]')
           from parts m join order_item i on i.order_id = m.id join vendor v on v.id = i.vendor_id where i.quantity > 0) as items,
          total.*,
          coalesce((select sum(y.amount_cents)::int from parts m join payment y on y.id = m.payment_id
            where y.provider <> 'offline' and y.state = 'authorized'), 0) as authorized_cents
        from asked join orders o on o.id = asked.box_id
        join (select sum(items_cents)::int as items_cents, sum(discount_cents)::int as discount_cents, sum(tip_cents)::int as tip_cents,
            sum(tax_cents)::int as tax_cents, sum(card_fee_cents)::int as card_fee_cents, sum(delivery_fee_cents)::int as delivery_fee_cents,
            sum(order_total_cents)::int as order_total_cents, sum(credit_cents)::int as credit_cents
          from parts having count(*) > 0) total on true
        join hub h on h.id = o.hub_id join delivery d on d.id = o.delivery_id left join customer c on c.id = o.customer_id`,
    LineRow,
  );
