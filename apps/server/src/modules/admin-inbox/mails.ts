import type { MailContent } from "../../lib/mail-template.ts";
import { fromRow, type MailTemplates } from "../mail/template.ts";
import { findReplyForMail, type ReplyForMail } from "./store.ts";

const SUBJECTS: Record<string, string> = {
  problem: "About the problem with your order",
  contact: "About your message",
  application: "About your application",
};

/** To the sender of a report, a contact form or an application: the market's answer. */
function reply({ kind, text }: ReplyForMail): MailContent {
  const subject = SUBJECTS[kind] ?? "About your message";
  return { subject, heading: subject, parts: [text, "Reply to this email if you have more questions."] };
}

/** Answers of the market by email. */
export const inboxMails: MailTemplates = {
  "inbox-reply": fromRow(
    "The market answers a problem report, a contact form or an application",
    (db, { replyId }) => findReplyForMail(db, Number(replyId)),
    reply,
    { kind: "contact", text: "Hi Ana,\n\nyes, we deliver to the lake houses from May on." },
  ),
};
