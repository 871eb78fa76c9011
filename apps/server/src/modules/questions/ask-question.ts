import { transaction } from "@marketday/db";

import { notFound } from "../../lib/app-error.ts";
import type { Limits } from "../../lib/limits.ts";
import { requestAnswer } from "../answers/request-answer.ts";
import type { Context } from "../identity/context.ts";
import { requireCustomer } from "../identity/guards.ts";
import { idOrSlug } from "../products/load-products.ts";
import { findProductForQuestions, insertQuestion } from "./store.ts";

/**
 * Stores a question about a product (spec §5 Question) and emails it to the vendor with a link to answer. Limit: ten questions
 * an hour.
 * @throws AppError 404 for an unknown product
 */
export async function askQuestion(
  { actor, deps, now }: Context,
  limits: Limits,
  text: string,
  question: string,
): Promise<void> {
  const customerId = requireCustomer(actor);
  const which = idOrSlug(text);
  const product = which && (await findProductForQuestions(deps.db, which, customerId));
  if (!product) throw notFound();
  await limits.question.take(customerId);
  await transaction(deps.db, async (tx) => {
    const subjectId = await insertQuestion(tx, customerId, product.id, question, now);
    const mailKey = `question:${subjectId}`;
    await requestAnswer(tx, deps.env, { vendorId: product.vendor_id, subject: "question", subjectId, mailKey, now });
  });
}
