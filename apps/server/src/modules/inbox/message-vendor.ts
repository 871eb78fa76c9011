import type { Thread } from "@marketday/contracts/inbox";
import { sqlTransaction, type SqlTx } from "@marketday/db";

import { notFound } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../../lib/context.ts";
import type { Limits } from "../../lib/limits.ts";
import { requireCustomer } from "../../plugins/session.ts";
import { askVendor } from "../answers/ask-vendor.ts";
import { lockThreadWith, insertMessage } from "../answers/store.ts";
import { loadVendor } from "../vendors/load-vendors.ts";
import type { WhichVendor } from "../vendors/store.ts";
import { loadThread } from "./load-thread.ts";
import { holdThread } from "./store.ts";

/** Writes the customer's words into a thread that is held and mails them to the vendor, with a link to answer by. */
async function write(
  tx: SqlTx,
  { deps, now }: Context,
  { threadId, vendorId }: { threadId: number; vendorId: number },
  message: string,
): Promise<void> {
  const messageId = await insertMessage(tx, threadId, { sender: "C", message, now });
  await askVendor(tx, deps.env, {
    vendorId,
    matter: "thread",
    matterId: threadId,
    mailKey: `vendor-message:${messageId}`,
    messageId,
    now,
  });
}

/** spec §5 Message to a vendor: starts or continues the one thread of the two; 30 an hour. Unknown vendor: 404. */
export async function messageVendor(
  ctx: Context,
  limits: Limits,
  which: WhichVendor,
  message: string,
): Promise<Thread> {
  const customerId = requireCustomer(ctx.actor);
  const { value: vendor } = await loadVendor(ctx.deps, ctx.actor, which);
  await limits.message.take(customerId);
  const threadId = await sqlTransaction(ctx.deps.db, async (tx) => {
    const id = await lockThreadWith(tx, customerId, vendor.id, ctx.now);
    await write(tx, ctx, { threadId: id, vendorId: vendor.id }, message);
    return id;
  });
  return loadThread(ctx.deps.db, customerId, threadId);
}

/** spec §7.10 reply. 404 for a thread that is not the customer's. */
export async function replyToThread(
  ctx: Context,
  limits: Limits,
  customerId: CustomerId,
  threadId: number,
  reply: string,
): Promise<Thread> {
  await loadThread(ctx.deps.db, customerId, threadId);
  await limits.message.take(customerId);
  await sqlTransaction(ctx.deps.db, async (tx) => {
    const thread = await holdThread(tx, customerId, threadId);
    if (!thread) throw notFound();
    await write(tx, ctx, { threadId, vendorId: thread.vendor_id }, reply);
  });
  return loadThread(ctx.deps.db, customerId, threadId);
}
