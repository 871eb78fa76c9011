import { type AnyTx, type Conn, enqueued, execute, query, type Sql, sql, waits } from "@marketday/db";
import { z } from "zod";

export interface NewMail {
  /** The event: "order-confirmation:123456789". One mail per event (failures.md V9). */
  key: string;
  template: string;
  customerId: number;
  data: Record<string, unknown>;
  now: Date;
  /** Sent at this instant or later; default: immediately. */
  notBefore?: Date;
}

/**
 * The last clauses of a `with` whose `written` inserts mails and returns their ids: enqueues the mails that are due and notifies
 * the senders.
 */
export const enqueueJobs = (now: Date): Sql => sql`
  queued as (${enqueued("mail", sql`select w.id from written w where w.next_at is null or w.next_at <= ${now}`)}),
  notified as (select pg_notify('mail', '') from queued limit 1)`;

/** Inserts a mail to a customer, in the transaction that causes it. A second mail with the same key is dropped. */
export async function enqueueMail(tx: Conn, mail: NewMail): Promise<void> {
  await execute(
    tx,
    sql`with written as (
          insert into mail (key, template, to_email, data, next_at, created_at)
          select ${mail.key}, ${mail.template}, c.email, ${JSON.stringify(mail.data)}::jsonb, ${mail.notBefore ?? null}::timestamptz, ${mail.now}
          from customer c where c.id = ${mail.customerId}::int and c.email is not null
          on conflict (key) do nothing returning id, next_at), ${enqueueJobs(mail.now)} select from notified`,
  );
}

/** Mails that are not sent yet and wait for one of these refunds: their data names it in `refundIds`. */
const ofRefunds = (refundIds: readonly string[]): Sql =>
  sql`sent_at is null and jsonb_exists_any(coalesce(data->'refundIds', '[]'), ${[...refundIds]}::text[])`;

/** Sends the mails that wait for these refunds now, except those that also wait for another one, which is not requested yet. */
export const sendRefundMails = (db: Conn, refundIds: readonly string[], now: Date): Promise<number> =>
  execute(
    db,
    sql`with written as (update mail set next_at = ${now} where ${ofRefunds(refundIds)} and next_at > ${now}
            and not exists (select 1 from refund r where r.state = 'created' and jsonb_exists(data->'refundIds', r.id::text) and r.id <> all(${[...refundIds]}::uuid[]))
          returning id, next_at),
        ${enqueueJobs(now)} select from notified`,
  );

/**
 * Whether a mail about this refund waits for its result (`sendRefundMails`): it has the state of then. One that is due may be on its
 * way already. Locks it, so that it is not sent before the caller's transaction ends.
 */
export const hasWaitingRefundMail = async (tx: AnyTx, refundId: string, now: Date): Promise<boolean> =>
  (await execute(
    tx,
    sql`select id from mail where ${ofRefunds([refundId])} and next_at > ${now} order by id for update`,
  )) > 0;

/**
 * Enqueues a mail again, to a customer's present address: the same template and data with another key.
 * @returns false: it was enqueued before, there is no such mail, or the customer has no address
 */
export const copyMail = async (
  tx: Conn,
  copy: { mailId: number; key: string; customerId: number; now: Date },
): Promise<boolean> =>
  (
    await query(
      tx,
      sql`with written as (
            insert into mail (key, template, to_email, data, created_at)
            select ${copy.key}, m.template, c.email, m.data, ${copy.now}
            from mail m, customer c where m.id = ${copy.mailId}::int and not m.is_secret and c.id = ${copy.customerId}::int and c.email is not null
            on conflict (key) do nothing returning id, next_at), ${enqueueJobs(copy.now)}
          select w.id from written w left join notified on true`,
      z.object({ id: z.number() }),
    )
  ).length > 0;

export interface MailTo extends Omit<NewMail, "customerId" | "notBefore"> {
  /** An address, also of a person who is not a customer. */
  to: string;
  /** Sent at this instant or later; null: immediately. */
  notBefore: Date | null;
  /** The data is deleted when the mail has been sent. */
  isSecret: boolean;
}

/** Inserts a mail to any address. */
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
 * Enqueues the mails that are due and have no job: scheduled mails, and mails whose job was lost (a restored backup).
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
