import { SURVEY_COMMENT_MAX } from "@marketday/domain/limits";
import { z } from "zod";

import { BodyId, IdParams } from "./common.ts";
import { endpoint } from "./endpoint.ts";

export const SURVEY_TYPES = ["MarketingSource", "CSAT", "NPS", "Share", "Subscribe"] as const;

/** decisions §8: which survey follows this order, or `{ type: null }`; `vendors` to choose from for MarketingSource. */
export const SurveyChoice = z.object({
  type: z.enum(SURVEY_TYPES).nullable(),
  questionId: z.string().nullable(),
  vendors: z.array(z.object({ id: z.number().int(), name: z.string() })).optional(),
});
export type SurveyChoice = z.infer<typeof SurveyChoice>;

/** spec §7.3. Not yours: 404. */
export const getSurvey = endpoint({
  method: "GET",
  url: "/orders/:id/survey/",
  schema: { params: IdParams, response: { 200: SurveyChoice } },
});

/** spec §7.3: a number, or the option's label; once per order, another answer to the same order is 409 `answered`. */
export const answerSurvey = endpoint({
  method: "POST",
  url: "/orders/:id/survey",
  schema: {
    params: IdParams,
    body: z.object({
      type: z.enum(SURVEY_TYPES),
      response: z.union([z.number(), z.string().trim().min(1).max(250)]),
      questionId: z.string().max(50),
      vendorId: BodyId.nullish(),
      comment: z.string().trim().max(SURVEY_COMMENT_MAX).nullish(),
    }),
    response: { 200: z.object({ success: z.literal(true) }) },
  },
});
