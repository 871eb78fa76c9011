import type { Client, Prisma } from "@marketday/db";

import type { CustomerId } from "../identity/context.ts";

/** The questions that this shopper may read: those with an answer that are not hidden, and the shopper's own. */
const visibleTo = (customerId: CustomerId | null): Prisma.questionWhereInput => ({
  OR: [
    { answer: { not: null }, hidden_at: null, answer_hidden_at: null },
    ...(customerId === null ? [] : [{ customer_id: customerId }]),
  ],
});

/** A published product and the number of questions about it that this shopper may read; null for an unknown product. */
export async function findProductForQuestions(
  db: Client,
  which: { id: number } | { slug: string },
  customerId: CustomerId | null,
): Promise<{ id: number; vendor_id: number; total: number } | null> {
  const product = await db.product.findFirst({
    where: { ...which, is_published: true, vendor: { is_published: true } },
    select: { id: true, vendor_id: true, _count: { select: { questions: { where: visibleTo(customerId) } } } },
  });
  return product && { id: product.id, vendor_id: product.vendor_id, total: product._count.questions };
}

const shownQuestion = {
  id: true,
  created_at: true,
  question: true,
  answer: true,
  answer_hidden_at: true,
} satisfies Prisma.questionSelect;
export type QuestionRow = Prisma.questionGetPayload<{ select: typeof shownQuestion }>;

/** A page of the questions about a product that this shopper may read, newest first. */
export const findQuestions = (
  db: Client,
  productId: number,
  customerId: CustomerId | null,
  { offset, rows }: { offset: number; rows: number },
): Promise<QuestionRow[]> =>
  db.question.findMany({
    where: { product_id: productId, ...visibleTo(customerId) },
    select: shownQuestion,
    orderBy: [{ created_at: "desc" }, { id: "desc" }],
    skip: offset,
    take: rows,
  });

/** Inserts an unanswered question and returns its id. */
export async function insertQuestion(
  db: Client,
  customerId: CustomerId,
  productId: number,
  question: string,
  now: Date,
): Promise<number> {
  const { id } = await db.question.create({
    data: { customer_id: customerId, product_id: productId, question, created_at: now },
    select: { id: true },
  });
  return id;
}
