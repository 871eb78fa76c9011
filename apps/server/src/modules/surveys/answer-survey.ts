import { FROM_A_VENDOR, isSurveyResponse, type SurveyType } from "@marketday/domain/survey";

import { AppError, notFound } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../../lib/context.ts";
import { findFacts, insertAnswer, vendorExists } from "./store.ts";

export interface SurveyInput {
  orderId: number;
  type: SurveyType;
  questionId: string;
  response: number | string;
  vendorId: number | null;
  comment: string | null;
}

/** Keeps the answer, once per order (decisions §8). Off its scale, or a farmer without a name: 400. */
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
  if (!(await findFacts(db, customerId, input.orderId))) throw notFound();
  const kept = await insertAnswer(db, customerId, { ...input, response: String(input.response) }, ctx.now);
  if (!kept) throw new AppError(409, "You have answered this already. Thank you.", { code: "answered" });
}
