import { type AnyTx, type Conn, query, type Sql, sql } from "@marketday/db";
import { z } from "zod";

/** Whether refund `r` has gone back, or will. One that failed without a reason became store credit in an older version. */
export const isGiven = (r: Sql): Sql => sql`(${r}.state <> 'failed' or ${r}.failure is null)`;

/** Whether refund `r` failed and its money is still due: operators give it otherwise, or close it. */
export const isUnresolved = (r: Sql): Sql =>
  sql`(${r}.state = 'failed' and ${r}.failure is not null and ${r}.resolved_at is null)`;

/** Whether refund `r` is goodwill. Its old name is `care`. */
export const isGoodwill = (r: Sql): Sql => sql`${r}.kind in ('goodwill', 'care')`;

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
