import type { SqlTx } from "@marketday/db";
import { QUESTION_MAX, VENDOR_MESSAGE_MAX } from "@marketday/domain/limits";

import { enqueueMail } from "../mail/store.ts";
import { answerQuestion, findAsker, holdThreadWith, insertMessage, type Matter } from "./store.ts";

/** The longest answer, characters: a public one is as long as a question may be. */
export const answerMax = (matter: Matter): number => (matter === "question" ? QUESTION_MAX : VENDOR_MESSAGE_MAX);

/**
 * A vendor's words, by a link or by an operator for them: under the question for all to read, or into the asker's inbox,
 * where an answer to a review goes too. The asker is told by mail. False: the matter is gone, or its question answered.
 */
export async function answerMatter(
  tx: SqlTx,
  { matter, matterId }: { matter: Matter; matterId: number },
  answer: string,
  now: Date,
): Promise<boolean> {
  if (matter === "question") {
    const question = await answerQuestion(tx, matterId, answer, now);
    if (!question) return false;
    await enqueueMail(tx, {
      key: `question-answered:${matterId}`,
      template: "question-answered",
      customerId: question.customer_id,
      data: { questionId: matterId },
      now,
    });
    return true;
  }
  const asker = await findAsker(tx, matter, matterId);
  if (!asker) return false;
  const threadId = await holdThreadWith(tx, asker.customer_id, asker.vendor_id, now);
  const messageId = await insertMessage(tx, threadId, { sender: "U", message: answer, now });
  await enqueueMail(tx, {
    key: `vendor-answer:${messageId}`,
    template: "vendor-answer",
    customerId: asker.customer_id,
    data: { messageId },
    now,
  });
  return true;
}
