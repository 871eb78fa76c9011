import { type Db, sqlTransaction, type SqlTx, type TransactionOptions } from "@marketday/db";

/** Takes a transaction back that went well. */
class DryRunRollback extends Error {}

/**
 * One transaction, and with `dryRun` only the try: all is checked and worked out as it would be done, then taken back. What
 * `work` does outside the database is not.
 */
export async function withDryRun<T>(
  db: Db,
  dryRun: boolean,
  work: (tx: SqlTx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  let tried: { result: T } | undefined;
  try {
    return await sqlTransaction(
      db,
      async (tx) => {
        const result = await work(tx);
        if (!dryRun) return result;
        tried = { result };
        throw new DryRunRollback();
      },
      options,
    );
  } catch (error) {
    if (error instanceof DryRunRollback && tried) return tried.result;
    throw error;
  }
}
