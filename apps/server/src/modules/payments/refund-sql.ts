import { type AnyTx, type Conn, execute, query, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { type NewRefund, storedKind } from "./refund-store.ts";

/** Whether refund `r` has gone back, or will. One that failed without a reason became store credit in an older version. */
export const isGiven = (r: Sql): Sql => sql`(${r}.state <> 'failed' or ${r}.failure is null)`;

/** Whether refund `r` failed and its money is still due: operators give it otherwise, or close it. */
export const isUnresolved = (r: Sql): Sql =>
  sql`(${r}.state = 'failed' and ${r}.failure is not null and ${r}.resolved_at is null)`;

/** Whether refund `r` is goodwill. Its old name is `care`. */
export const isGoodwill = (r: Sql): Sql => sql`${r}.kind in ('goodwill', 'care')`;

/** Inserts a refund. One to a card is `created` until the provider confirms it. */
export async function insertRefund(tx: Conn, refund: NewRefund): Promise<void> {
  const isDone = refund.destination === "credit";
  await execute(
    tx,
    sql`with given as (
          insert into refund (id, payment_id, order_id, kind, destination, amount_cents, reason, key, bearer_id, state, created_at, done_at)
          values (${refund.id}::uuid, ${refund.paymentId}::uuid, ${refund.orderId}::int, ${storedKind(refund)}, ${refund.destination}, ${refund.amountCents}::int,
            ${refund.reason}, ${refund.key}, ${refund.bearerId}::int, ${isDone ? "done" : "created"}, ${refund.now}, ${isDone ? refund.now : null}::timestamptz)
          returning payment_id, destination, amount_cents)
        update payment p set refunded_cents = p.refunded_cents + given.amount_cents from given where p.id = given.payment_id and given.destination = 'card'`,
  );
}

const IdRow = z.object({ id: z.string() });

/** Locks the payment of a refund. False: there is no such refund, or the text is no id. */
export const lockPaymentOfRefund = async (tx: AnyTx, refundId: string): Promise<boolean> =>
  (
    await query(
      tx,
      sql`select p.id::text as id from payment p join refund r on r.payment_id = p.id where r.id::text = ${refundId} for update of p`,
      IdRow,
    )
  ).length > 0;

/** Ids of card refunds that were written before `before` and not requested, or not accepted, oldest first. `isNotPaused`: of a refund `r`. */
export const findAbandonedRefunds = async (
  db: Conn,
  before: Date,
  isNotPaused: Sql,
  limit: number,
): Promise<string[]> =>
  (
    await query(
      db,
      sql`select r.id::text as id from refund r
          where r.destination = 'card' and r.payment_id is not null and r.state = 'created' and r.created_at <= ${before} and ${isNotPaused}
          order by r.created_at limit ${limit}::int`,
      IdRow,
    )
  ).map(({ id }) => id);
