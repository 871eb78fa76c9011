import { transaction } from "@marketday/db";
import { chooseSurvey, FROM_A_VENDOR, isSurveyResponse, type SurveyType } from "@marketday/domain/survey";

import { AppError, notFound } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { findFacts, insertAnswer, insertShown, type SurveyFacts, vendorExists } from "./store.ts";
import { lockCustomer } from "./survey-sql.ts";

export interface SurveyInput {
  orderId: number;
  type: SurveyType;
  questionId: string;
  response: number | string;
  vendorId: number | null;
  comment: string | null;
}

/** The id of a survey's only question. */
export const questionIdOf = (type: SurveyType): string => type.toLowerCase();

/** The survey that is offered for an order now, or null: also when one was shown for it. */
export const offeredSurvey = (facts: SurveyFacts, now: Date): SurveyType | null =>
  facts.survey ? null : surveyTurn(facts, now);

/** The survey whose turn it is, whatever was shown for this order. */
const surveyTurn = (facts: SurveyFacts, now: Date): SurveyType | null => chooseSurvey({ ...facts, now });

/**
 * Whether the answer is for the survey that was shown, or else is offered. A subscription does not withdraw the survey Subscribe,
 * because subscribing is one of its answers.
 */
function wasOffered(facts: SurveyFacts, { type, questionId }: SurveyInput, now: Date): boolean {
  const before = type === "Subscribe" ? { ...facts, hasSubscriptions: false } : facts;
  return (facts.survey?.type ?? surveyTurn(before, now)) === type && questionIdOf(type) === questionId;
}

const alreadyAnswered = () => new AppError(409, "You have answered this already. Thank you.", { code: "answered" });

/**
 * Stores the answer, once per order, and the source once in a customer's life (docs/product.md §8, §17).
 * @throws AppError 400 for a response off the scale, or a missing vendor; 404 for another customer's order; 409 `answered`, or
 * `not_offered` for this order
 */
export async function answerSurvey(ctx: Context, customerId: CustomerId, input: SurveyInput): Promise<void> {
  const { db } = ctx.deps;
  if (!isSurveyResponse(input.type, input.response))
    throw new AppError(400, "Choose one of the answers.", { code: "invalid", field: "response" });
  if (
    input.type === "MarketingSource" &&
    input.response === FROM_A_VENDOR &&
    (input.vendorId === null || !(await vendorExists(db, input.vendorId)))
  )
    throw new AppError(400, "Choose the farmer or vendor.", { code: "invalid", field: "vendorId" });
  await transaction(db, async (tx) => {
    await lockCustomer(tx, customerId);
    const facts = await findFacts(tx, customerId, input.orderId);
    if (!facts) throw notFound();
    if (facts.survey?.isAnswered) throw alreadyAnswered();
    if (!wasOffered(facts, input, ctx.now))
      throw new AppError(409, "We no longer need an answer to this question. Thank you.", { code: "not_offered" });
    const isInserted = await insertAnswer(tx, customerId, { ...input, response: String(input.response) }, ctx.now);
    if (!isInserted) throw alreadyAnswered();
  });
}

/**
 * Whether a survey is to be shown: stored, so that it is true once per order, and for the source once in a customer's life, in
 * whichever tab and on whichever device (docs/product.md §8). False for another one than is offered.
 * @throws AppError 404 for another customer's order
 */
export const showSurvey = (
  ctx: Context,
  customerId: CustomerId,
  survey: Pick<SurveyInput, "orderId" | "type" | "questionId">,
): Promise<boolean> =>
  transaction(ctx.deps.db, async (tx) => {
    await lockCustomer(tx, customerId);
    const facts = await findFacts(tx, customerId, survey.orderId);
    if (!facts) throw notFound();
    if (offeredSurvey(facts, ctx.now) !== survey.type || questionIdOf(survey.type) !== survey.questionId) return false;
    return insertShown(tx, customerId, survey, ctx.now);
  });
