import type { Tx } from "@marketday/db";

import type { Env } from "../../env.ts";
import { enqueueMailTo } from "../mail/mail-sql.ts";
import { issueLink, lockVendorEmail } from "./answer-sql.ts";
import type { Subject } from "./store.ts";

interface AnswerRequest {
  vendorId: number;
  subject: Subject;
  subjectId: number;
  /** The event: one mail per message, question or review. */
  mailKey: string;
  /** The message of a thread. */
  messageId?: number;
  now: Date;
}

/**
 * Mails a message, question or review to its vendor with the link to answer it (docs/product.md §10), in the transaction that
 * stores it. For a vendor without an email address, the mail goes to the market, whose operators answer.
 */
export async function requestAnswer(tx: Tx, env: Env, { mailKey, messageId, ...about }: AnswerRequest): Promise<void> {
  const email = await lockVendorEmail(tx, about.vendorId);
  const linkId = await issueLink(tx, about);
  await enqueueMailTo(tx, {
    key: mailKey,
    template: "vendor-asked",
    to: email ?? env.supportEmail,
    data: { linkId, ...(messageId === undefined ? {} : { messageId }) },
    notBefore: null,
    isSecret: false,
    now: about.now,
  });
}
