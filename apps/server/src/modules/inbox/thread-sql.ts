import { type AnyTx, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";

/** Locks a customer's own thread and returns its vendor; null for another customer's thread. */
export const lockThread = (
  tx: AnyTx,
  customerId: CustomerId,
  threadId: number,
): Promise<{ vendor_id: number } | null> =>
  queryOne(
    tx,
    sql`select vendor_id from thread where id = ${threadId}::int and customer_id = ${customerId}::int for update`,
    z.object({ vendor_id: z.number() }),
  );
