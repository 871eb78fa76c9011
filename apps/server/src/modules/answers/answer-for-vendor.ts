import type { Tx } from "@marketday/db";
import { cleanText } from "@marketday/domain/text";

import { AppError } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { isAnsweredWith } from "./answer-sql.ts";
import { answerSubject, answerMax } from "./answer-subject.ts";
import type { Subject } from "./store.ts";

/**
 * An operator answers for a vendor (docs/product.md §10): a thread, a question or a review, with a mail to the shopper, as the
 * vendor's link would. 400 too long or empty; 409 deleted or already answered. `isNew` is false if the question or the last message
 * of the thread already has this answer.
 *
 * `begin`: first in the transaction, false if it was answered before: nothing is done then. `actionId`: of the held action that answers.
 */
export async function answerForVendor(
  ctx: Context,
  about: { subject: Subject; subjectId: number },
  answer: string,
  {
    reason = "",
    dryRun = false,
    begin,
    actionId,
  }: { reason?: string; dryRun?: boolean; begin?: (tx: Tx, text: string) => Promise<boolean>; actionId?: number } = {},
): Promise<{ isNew: boolean }> {
  const text = cleanText(answer);
  const most = answerMax(about.subject);
  if (text === "" || text.length > most)
    throw new AppError(400, `Say something, in at most ${most} characters.`, { code: "invalid", field: "message" });
  return withClientDryRun(ctx.deps.db, dryRun, async (tx) => {
    if (begin && !(await begin(tx, text))) return { isNew: false };
    if (await isAnsweredWith(tx, about, text)) return { isNew: false };
    if (!(await answerSubject(tx, about, text, ctx.now)))
      throw new AppError(409, `There is no ${about.subject} ${about.subjectId} that waits for an answer.`, {
        code: "answered",
      });
    await writeAuditEntry(tx, ctx, {
      action: "inbox reply",
      subject: `${about.subject}:${about.subjectId}`,
      reason,
      data: { characters: text.length, ...(actionId !== undefined && { actionId }) },
    });
    return { isNew: true };
  });
}
