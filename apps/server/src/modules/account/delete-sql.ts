import { type AnyTx, type Conn, execute, query, queryOne, raw, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { customerActor } from "../../lib/idempotency-store.ts";
import { lockExistingCart } from "../cart/cart-sql.ts";
import type { CustomerId } from "../identity/context.ts";
import { forgetPayments } from "../payments/method-sql.ts";

const PersonRow = z.object({ email: z.string().nullable(), open_orders: z.number(), open_payments: z.number() });

/**
 * Reasons against deleting an account. Locks its cart, orders and row until the transaction ends (docs/architecture.md, Lock
 * order): placing an order locks the cart too, so the second of the two reads the changes of the first.
 */
export async function findUnfinished(tx: AnyTx, customerId: CustomerId) {
  await lockExistingCart(tx, customerId);
  await execute(tx, sql`select id from orders where customer_id = ${customerId}::int order by id for update`);
  return queryOne(
    tx,
    sql`select c.email,
          (select count(*)::int from orders o where o.customer_id = c.id and o.status in ('future', 'open', 'pending')) as open_orders,
          (select count(*)::int from checkout_attempt a where a.customer_id = c.id and a.state in ('held', 'challenge'))
            + (select count(*)::int from payment p where p.customer_id = c.id and p.purpose is not null and p.state in ('created', 'challenge', 'authorized')) as open_payments
        from customer c where c.id = ${customerId}::int for update of c`,
    PersonRow,
  );
}

/** Tables whose rows are deleted with the customer. */
const BELONGINGS = [
  "address",
  "cart",
  "favorite_product",
  "follow",
  "endorsement",
  "subscription",
  "bundle_subscription",
  "subscription_skip",
  "thread",
  "password_reset",
  "data_export",
  "email_change",
  "auto_checkout_result",
  "identify_event",
  "problem_report",
  "customer_note",
  "order_note",
] as const;

/** A customer's data outside the database: photo files, and cards at the payment provider. */
export interface Outside {
  photos: string[];
  cards: string[];
}

/** The response to a request of the staff that is repeated after its own was removed. */
const DONE_BEFORE = [
  "This was done before. Load the page again to see how it is now.",
  { code: "done_before" },
] as const;

/** Finds a customer's data outside the database; must run before the rows are deleted. */
export async function findOutside(tx: Conn, customerId: CustomerId): Promise<Outside> {
  const row = await queryOne(
    tx,
    sql`select
          array(select p.file from problem_photo p join problem_report r on r.id = p.report_id where r.customer_id = ${customerId}::int) as photos,
          array(select provider_ref from payment_method where customer_id = ${customerId}::int and deleted_at is null) as cards`,
    z.object({ photos: z.array(z.string()), cards: z.array(z.string()) }),
  );
  return row ?? { photos: [], cards: [] };
}

/**
 * Removes the name, the reason of a hiding, and the text of an answer that only its reader got, from what the staff did with these
 * subjects of the inbox, as the audit log names them.
 */
const forgetActions = (tx: Conn, subjects: Sql): Promise<unknown> =>
  execute(
    tx,
    sql`update staff_action a set summary = summary || '{"name": ""}',
          input = case when a.kind = 'inbox_reply' and not exists (select 1 from question q where 'question:' || q.id = a.subject and q.answer is not null) then input - 'text'
            when a.kind = 'moderate' then input || '{"reason": ""}' else input end
        where a.kind in ('inbox_reply', 'inbox_close', 'moderate') and a.subject in (${subjects})`,
  );

export async function forgetBelongings(tx: Conn, customerId: CustomerId): Promise<void> {
  // An answer that only they read is theirs; one that is published stays.
  await forgetActions(
    tx,
    sql`select k.kind || ':' || k.id as subject from (
          select 'message' as kind, id, customer_id from thread union all select 'question', id, customer_id from question
          union all select 'review', id, customer_id from review union all select 'endorsement', id, customer_id from endorsement
          union all select 'problem', id, customer_id from problem_report) k where k.customer_id = ${customerId}::int`,
  );
  // What the staff answered to what is deleted, and to reviews: that is a message to their writer.
  await execute(
    tx,
    sql`delete from inbox_reply where (kind = 'problem' and item_id in (select id from problem_report where customer_id = ${customerId}::int))
          or (kind = 'message' and item_id in (select id from thread where customer_id = ${customerId}::int))
          or (kind = 'review' and item_id in (select id from review where customer_id = ${customerId}::int))`,
  );
  for (const table of BELONGINGS)
    await execute(tx, sql`delete from ${raw(table)} where customer_id = ${customerId}::int`);
  // Answered questions and reviews help others and stay without a name (failures.md L2).
  await execute(tx, sql`delete from question where customer_id = ${customerId}::int and answer is null`);
  // Why one was hidden may be about the person.
  await execute(
    tx,
    sql`update review set hidden_reason = '' where customer_id = ${customerId}::int and hidden_reason <> ''`,
  );
  await execute(
    tx,
    sql`update question set hidden_reason = '', answer_hidden_reason = ''
        where customer_id = ${customerId}::int and (hidden_reason <> '' or answer_hidden_reason <> '')`,
  );
}

const Delivered = z.object({
  id: z.number(),
  address: z.string(),
  address2: z.string().nullable(),
  zipCode: z.string(),
});

/** Removes the addresses and notes of the customer's orders. Of a street its mark stays, by which it counts as used. */
export async function forgetAddresses(
  tx: Conn,
  customerId: CustomerId,
  mark: (address: z.infer<typeof Delivered>) => string,
): Promise<void> {
  const delivered = await query(
    tx,
    sql`select id, address->>'address' as address, address->>'address2' as address2, address->>'zipCode' as "zipCode"
        from orders where customer_id = ${customerId}::int and address->>'address' <> ''`,
    Delivered,
  );
  await execute(
    tx,
    sql`update orders o set delivery_notes = '', address = case when o.address is null then null
          else jsonb_build_object('address', '', 'address2', '', 'city', o.address->>'city', 'state', o.address->>'state', 'zipCode', o.address->>'zipCode', 'instructions', '', 'mark', k.mark) end
        from orders own left join unnest(${delivered.map(({ id }) => id)}::int[], ${delivered.map(mark)}::text[]) as k(id, mark) on k.id = own.id
        where own.customer_id = ${customerId}::int and o.id = own.id`,
  );
}

/**
 * Removes other personal data: cards, mails, applications. `emails`: every address the customer has or
 * had, in lower case.
 */
export async function forgetTraces(
  tx: Conn,
  customerId: CustomerId,
  emails: readonly string[],
  now: Date,
): Promise<void> {
  await execute(tx, sql`update session set user_agent = '' where customer_id = ${customerId}::int`);
  // Stored responses repeat the request.
  await execute(tx, sql`delete from idempotency_key where actor = ${customerActor(customerId)}`);
  // Those to the staff have a person's boxes and messages, in many forms: without them a request that is repeated is refused, not done twice.
  await execute(
    tx,
    sql`update idempotency_key set status = 409, response = ${JSON.stringify(DONE_BEFORE)}::jsonb where actor like 's%' and state = 'done' and status < 300`,
  );
  await execute(tx, sql`update gift_card set message = '' where buyer_id = ${customerId}::int`);
  // One that is not sent yet is sent to the address of its mail.
  await execute(
    tx,
    sql`update gift_card set recipient_email = '' where lower(recipient_email) = any(${[...emails]}::text[])`,
  );
  await forgetPayments(tx, customerId, emails, now);
  await execute(tx, sql`update checkout_attempt set choice = '{}' where customer_id = ${customerId}::int`);
  // What the staff did with an order or a person names the customer.
  await execute(
    tx,
    sql`update staff_action set summary = summary || '{"name": ""}' where jsonb_exists(summary, 'name')
          and (subject in (select 'order:' || id from orders where customer_id = ${customerId}::int) or subject = ${`customer:${customerId}`})`,
  );
  // Its input has the addresses or the text, so it can no longer be undone.
  await execute(
    tx,
    sql`update staff_action set input = input - 'to' - 'before' where kind in ('change_place', 'write_note')
          and subject in (select 'order:' || id from orders where customer_id = ${customerId}::int)`,
  );
  await execute(
    tx,
    sql`update staff_action a set input = jsonb_set(input, '{before}', (input->'before') - own.ids)
        from (select array_agg(id::text) as ids from orders where customer_id = ${customerId}::int) own
        where a.kind = 'bulk_place' and jsonb_exists_any(a.input->'before', own.ids)`,
  );
  await execute(tx, sql`update survey_answer set comment = null where customer_id = ${customerId}::int`);
  await execute(
    tx,
    sql`update wagon_pass set status = 'lapsed', ends_on = ${now}::date, renews_on = null where customer_id = ${customerId}::int and status <> 'lapsed'`,
  );
  // A gift card for one of the addresses is still sent; sent mails are deleted by the clean-up.
  await execute(
    tx,
    sql`delete from mail where (lower(to_email) = any(${[...emails]}::text[]) and not (template = 'gift-card' and sent_at is null))
          or (lower(to_email) <> all(${[...emails]}::text[])
            and exists (select 1 from unnest(${[...emails]}::text[]) as e(email) where strpos(lower(data::text), e.email) > 0))`,
  );
  await forgetActions(
    tx,
    sql`select case l.kind when 'contact' then 'contact:' else 'application:' end || l.id as subject
        from lead l where lower(l.email) = any(${[...emails]}::text[])`,
  );
  // What the staff answered to forms, with them.
  await execute(
    tx,
    sql`with forms as (delete from lead where lower(email) = any(${[...emails]}::text[]) returning id)
        delete from inbox_reply where kind in ('contact', 'application') and item_id in (select id from forms)`,
  );
}

/** Keeps the customer's row for its orders, and records the deletion for a restored backup (failures.md L3). */
export async function emptyPerson(tx: Conn, customerId: CustomerId, now: Date): Promise<void> {
  await execute(
    tx,
    sql`update customer set email = null, email_normal = null, password_hash = null, first_name = '', last_name = '', handle = null,
          phone = null, zip_code = null, lat = null, lng = null, pickup_point_id = null, avatar_id = null, data_source = null, player_id = null, os = null, trk = null,
          utm_source = null, utm_campaign = null, auto_checkout_status = 0, subscribed_all_messages = false,
          subscribed_marketing_emails = false, subscribed_marketing_sms = false, deleted_at = ${now}
        where id = ${customerId}::int`,
  );
  await execute(
    tx,
    sql`insert into deletion (customer_id, deleted_at) values (${customerId}::int, ${now}) on conflict do nothing`,
  );
}
