import { PrismaPg } from "@prisma/adapter-pg";

import { PrismaClient } from "../generated/client.ts";
import type { Db } from "./conn.ts";
import { closePool, createPool, type Pool, type PoolSettings, timeoutFactorOf, watchStatements } from "./pool.ts";
import { poolOf, registerPool } from "./query.ts";
import { Replica } from "./replica.ts";
import { statementName } from "./statement.ts";

export { Prisma } from "../generated/client.ts";
export type * from "../generated/client.ts";
export { copyBytesIn, copyIn, copyOut, type CopyValue, readInBatches, stopOnAbort } from "./copy.ts";
export {
  brokenConstraint,
  isConflict,
  isCustomerDeleted,
  isRolledBack,
  isUnavailable,
  isUniqueViolation,
  postgresMessage,
  sqlState,
} from "./errors.ts";
export { listen, type Listener, notify } from "./listen.ts";
export { PoolExhausted } from "./pool.ts";
export {
  enqueued,
  inTransaction,
  bringForward,
  insertJobs,
  type JobOf,
  liveJob,
  MOVABLE_JOB_CLOCK,
  openQueues,
  pauses,
  type QueueName,
  type Queues,
  waits,
} from "./queues.ts";
export { type AnyTx, type Client, type Conn, type Db, SqlTx, type Tx } from "./conn.ts";
export { execute, poolOf, query, queryOne, setRowChecking } from "./query.ts";
export { Replica } from "./replica.ts";
export { withScratchDatabase } from "./scratch.ts";
export { empty, join, raw, type Sql, sql, unprepared } from "./statement.ts";
export { savepoint, sqlTransaction, transaction, type TransactionOptions } from "./transaction.ts";

/** A streaming replica of `primary`; no connection is made before the first statement. */
export const createReplica = (settings: PoolSettings, primary: Db): Replica =>
  new Replica(settings, poolOf(primary), openDb);

/** Statements that Prisma's client writes in many forms: with lists of each length, and changes of each set of columns. */
const VARYING = /\bIN \(\$|\), ?\(\$|\) OR \(|^UPDATE /;

/** The name under which a statement of Prisma's client is prepared. Where it is not, undefined, which the adapter's type leaves out. */
const nameOf = ({ sql: text }: { sql: string }): string => (VARYING.test(text) ? undefined : statementName(text))!;

function openDb(settings: PoolSettings, pool: Pool): Db {
  const timeoutFactor = timeoutFactorOf(settings);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: nameOf }),
    // Without the arguments of the call, which are personal.
    errorFormat: "minimal",
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

/**
 * Opens the database. No connection is made before the first statement, and broken ones are replaced: the process
 * outlives a restart of Postgres.
 */
export const createDb = (settings: PoolSettings): Db => openDb(settings, createPool(settings));

/** For tests: every statement that reaches Postgres through `db` until `stop`, without BEGIN, COMMIT and ROLLBACK. */
export function countStatements(db: Db): { stop(): string[] } {
  return watchStatements(poolOf(db));
}

/** The pool's open and idle connections, and the callers that wait for one. */
export function poolState(db: Db): { total: number; idle: number; waiting: number } {
  const { totalCount, idleCount, waitingCount } = poolOf(db);
  return { total: totalCount, idle: idleCount, waiting: waitingCount };
}
