import { type Conn, enqueued, execute, queryOne, type Sql, sql, waits } from "@marketday/db";
import { z } from "zod";

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
 * and the senders are notified.
 */
export const enqueueJobs = (now: Date): Sql => sql`
  queued as (${enqueued("mail", sql`select w.id from written w where w.next_at is null or w.next_at <= ${now}`)}),
  notified as (select pg_notify('mail', '') from queued limit 1)`;

/** Writes a mail with what caused it, in the same transaction. A second one for the event is dropped. */
export async function enqueueMail(tx: Conn, mail: NewMail): Promise<void> {
  await execute(
    tx,
    sql`with written as (
          insert into mail (key, template, to_email, data, created_at)
          select ${mail.key}, ${mail.template}, c.email, ${JSON.stringify(mail.data)}::jsonb, ${mail.now}
          from customer c where c.id = ${mail.customerId}::int and c.email is not null
          on conflict (key) do nothing returning id, next_at), ${enqueueJobs(mail.now)} select from notified`,
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
          on conflict (key) do nothing returning id, next_at), ${enqueueJobs(mail.now)} select from notified`,
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
