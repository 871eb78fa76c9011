import { type Conn, queryOne, sql } from "@marketday/db";
import { z } from "zod";

const MessageForMail = z.object({ vendor: z.string(), message: z.string(), thread_id: z.number() });

/** A vendor's message as the mail about it tells it; null when it is gone. */
export const findMessageForMail = (conn: Conn, messageId: number): Promise<z.infer<typeof MessageForMail> | null> =>
  queryOne(
    conn,
    sql`select v.name as vendor, m.message, t.id as thread_id from message m join thread t on t.id = m.thread_id
        join vendor v on v.id = t.vendor_id where m.id = ${messageId}::int`,
    MessageForMail,
  );

const Answered = z.object({
  vendor: z.string(),
  product: z.string(),
  slug: z.string(),
  question: z.string(),
  answer: z.string(),
});

/** A question with its answer; null when there is none. */
export const findAnswered = (conn: Conn, questionId: number): Promise<z.infer<typeof Answered> | null> =>
  queryOne(
    conn,
    sql`select v.name as vendor, p.title as product, p.slug, q.question, q.answer from question q
        join product p on p.id = q.product_id join vendor v on v.id = p.vendor_id
        where q.id = ${questionId}::int and q.answer is not null`,
    Answered,
  );
