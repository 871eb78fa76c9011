import type { Thread } from "@marketday/contracts/inbox";
import type { Conn } from "@marketday/db";

import { notFound } from "../../lib/app-error.ts";
import type { CustomerId } from "../../lib/context.ts";
import { serializeThread } from "./serialize.ts";
import { findThread } from "./store.ts";

/** A customer's own thread; 404 for unknown and somebody else's alike (failures.md G1). */
export async function loadThread(conn: Conn, customerId: CustomerId, threadId: number): Promise<Thread> {
  const found = await findThread(conn, customerId, threadId);
  if (!found) throw notFound();
  return serializeThread(found.thread, found.messages);
}
