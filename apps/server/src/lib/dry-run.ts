import { type Db, type SqlTx, sqlTransaction, transaction, type TransactionOptions, type Tx } from "@marketday/db";

/** Thrown to roll a successful transaction back. */
class DryRunRollback extends Error {}

/** Runs `work` with `run`, a kind of transaction; with `dryRun` it is rolled back afterwards, and the result is the same. */
async function runOrRollBack<T, X>(
  run: (work: (tx: X) => Promise<T>) => Promise<T>,
  dryRun: boolean,
  work: (tx: X) => Promise<T>,
): Promise<T> {
  let completed: { result: T } | undefined;
  try {
    return await run(async (tx) => {
      const result = await work(tx);
      if (!dryRun) return result;
      completed = { result };
      throw new DryRunRollback();
    });
  } catch (error) {
    if (error instanceof DryRunRollback && completed) return completed.result;
    throw error;
  }
}

/**
 * Runs `work` in one transaction of SQL by hand; with `dryRun` it is rolled back afterwards, and the result is the same. Effects
 * outside the database are not undone.
 */
export const withDryRun = <T>(
  db: Db,
  dryRun: boolean,
  work: (tx: SqlTx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> => runOrRollBack((part) => sqlTransaction(db, part, options), dryRun, work);

/** The same in a transaction of Prisma's client. */
export const withClientDryRun = <T>(
  db: Db,
  dryRun: boolean,
  work: (tx: Tx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> => runOrRollBack((part) => transaction(db, part, options), dryRun, work);
