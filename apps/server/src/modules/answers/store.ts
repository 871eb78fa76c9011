import { type Conn, execute, queryOne, sql } from "@marketday/db";
import { ANSWER_LINK_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";
import { z } from "zod";

import { newUuid } from "../../lib/tokens.ts";

/** What a vendor answers: a thread of the inbox, a question about a product or a review. */
export const MATTERS = ["thread", "question", "review"] as const;
export type Matter = (typeof MATTERS)[number];

const LinkRow = z.object({
  id: z.string(),
  vendor_id: z.number(),
  matter: z.enum(MATTERS),
  matter_id: z.number(),
  expires_at: z.date(),
  used_at: z.date().nullable(),
  revoked_at: z.date().nullable(),
});
export type LinkRow = z.infer<typeof LinkRow>;

export const findLink = (conn: Conn, id: string): Promise<LinkRow | null> =>
  queryOne(
    conn,
    sql`select id, vendor_id, matter, matter_id, expires_at, used_at, revoked_at from answer_link where id = ${id}::uuid`,
    LinkRow,
  );

/**
 * The live link of a matter, valid for another 30 days: the existing one, also if it expired unused, or a new one. One per matter
 * (unique index), so that the link of an older mail works until the matter is answered.
 */
export async function issueLink(
  tx: Conn,
  { vendorId, matter, matterId, now }: { vendorId: number; matter: Matter; matterId: number; now: Date },
): Promise<string> {
  const row = await queryOne(
    tx,
    sql`insert into answer_link (id, vendor_id, matter, matter_id, created_at, expires_at)
        values (${newUuid()}::uuid, ${vendorId}::int, ${matter}, ${matterId}::int, ${now}, ${addMs(now, ANSWER_LINK_MS)})
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
        returning id, vendor_id, matter, matter_id, expires_at, used_at, revoked_at`,
    LinkRow,
  );

/** Revokes the live link of a matter: the link in mails stops working. False if there was none. */
export const revokeLink = async (conn: Conn, matter: Matter, matterId: number, now: Date): Promise<boolean> =>
  (await execute(
    conn,
    sql`update answer_link set revoked_at = ${now}
        where matter = ${matter} and matter_id = ${matterId}::int and used_at is null and revoked_at is null`,
  )) > 0;

const MatterRow = z.object({
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
export type MatterRow = z.infer<typeof MatterRow>;

/** What a vendor may see of a matter: the customer's name, the messages and the product. Null if it was deleted. */
export function findMatter(
  conn: Conn,
  { matter, matter_id }: Pick<LinkRow, "matter" | "matter_id">,
): Promise<MatterRow | null> {
  if (matter === "thread")
    return queryOne(
      conn,
      sql`select v.name as vendor, c.first_name, c.last_name, null::text as product, null::text as product_slug, null::int as rating_halves,
            null::text as answer, (select coalesce(jsonb_agg(jsonb_build_object('sender', m.sender, 'created_at', m.created_at, 'message', m.message) order by m.created_at, m.id), '[]')
             from (select * from message where thread_id = t.id order by created_at desc, id desc limit 20) m) as messages
          from thread t join vendor v on v.id = t.vendor_id join customer c on c.id = t.customer_id where t.id = ${matter_id}::int`,
      MatterRow,
    );
  const isQuestion = matter === "question";
  return queryOne(
    conn,
    sql`select v.name as vendor, c.first_name, c.last_name, p.title as product, p.slug as product_slug,
          ${isQuestion ? sql`null::int` : sql`q.rating_halves`} as rating_halves, ${isQuestion ? sql`q.answer` : sql`null::text`} as answer,
          jsonb_build_array(jsonb_build_object('sender', 'C', 'created_at', q.created_at, 'message', ${isQuestion ? sql`q.question` : sql`q.comment`})) as messages
        from ${isQuestion ? sql`question` : sql`review`} q join product p on p.id = q.product_id join vendor v on v.id = p.vendor_id
          join customer c on c.id = q.customer_id where q.id = ${matter_id}::int`,
    MatterRow,
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
  matter: "thread" | "review",
  matterId: number,
): Promise<{ customer_id: number; vendor_id: number } | null> =>
  queryOne(
    tx,
    matter === "thread"
      ? sql`select customer_id, vendor_id from thread where id = ${matterId}::int for update`
      : sql`select r.customer_id, p.vendor_id from review r join product p on p.id = r.product_id
          join customer c on c.id = r.customer_id and c.deleted_at is null where r.id = ${matterId}::int`,
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
