import type { Client, Prisma } from "@marketday/db";

import type { Page } from "../../lib/paging.ts";
import type { CustomerId } from "../identity/context.ts";
import { shownPicture } from "../pictures/picture-row.ts";
import { markRead } from "../products/thread-store.ts";

const shownMessage = { sender: true, created_at: true, message: true } satisfies Prisma.messageSelect;
const shownThread = {
  id: true,
  read_at: true,
  vendor: { select: { id: true, slug: true, name: true, city: true, state: true, avatar: { select: shownPicture } } },
  // The last one.
  messages: { select: shownMessage, orderBy: [{ created_at: "desc" }, { id: "desc" }], take: 1 },
} satisfies Prisma.threadSelect;

export type ThreadRow = Prisma.threadGetPayload<{ select: typeof shownThread }>;
export type MessageRow = Prisma.messageGetPayload<{ select: typeof shownMessage }>;

/** A page of a customer's threads, most recent message first, and the number of all threads. */
export async function findThreads(
  db: Client,
  customerId: CustomerId,
  { offset, rows }: Page,
): Promise<{ threads: ThreadRow[]; total: number }> {
  const where = { customer_id: customerId };
  const threads = await db.thread.findMany({
    where,
    select: shownThread,
    orderBy: [{ updated_at: "desc" }, { id: "desc" }],
    skip: offset,
    take: rows,
  });
  return { threads, total: await db.thread.count({ where }) };
}

/** A customer's own thread with its messages, oldest first; null for another customer's thread. */
export async function findThread(
  db: Client,
  customerId: CustomerId,
  threadId: number,
): Promise<{ thread: ThreadRow; messages: MessageRow[] } | null> {
  const thread = await db.thread.findUnique({ where: { id: threadId, customer_id: customerId }, select: shownThread });
  if (!thread) return null;
  const messages = await db.message.findMany({
    where: { thread_id: threadId },
    select: shownMessage,
    orderBy: [{ created_at: "asc" }, { id: "asc" }],
  });
  return { thread, messages };
}

/** Marks a customer's own thread as read, never at an earlier time than before. False for another customer's thread. */
export async function markThreadRead(
  db: Client,
  customerId: CustomerId,
  threadId: number,
  now: Date,
): Promise<boolean> {
  const { count } = await markRead(db, customerId, threadId, now);
  return count === 1 || (await db.thread.count({ where: { id: threadId, customer_id: customerId } })) === 1;
}
