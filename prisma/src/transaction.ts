import { setTimeout as delay } from "node:timers/promises";

import { type AnyTx, type Db, SqlTx, type Tx } from "./conn.ts";
import { isConflict } from "./errors.ts";
import { withClient } from "./pool.ts";
import { execute, poolOf } from "./query.ts";
import { sql } from "./statement.ts";

export type TransactionOptions = {
  /** The number of retries after a deadlock or serialization failure; default 5. */
  retries?: number;
  /** The time for all tries together, ms, default 3000 (docs/failures.md D4). */
  budgetMs?: number;
  /** The time for one try in a transaction of Prisma's client, ms; default 20 s. */
  timeoutMs?: number;
};

async function retrying<T>(work: () => Promise<T>, { retries = 5, budgetMs = 3_000 }: TransactionOptions): Promise<T> {
  const started = performance.now();
  for (let tried = 0; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      const pause = Math.random() * Math.min(400, 20 * 2 ** tried);
      if (!isConflict(error) || tried >= retries || performance.now() - started + pause > budgetMs) throw error;
      await delay(pause);
    }
  }
}

/**
 * Runs `work` in one transaction of Prisma's client at READ COMMITTED, and again from its start after a deadlock or serialization
 * failure. So `work` must change nothing outside the database. An error of the work is thrown unchanged after the rollback.
 */
export async function transaction<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const { timeoutMs: timeout } = options;
  return retrying(
    () => db.$transaction((tx) => work(tx as Tx), timeout === undefined ? undefined : { timeout }),
    options,
  );
}

/** The same with SQL by hand alone, without the client's share of the work and its limit of time (docs/decisions/0018). */
export async function sqlTransaction<T>(
  db: Db,
  work: (tx: SqlTx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  return retrying(
    () =>
      withClient(poolOf(db), async (client) => {
        await client.query("begin");
        const tx = new SqlTx(client);
        let result: T;
        try {
          result = await work(tx);
        } catch (error) {
          tx.close();
          // If this fails too, the connection is closed and Postgres has rolled back.
          await client.query("rollback").catch(() => undefined);
          throw error;
        }
        tx.close();
        await client.query("commit");
        return result;
      }),
    options,
  );
}

/**
 * Runs `work` in a savepoint of a transaction. An error of the work undoes what it wrote and is thrown unchanged; the transaction
 * goes on.
 */
export async function savepoint<T>(tx: AnyTx, work: () => Promise<T>): Promise<T> {
  await execute(tx, sql`savepoint part`);
  try {
    return await work();
  } catch (error) {
    await execute(tx, sql`rollback to savepoint part`);
    throw error;
  } finally {
    await execute(tx, sql`release savepoint part`);
  }
}
