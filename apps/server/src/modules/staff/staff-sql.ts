import { type AnyTx, execute, sql } from "@marketday/db";

/** Until the transaction ends, no one else changes who runs the market: two owners who demote each other come one after the other. */
export const lockStaff = (tx: AnyTx): Promise<number> =>
  execute(tx, sql`select pg_advisory_xact_lock(hashtext('staff'))`);
