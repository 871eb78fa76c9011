import type { Question } from "@marketday/contracts/questions";

import type { QuestionRow } from "./store.ts";

/** Row → contract: nobody reads who asked. */
export const serializeQuestion = (row: QuestionRow): Question => ({
  id: row.id,
  created: row.created_at.toISOString(),
  question: row.question,
  answer: row.answer,
});
