import { type Prisma, PrismaClient } from "../generated/client.ts";
import { SharedPool } from "./adapter.ts";
import { closePool, createPool, timeoutFactorOf, type PoolSettings, watchStatements } from "./pool.ts";
import { poolOf, registerPool, type SqlTx } from "./query.ts";

export { Prisma } from "../generated/client.ts";
export type * from "../generated/client.ts";
export { copyBytesIn, copyIn, copyOut, type CopyValue, readInBatches, stopOnAbort } from "./copy.ts";
export { brokenConstraint, isConflict, isUnavailable, isUniqueViolation, sqlState } from "./errors.ts";
export { listen, type Listener, notify } from "./listen.ts";
export { PoolExhausted } from "./pool.ts";
export {
  enqueued,
  inTransaction,
  insertJobs,
  type JobOf,
  liveJob,
  openQueues,
  pauses,
  type QueueName,
  type Queues,
  waits,
} from "./queues.ts";
export { execute, poolOf, query, queryOne, setRowChecking, SqlTx } from "./query.ts";
export { empty, join, raw, type Sql, sql } from "./statement.ts";
export { sqlTransaction, transaction, type TransactionOptions } from "./transaction.ts";

declare const insideTransaction: unique symbol;

/** The database: Prisma's client over one pool of connections, which hand-written statements share. */
export type Db = PrismaClient & {
  /** Closes every connection after its current statement. */
  close(): Promise<void>;
};

/** Prisma's client inside `transaction`. A `Db` is not one, so a forgotten transaction does not compile. */
export type Tx = Prisma.TransactionClient & { readonly [insideTransaction]: true };

/** The connection or pool that `query` and `execute` run on. */
export type Conn = Db | Tx | SqlTx;

/**
 * Opens the database. No connection is made before the first statement, and broken ones are replaced: the process
 * outlives a restart of Postgres.
 */
export function createDb(settings: PoolSettings): Db {
  const pool = createPool(settings);
  const timeoutFactor = timeoutFactorOf(settings);
  const prisma = new PrismaClient({
    adapter: new SharedPool(pool),
    // docs/failures.md §0: longer than the database's own limits.
    transactionOptions: { maxWait: 5_000 * timeoutFactor, timeout: 20_000 * timeoutFactor },
  });
  let closing: Promise<void> | undefined;
  const db: Db = Object.assign(prisma, {
    close: () => (closing ??= prisma.$disconnect().then(() => closePool(pool))),
  });
  registerPool(db, pool);
  return db;
}

/** For tests: every statement that reaches Postgres through `db` until `stop`, without BEGIN, COMMIT and ROLLBACK. */
export function countStatements(db: Db): { stop(): string[] } {
  return watchStatements(poolOf(db));
}

/** The pool's open and idle connections, and the callers that wait for one. */
export function poolState(db: Db): { total: number; idle: number; waiting: number } {
  const { totalCount, idleCount, waitingCount } = poolOf(db);
  return { total: totalCount, idle: idleCount, waiting: waitingCount };
}
