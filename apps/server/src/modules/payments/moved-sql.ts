import { type AnyTx, execute, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import type { MovedPayment } from "./moved-store.ts";

const MovedRow = z.object({
  id: z.string(),
  state: z.string(),
  captured_cents: z.number(),
  provider_ref: z.string().nullable(),
});

/** Locks the orders of a payment, then the payment itself. Null: it does not exist. */
export async function lockMovedPayment(tx: AnyTx, paymentId: string): Promise<MovedPayment | null> {
  await execute(tx, sql`select id from orders where payment_id = ${paymentId}::uuid order by id for update`);
  return queryOne(
    tx,
    sql`select id::text as id, state, captured_cents, provider_ref from payment where id = ${paymentId}::uuid for update`,
    MovedRow,
  );
}

/** Whether refund `r` is money that a bank has taken back. */
export const isWithBank = (r: Sql): Sql =>
  sql`(${r}.key like 'dispute:%' and ${r}.state <> 'failed' and ${r}.destination = 'card')`;
