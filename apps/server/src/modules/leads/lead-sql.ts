import { type AnyTx, execute, sql } from "@marketday/db";

/** One lead of an address at a time is inserted, until the transaction ends. */
export async function lockAddress(tx: AnyTx, email: string): Promise<void> {
  await execute(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`lead:${email}`}, 0))`);
}
