import { type Db, type SqlTx, sqlTransaction, type TransactionOptions } from "@marketday/db";

/** Thrown to roll a successful transaction back. */
class DryRunRollback extends Error {}

/**
 * Runs `work` in one transaction; with `dryRun` it is rolled back afterwards, and the result is the same. Effects outside the
 * database are not undone.
 */
export async function withDryRun<T>(
  db: Db,
  dryRun: boolean,
  work: (tx: SqlTx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  let completed: { result: T } | undefined;
  try {
    return await sqlTransaction(
      db,
      async (tx) => {
        const result = await work(tx);
        if (!dryRun) return result;
        completed = { result };
        throw new DryRunRollback();
      },
      options,
    );
  } catch (error) {
    if (error instanceof DryRunRollback && completed) return completed.result;
    throw error;
  }
}
