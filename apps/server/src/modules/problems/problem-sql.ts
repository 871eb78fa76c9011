import { type AnyTx, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";

/** Locks a customer's own order; false for another customer's. */
export const lockOrder = async (tx: AnyTx, customerId: CustomerId, orderId: number): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`select id from orders where id = ${orderId}::int and customer_id = ${customerId}::int for update`,
    z.object({ id: z.number() }),
  )) !== null;
