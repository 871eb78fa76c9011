import type { Tx } from "@marketday/db";
import { QUESTION_MAX, VENDOR_MESSAGE_MAX } from "@marketday/domain/limits";

import { enqueueMail } from "../mail/mail-sql.ts";
import { lockReviewById, lockThreadById } from "./answer-sql.ts";
import { answerQuestion, insertMessage, lockThreadWith, type Subject } from "./store.ts";

/** The longest answer, characters: a public one is as long as a question may be. */
export const answerMax = (subject: Subject): number => (subject === "question" ? QUESTION_MAX : VENDOR_MESSAGE_MAX);

/**
 * Stores a vendor's answer, sent by link or entered by an operator: publicly under the question, or in the customer's inbox for a
 * thread or review. The customer is notified by mail. False: the subject was deleted, or the question is already answered.
 */
export async function answerSubject(
  tx: Tx,
  { subject, subjectId }: { subject: Subject; subjectId: number },
  answer: string,
  now: Date,
): Promise<boolean> {
  if (subject === "question") {
    const question = await answerQuestion(tx, subjectId, answer, now);
    if (!question) return false;
    await enqueueMail(tx, {
      key: `question-answered:${subjectId}`,
      template: "question-answered",
      customerId: question.customer_id,
      data: { questionId: subjectId },
      now,
    });
    return true;
  }
  const people = await (subject === "thread" ? lockThreadById(tx, subjectId) : lockReviewById(tx, subjectId));
  if (!people) return false;
  const threadId = await lockThreadWith(tx, people.customer_id, people.vendor_id, now);
  const messageId = await insertMessage(tx, threadId, { sender: "U", message: answer, now });
  await enqueueMail(tx, {
    key: `vendor-answer:${messageId}`,
    template: "vendor-answer",
    customerId: people.customer_id,
    data: { messageId },
    now,
  });
  return true;
}
