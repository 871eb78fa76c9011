import type { Question } from "@marketday/contracts/questions";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import type { Page } from "../../lib/paging.ts";
import type { Actor } from "../identity/context.ts";
import { idOrSlug } from "../products/load-products.ts";
import { findProductForQuestions, findQuestions, type QuestionRow } from "./store.ts";

/** A question without the customer who wrote it, and without an answer that is hidden. */
const serializeQuestion = (row: QuestionRow): Question => ({
  id: row.id,
  created: row.created_at.toISOString(),
  question: row.question,
  answer: row.answer_hidden_at === null ? row.answer : null,
});

/** A page of the questions about a product that this shopper may read (spec §7.6). @throws AppError 404 for an unknown product */
export async function loadQuestions(
  deps: Deps,
  actor: Actor,
  text: string,
  page: Page,
): Promise<{ questions: Question[]; total: number }> {
  const customerId = actor.type === "customer" ? actor.customerId : null;
  const which = idOrSlug(text);
  const product = which && (await findProductForQuestions(deps.db, which, customerId));
  if (!product) throw notFound();
  return {
    questions: (await findQuestions(deps.db, product.id, customerId, page)).map(serializeQuestion),
    total: product.total,
  };
}
