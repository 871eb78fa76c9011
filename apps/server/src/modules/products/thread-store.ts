import type { Client } from "@marketday/db";

import type { CustomerId } from "../identity/context.ts";

/** Marks a customer's own thread as read, unless it was read later. */
export const markRead = (db: Client, customerId: CustomerId, threadId: number, now: Date) =>
  db.thread.updateMany({
    where: { id: threadId, customer_id: customerId, OR: [{ read_at: null }, { read_at: { lt: now } }] },
    data: { read_at: now },
  });
