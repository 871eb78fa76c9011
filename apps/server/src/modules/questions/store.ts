import { type Conn, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";

const ProductRow = z.object({ id: z.number(), vendor_id: z.number(), total: z.number() });

/** The condition that this shopper may read question `q`: it is answered, or the shopper wrote it. */
const isVisible = (customerId: CustomerId | null) => sql`(q.answer is not null or q.customer_id = ${customerId}::int)`;

/** A published product and the number of questions about it that this shopper may read; null for an unknown product. */
export async function findProductForQuestions(
  conn: Conn,
  which: { id: number } | { slug: string },
  customerId: CustomerId | null,
): Promise<z.infer<typeof ProductRow> | null> {
  return queryOne(
    conn,
    sql`select p.id, p.vendor_id, (select count(*)::int from question q where q.product_id = p.id and ${isVisible(customerId)}) as total
        from product p join vendor v on v.id = p.vendor_id
        where p.is_published and v.is_published and ${"id" in which ? sql`p.id = ${which.id}::int` : sql`p.slug = ${which.slug}`}`,
    ProductRow,
  );
}

const QuestionRow = z.object({
  id: z.number(),
  created_at: z.date(),
  question: z.string(),
  answer: z.string().nullable(),
});
export type QuestionRow = z.infer<typeof QuestionRow>;

/** A page of the questions about a product that this shopper may read, newest first. */
export async function findQuestions(
  conn: Conn,
  productId: number,
  customerId: CustomerId | null,
  { offset, rows }: { offset: number; rows: number },
): Promise<QuestionRow[]> {
  return query(
    conn,
    sql`select q.id, q.created_at, q.question, q.answer from question q
        where q.product_id = ${productId}::int and ${isVisible(customerId)}
        order by q.created_at desc, q.id desc limit ${rows}::int offset ${offset}::int`,
    QuestionRow,
  );
}

/** Inserts an unanswered question and returns its id. */
export async function insertQuestion(
  conn: Conn,
  customerId: CustomerId,
  productId: number,
  question: string,
  now: Date,
): Promise<number> {
  const row = await queryOne(
    conn,
    sql`insert into question (customer_id, product_id, question, created_at) values (${customerId}::int, ${productId}::int, ${question}, ${now}) returning id`,
    z.object({ id: z.number() }),
  );
  if (!row) throw new Error("no question");
  return row.id;
}
