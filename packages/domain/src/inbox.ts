/** Threads between a customer and a vendor (spec §2.4 Inbox, §4 Inbox). */

import { BLOG_EXCERPT_LENGTH, THREAD_PREVIEW_LENGTH } from "./limits.ts";
import { isBefore } from "./time.ts";

/** Who wrote a message: "C" the customer, "U" the vendor (spec §3 Message thread). */
export type Sender = "C" | "U";

/** The first `length` characters (code points) of a text in one line, with "…" when something was cut. */
export function excerpt(text: string, length: number = BLOG_EXCERPT_LENGTH): string {
  const characters = [...text.replace(/\s+/gu, " ").trim()];
  return characters.length <= length ? characters.join("") : `${characters.slice(0, length).join("").trimEnd()}…`;
}

/** A thread's preview: its first 100 characters. */
export function preview(text: string): string {
  return excerpt(text, THREAD_PREVIEW_LENGTH);
}

/** Whether a thread is unread: the vendor wrote last, and the customer has not opened it since. */
export function isUnread(thread: {
  lastMessage: { sender: Sender; created: Date } | null;
  readAt: Date | null;
}): boolean {
  const { lastMessage, readAt } = thread;
  if (lastMessage === null || lastMessage.sender !== "U") return false;
  return readAt === null || isBefore(readAt, lastMessage.created);
}
