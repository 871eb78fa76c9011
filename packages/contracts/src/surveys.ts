import { SURVEY_COMMENT_MAX } from "@marketday/domain/limits";
import { z } from "zod";

import { BodyId, IdParams, line, prose } from "./common.ts";
import { endpoint } from "./endpoint.ts";

const SURVEY_TYPES = ["MarketingSource", "CSAT", "NPS", "Share", "Subscribe"] as const;

/** docs/product.md §8: which survey follows this order, or `{ type: null }`; `vendors` to choose from for MarketingSource. */
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

/**
 * The survey is about to be shown to the customer. `show`: whether to do so; false when it was shown in another tab or on another
 * device before, was answered, or is not the one offered for the order. Not yours: 404.
 */
export const showSurvey = endpoint({
  method: "POST",
  url: "/orders/:id/survey/shown",
  schema: {
    params: IdParams,
    body: z.object({ type: z.enum(SURVEY_TYPES), questionId: line(50) }),
    response: { 200: z.object({ show: z.boolean() }) },
  },
});

const SurveyResponse = z.union([z.number(), line(250).min(1)]);

/**
 * spec §7.3: a number, or the option's label, as `response` or `value` (spec §3). Once per order: a second answer is 409
 * `answered`. Another type or question than the one offered for the order is 409 `not_offered` (docs/product.md §17).
 */
export const answerSurvey = endpoint({
  method: "POST",
  url: "/orders/:id/survey",
  schema: {
    params: IdParams,
    body: z
      .object({
        type: z.enum(SURVEY_TYPES),
        response: SurveyResponse.optional(),
        value: SurveyResponse.optional(),
        questionId: line(50),
        vendorId: BodyId.nullish(),
        comment: prose(SURVEY_COMMENT_MAX).nullish(),
      })
      .refine(({ response, value }) => response !== undefined || value !== undefined, {
        message: "Choose one of the answers.",
        path: ["response"],
      }),
    response: { 200: z.object({ success: z.literal(true) }) },
  },
});
