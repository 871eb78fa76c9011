import type { Client } from "@marketday/db";

import { AppError } from "../../lib/app-error.ts";
import { findSubjectDetails, type Subject } from "./store.ts";

/** The maximum of a thread's messages, the latest ones. */
const MESSAGES_MOST = 200;

/** The messages of a thread, a question or a review, for operators; times are in the time zone of the customer's hub. */
export interface Conversation {
  vendor: string;
  customer: { id: number; name: string; email: string | null };
  /** The product of a question or review. */
  about: string;
  timeZone: string;
  /** Oldest first; `at` is ISO-8601. */
  messages: { from: "customer" | "vendor"; at: string; message: string }[];
}

/** The messages of a thread, a question or a review. @throws AppError 404 */
export async function loadConversation(
  db: Client,
  { subject, subjectId }: { subject: Subject; subjectId: number },
): Promise<Conversation> {
  const found = await findSubjectDetails(db, subject, subjectId, MESSAGES_MOST);
  if (!found) throw new AppError(404, `There is no ${subject} ${subjectId}.`, { code: "not_found" });
  const { vendor, customer, answer } = found;
  const messages = [...found.messages, ...(answer ? [{ sender: "U", ...answer }] : [])];
  return {
    vendor,
    customer: { id: customer.id, name: `${customer.first_name} ${customer.last_name}`.trim(), email: customer.email },
    about: found.product ?? "",
    timeZone: customer.hub?.time_zone ?? "UTC",
    messages: messages.map(({ sender, created_at, message }) => ({
      from: sender === "C" ? "customer" : "vendor",
      at: created_at.toISOString(),
      message,
    })),
  };
}
