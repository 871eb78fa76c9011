import { QUESTION_MAX } from "@marketday/domain/limits";
import { z } from "zod";

import { IdOrSlugParams, Instant, PageQuery, prose } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** spec §3 Question; `answer` is null while it is open, which only its asker sees. */
export const Question = z
  .object({ id: z.number().int(), created: Instant, question: z.string(), answer: z.string().nullable() })
  .meta({ id: "Question" });
export type Question = z.infer<typeof Question>;

/** spec §7.6: answered ones for all, open ones for their asker; newest first. */
export const listQuestions = endpoint({
  method: "GET",
  url: "/products/:id/questions",
  schema: { params: IdOrSlugParams, querystring: PageQuery, response: { 200: z.array(Question) } },
});

/** spec §5 Question: at most 400 characters; answers the questions as the asker sees them. */
export const postQuestion = endpoint({
  method: "POST",
  url: "/products/:id/questions",
  schema: {
    params: IdOrSlugParams,
    body: z.object({ question: prose(QUESTION_MAX, "Write your question") }),
    response: { 200: z.array(Question) },
  },
});
