import { type Conn, execute, queryOne, sql, query } from "@marketday/db";
import { ANSWER_LINK_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";
import { z } from "zod";

import { newUuid } from "../../lib/tokens.ts";

/** What a vendor answers: a thread of the inbox, a question about a product or a review. */
export const SUBJECTS = ["thread", "question", "review"] as const;
export type Subject = (typeof SUBJECTS)[number];

const LinkRow = z.object({
  id: z.string(),
  vendor_id: z.number(),
  subject: z.enum(SUBJECTS),
  subject_id: z.number(),
  expires_at: z.date(),
  used_at: z.date().nullable(),
  revoked_at: z.date().nullable(),
});
export type LinkRow = z.infer<typeof LinkRow>;

const linkColumns = sql`id, vendor_id, matter as subject, matter_id as subject_id, expires_at, used_at, revoked_at`;

export const findLink = (conn: Conn, id: string): Promise<LinkRow | null> =>
  queryOne(conn, sql`select ${linkColumns} from answer_link where id = ${id}::uuid`, LinkRow);

/**
 * The live link of a subject, valid for another 30 days: the existing one, also if it expired unused, or a new one. One per subject
 * (unique index), so that the link of an older mail works until the subject is answered.
 */
export async function issueLink(
  tx: Conn,
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

/** Spends a live link; null if it is used, revoked, expired or unknown. One statement: concurrent answers spend it once. */
export const spendLink = (tx: Conn, id: string, now: Date): Promise<LinkRow | null> =>
  queryOne(
    tx,
    sql`update answer_link set used_at = ${now}
        where id = ${id}::uuid and used_at is null and revoked_at is null and expires_at > ${now}
        returning ${linkColumns}`,
    LinkRow,
  );

/** Revokes the live link of a subject: the link in mails stops working. False if there was none. */
export const revokeLink = async (conn: Conn, subject: Subject, subjectId: number, now: Date): Promise<boolean> =>
  (await execute(
    conn,
    sql`update answer_link set revoked_at = ${now}
        where matter = ${subject} and matter_id = ${subjectId}::int and used_at is null and revoked_at is null`,
  )) > 0;

const SubjectDetails = z.object({
  vendor: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  product: z.string().nullable(),
  product_slug: z.string().nullable(),
  rating_halves: z.number().nullable(),
  answer: z.string().nullable(),
  /** At most 20, the latest last; instants as JSON strings. */
  messages: z.array(z.object({ sender: z.enum(["C", "U"]), created_at: z.string(), message: z.string() })),
});
export type SubjectDetails = z.infer<typeof SubjectDetails>;

/** What a vendor may see of a subject: the customer's name, the messages and the product. Null if it was deleted. */
export function findSubjectDetails(
  conn: Conn,
  { subject, subject_id }: Pick<LinkRow, "subject" | "subject_id">,
): Promise<SubjectDetails | null> {
  if (subject === "thread")
    return queryOne(
      conn,
      sql`select v.name as vendor, c.first_name, c.last_name, null::text as product, null::text as product_slug, null::int as rating_halves,
            null::text as answer, (select coalesce(jsonb_agg(jsonb_build_object('sender', m.sender, 'created_at', m.created_at, 'message', m.message) order by m.created_at, m.id), '[]')
             from (select * from message where thread_id = t.id order by created_at desc, id desc limit 20) m) as messages
          from thread t join vendor v on v.id = t.vendor_id join customer c on c.id = t.customer_id where t.id = ${subject_id}::int`,
      SubjectDetails,
    );
  const isQuestion = subject === "question";
  return queryOne(
    conn,
    sql`select v.name as vendor, c.first_name, c.last_name, p.title as product, p.slug as product_slug,
          ${isQuestion ? sql`null::int` : sql`q.rating_halves`} as rating_halves, ${isQuestion ? sql`q.answer` : sql`null::text`} as answer,
          jsonb_build_array(jsonb_build_object('sender', 'C', 'created_at', q.created_at, 'message', ${isQuestion ? sql`q.question` : sql`q.comment`})) as messages
        from ${isQuestion ? sql`question` : sql`review`} q join product p on p.id = q.product_id join vendor v on v.id = p.vendor_id
          join customer c on c.id = q.customer_id where q.id = ${subject_id}::int`,
    SubjectDetails,
  );
}

/** Answers an open question; null if it was deleted or answered. */
export const answerQuestion = (
  tx: Conn,
  questionId: number,
  answer: string,
  now: Date,
): Promise<{ customer_id: number } | null> =>
  queryOne(
    tx,
    sql`update question set answer = ${answer}, answered_at = ${now} where id = ${questionId}::int and answer is null returning customer_id`,
    z.object({ customer_id: z.number() }),
  );

/** The customer of a thread (locked) or a review; null if it was deleted. */
export const findCustomerOf = (
  tx: Conn,
  subject: "thread" | "review",
  subjectId: number,
): Promise<{ customer_id: number; vendor_id: number } | null> =>
  queryOne(
    tx,
    subject === "thread"
      ? sql`select customer_id, vendor_id from thread where id = ${subjectId}::int for update`
      : sql`select r.customer_id, p.vendor_id from review r join product p on p.id = r.product_id
          join customer c on c.id = r.customer_id and c.deleted_at is null where r.id = ${subjectId}::int`,
    z.object({ customer_id: z.number(), vendor_id: z.number() }),
  );

/** A vendor's email address; null if there is none. */
export const findVendorEmail = async (conn: Conn, vendorId: number): Promise<string | null> =>
  (
    await queryOne(
      conn,
      sql`select email from vendor where id = ${vendorId}::int`,
      z.object({ email: z.string().nullable() }),
    )
  )?.email ?? null;

/** Locks the thread of a customer and a vendor until the transaction ends; inserts it if there is none. */
export async function lockThreadWith(tx: Conn, customerId: number, vendorId: number, now: Date): Promise<number> {
  const row = await queryOne(
    tx,
    sql`insert into thread (customer_id, vendor_id, updated_at) values (${customerId}::int, ${vendorId}::int, ${now})
        on conflict (customer_id, vendor_id) do update set updated_at = thread.updated_at returning id`,
    z.object({ id: z.number() }),
  );
  if (!row) throw new Error("no thread");
  return row.id;
}

/** Adds a message to a locked thread and returns its id. A customer's message marks the thread read. */
export async function insertMessage(
  tx: Conn,
  threadId: number,
  { sender, message, now }: { sender: "C" | "U"; message: string; now: Date },
): Promise<number> {
  const row = await queryOne(
    tx,
    sql`insert into message (thread_id, sender, message, created_at) values (${threadId}::int, ${sender}, ${message}, ${now}) returning id`,
    z.object({ id: z.number() }),
  );
  if (!row) throw new Error("no message");
  await execute(
    tx,
    sender === "C"
      ? sql`update thread set updated_at = ${now}, read_at = ${now} where id = ${threadId}::int`
      : sql`update thread set updated_at = ${now} where id = ${threadId}::int`,
  );
  return row.id;
}

const VendorMessage = z.object({ vendor: z.string(), message: z.string(), thread_id: z.number() });
export type VendorMessage = z.infer<typeof VendorMessage>;

/** A message of a thread, for its mail; null when it was deleted. */
export const findMessageForMail = (conn: Conn, messageId: number): Promise<VendorMessage | null> =>
  queryOne(
    conn,
    sql`select v.name as vendor, m.message, t.id as thread_id from message m join thread t on t.id = m.thread_id
        join vendor v on v.id = t.vendor_id where m.id = ${messageId}::int`,
    VendorMessage,
  );

const AnsweredQuestion = z.object({
  vendor: z.string(),
  product: z.string(),
  slug: z.string(),
  question: z.string(),
  answer: z.string(),
});
export type AnsweredQuestion = z.infer<typeof AnsweredQuestion>;

/** A question with its answer; null when it has none. */
export const findAnsweredQuestion = (conn: Conn, questionId: number): Promise<AnsweredQuestion | null> =>
  queryOne(
    conn,
    sql`select v.name as vendor, p.title as product, p.slug, q.question, q.answer from question q
        join product p on p.id = q.product_id join vendor v on v.id = p.vendor_id
        where q.id = ${questionId}::int and q.answer is not null`,
    AnsweredQuestion,
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

/** Threads whose last message is a customer's, and open questions, oldest first, of one vendor (slug) or of all. */
export const findWaiting = (db: Conn, vendor: string | null, most: number): Promise<WaitingRow[]> =>
  query(
    db,
    sql`select * from (
          select 'thread' as subject, t.id, v.slug as vendor, trim(c.first_name || ' ' || c.last_name) as customer, '' as about, m.message, m.created_at as asked_at,
            coalesce((select h.time_zone from hub h where h.id = c.hub_id), 'UTC') as time_zone
          from thread t join vendor v on v.id = t.vendor_id join customer c on c.id = t.customer_id
          join lateral (select * from message m where m.thread_id = t.id order by m.created_at desc, m.id desc limit 1) m on m.sender = 'C'
          union all
          select 'question', q.id, v.slug, trim(c.first_name || ' ' || c.last_name), p.title, q.question, q.created_at,
            coalesce((select h.time_zone from hub h where h.id = c.hub_id), 'UTC')
          from question q join product p on p.id = q.product_id join vendor v on v.id = p.vendor_id join customer c on c.id = q.customer_id where q.answer is null) as w
        where ${vendor}::text is null or vendor = ${vendor} order by asked_at, subject, id limit ${most}::int`,
    WaitingRow,
  );

/** Whether the question, or the thread's last message, already has this answer. Locks the row until the transaction ends. */
export async function isAnsweredWith(
  tx: Conn,
  { subject, subjectId }: { subject: Subject; subjectId: number },
  text: string,
) {
  if (subject === "review") return false;
  const locked =
    subject === "question"
      ? sql`select q.answer as last from question q where q.id = ${subjectId}::int for update`
      : sql`select (select case when m.sender = 'U' then m.message end from message m where m.thread_id = t.id order by m.created_at desc, m.id desc limit 1) as last
            from thread t where t.id = ${subjectId}::int for update`;
  const [row] = await query(tx, locked, z.object({ last: z.string().nullable() }));
  return row?.last === text;
}
