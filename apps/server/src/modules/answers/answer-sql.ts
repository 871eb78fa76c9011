import { type AnyTx, type Conn, query, queryOne, type Sql, sql } from "@marketday/db";
import { ANSWER_LINK_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";
import { z } from "zod";

import { newUuid } from "../../lib/tokens.ts";
import { type Subject, SUBJECTS } from "./store.ts";

/**
 * The live link of a subject, valid for another 30 days: the existing one, also if it expired unused, or a new one. One per subject
 * (unique index), so that the link of an older mail works until the subject is answered.
 */
export async function issueLink(
  tx: AnyTx,
  { vendorId, subject, subjectId, now }: { vendorId: number; subject: Subject; subjectId: number; now: Date },
): Promise<string> {
  const row = await queryOne(
    tx,
    sql`insert into answer_link (id, vendor_id, matter, matter_id, created_at, expires_at)
        values (${newUuid()}::uuid, ${vendorId}::int, ${subject}, ${subjectId}::int, ${now}, ${addMs(now, ANSWER_LINK_MS)})
        on conflict (matter, matter_id) where used_at is null and revoked_at is null do update set expires_at = excluded.expires_at
        returning id`,
    z.object({ id: z.string() }),
  );
  if (!row) throw new Error("no link");
  return row.id;
}

/** Locks a vendor's email address until the transaction ends, so that an import revokes the links that are sent to it; null if there is none. */
export const lockVendorEmail = async (tx: AnyTx, vendorId: number): Promise<string | null> =>
  (
    await queryOne(
      tx,
      sql`select email from vendor where id = ${vendorId}::int for share`,
      z.object({ email: z.string().nullable() }),
    )
  )?.email ?? null;

const People = z.object({ customer_id: z.number(), vendor_id: z.number() });
type People = z.infer<typeof People>;

/** Locks a thread until the transaction ends and returns whose it is; null if it was deleted. */
export const lockThreadById = (tx: AnyTx, threadId: number): Promise<People | null> =>
  queryOne(tx, sql`select customer_id, vendor_id from thread where id = ${threadId}::int for update`, People);

/** Locks a review until the transaction ends and returns whose it is; null if it or its customer's account was deleted. */
export const lockReviewById = (tx: AnyTx, reviewId: number): Promise<People | null> =>
  queryOne(
    tx,
    sql`select r.customer_id, p.vendor_id from review r join product p on p.id = r.product_id join customer c on c.id = r.customer_id
        where r.id = ${reviewId}::int and c.deleted_at is null for update of r`,
    People,
  );

const WaitingRow = z.object({
  subject: z.enum(SUBJECTS),
  id: z.number(),
  vendor: z.string(),
  customer: z.string(),
  about: z.string(),
  message: z.string(),
  asked_at: z.date(),
  /** Of the customer's hub. */
  time_zone: z.string(),
});
/** A message or question that waits for an answer. */
export type WaitingRow = z.infer<typeof WaitingRow>;

/** Whether the staff closed an item of the inbox after it was written: no answer is needed. */
export const isClosed = (kind: "message" | "question", id: Sql, at: Sql): Sql =>
  sql`exists (select 1 from inbox_state s where s.kind = ${kind} and s.item_id = ${id} and s.closed_at >= ${at})`;

/** Whether the subject of a link `l` waits for an answer in the inbox. A review does not. */
export const isLinkWaiting: Sql = sql`case l.matter
  when 'thread' then exists (
    select 1 from (select m.sender, m.created_at from message m where m.thread_id = l.matter_id order by m.created_at desc, m.id desc limit 1) m
    where m.sender = 'C' and not ${isClosed("message", sql`l.matter_id`, sql`m.created_at`)})
  when 'question' then exists (
    select 1 from question q where q.id = l.matter_id and q.answer is null and q.hidden_at is null and not ${isClosed("question", sql`q.id`, sql`q.created_at`)})
  else false end`;

/** Threads whose last message is a customer's, and open questions, oldest first, of one vendor (slug) or of all. */
export const findWaiting = (db: Conn, vendor: string | null, most: number): Promise<WaitingRow[]> =>
  query(
    db,
    sql`select * from (
          select 'thread' as subject, t.id, v.slug as vendor, trim(c.first_name || ' ' || c.last_name) as customer, '' as about, m.message, m.created_at as asked_at,
            coalesce((select h.time_zone from hub h where h.id = c.hub_id), 'UTC') as time_zone
          from thread t join vendor v on v.id = t.vendor_id join customer c on c.id = t.customer_id
          join lateral (select * from message m where m.thread_id = t.id order by m.created_at desc, m.id desc limit 1) m on m.sender = 'C' and not ${isClosed("message", sql`t.id`, sql`m.created_at`)}
          union all
          select 'question', q.id, v.slug, trim(c.first_name || ' ' || c.last_name), p.title, q.question, q.created_at,
            coalesce((select h.time_zone from hub h where h.id = c.hub_id), 'UTC')
          from question q join product p on p.id = q.product_id join vendor v on v.id = p.vendor_id join customer c on c.id = q.customer_id where q.answer is null and q.hidden_at is null and not ${isClosed("question", sql`q.id`, sql`q.created_at`)}) as w
        where ${vendor}::text is null or vendor = ${vendor} order by asked_at, subject, id limit ${most}::int`,
    WaitingRow,
  );

/** Whether the question, or the thread's last message, already has this answer. Locks the row until the transaction ends. */
export async function isAnsweredWith(
  tx: AnyTx,
  { subject, subjectId }: { subject: Subject; subjectId: number },
  text: string,
): Promise<boolean> {
  if (subject === "review") return false;
  const locked =
    subject === "question"
      ? sql`select q.answer as last from question q where q.id = ${subjectId}::int for update`
      : sql`select (select case when m.sender = 'U' then m.message end from message m where m.thread_id = t.id order by m.created_at desc, m.id desc limit 1) as last
            from thread t where t.id = ${subjectId}::int for update`;
  const [row] = await query(tx, locked, z.object({ last: z.string().nullable() }));
  return row?.last === text;
}
