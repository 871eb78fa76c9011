import type { Context, CustomerId } from "../../lib/context.ts";
import { markRead } from "./store.ts";

/** A message's link opened the product it speaks of: its thread is read. What is no thread of theirs is ignored. */
export async function markThreadRead({ deps, now }: Context, customerId: CustomerId, messageId: string): Promise<void> {
  if (/^[1-9]\d{0,8}$/.test(messageId)) await markRead(deps.db, customerId, Number(messageId), now);
}
