import type { Thread } from "@marketday/contracts/inbox";
import { type Client, transaction, type Tx } from "@marketday/db";

import { notFound } from "../../lib/app-error.ts";
import type { Limits } from "../../lib/limits.ts";
import { requestAnswer } from "../answers/request-answer.ts";
import { lockThreadWith, insertMessage } from "../answers/store.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { requireCustomer } from "../identity/guards.ts";
import { loadVendor } from "../vendors/load-vendors.ts";
import type { WhichVendor } from "../vendors/store.ts";
import { serializeThread } from "./serialize.ts";
import { findThread } from "./store.ts";
import { lockThread } from "./thread-sql.ts";

/** A customer's own thread. @throws AppError 404 for an unknown thread and for another customer's thread (failures.md G1) */
export async function loadThread(db: Client, customerId: CustomerId, threadId: number): Promise<Thread> {
  const found = await findThread(db, customerId, threadId);
  if (!found) throw notFound();
  return serializeThread(found.thread, found.messages);
}

/** Inserts the customer's message into a locked thread and emails it to the vendor with a link to answer. */
async function sendMessage(
  tx: Tx,
  { deps, now }: Context,
  { threadId, vendorId }: { threadId: number; vendorId: number },
  message: string,
): Promise<void> {
  const messageId = await insertMessage(tx, threadId, { sender: "C", message, now });
  await requestAnswer(tx, deps.env, {
    vendorId,
    subject: "thread",
    subjectId: threadId,
    mailKey: `vendor-message:${messageId}`,
    messageId,
    now,
  });
}

/**
 * spec §5 Message to a vendor: starts the thread of this customer and vendor, or continues it. Limit: 30 messages an hour.
 * @throws AppError 404 for an unknown vendor
 */
export async function messageVendor(
  ctx: Context,
  limits: Limits,
  which: WhichVendor,
  message: string,
): Promise<Thread> {
  const customerId = requireCustomer(ctx.actor);
  const { value: vendor } = await loadVendor(ctx.deps, ctx.actor, which);
  await limits.message.take(customerId);
  const threadId = await transaction(ctx.deps.db, async (tx) => {
    const id = await lockThreadWith(tx, customerId, vendor.id, ctx.now);
    await sendMessage(tx, ctx, { threadId: id, vendorId: vendor.id }, message);
    return id;
  });
  return loadThread(ctx.deps.db, customerId, threadId);
}

/** spec §7.10 reply. @throws AppError 404 for a thread that is not the customer's */
export async function replyToThread(
  ctx: Context,
  limits: Limits,
  customerId: CustomerId,
  threadId: number,
  reply: string,
): Promise<Thread> {
  await loadThread(ctx.deps.db, customerId, threadId);
  await limits.message.take(customerId);
  await transaction(ctx.deps.db, async (tx) => {
    const thread = await lockThread(tx, customerId, threadId);
    if (!thread) throw notFound();
    await sendMessage(tx, ctx, { threadId, vendorId: thread.vendor_id }, reply);
  });
  return loadThread(ctx.deps.db, customerId, threadId);
}
