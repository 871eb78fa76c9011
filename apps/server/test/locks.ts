import { setTimeout as pause } from "node:timers/promises";

import { type Db, execute, queryOne, type Sql, sql, sqlTransaction } from "@marketday/db";
import { z } from "zod";

/** The number of deadlocks in this database since it was created. */
export const countDeadlocks = async (db: Db): Promise<number> =>
  (await queryOne(
    db,
    sql`select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()`,
    z.object({ deadlocks: z.number() }),
  ))!.deadlocks;

const countLockWaits = async (db: Db): Promise<number> =>
  (await queryOne(
    db,
    sql`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    z.object({ n: z.number() }),
  ))!.n;

/** Resolves when this many connections wait for a lock, or `work` has ended. */
export async function waitForLock(db: Db, work: Promise<unknown>, waiting = 1): Promise<void> {
  const state = { ended: false };
  const onEnd = () => void (state.ended = true);
  work.then(onEnd, onEnd);
  while (!state.ended && (await countLockWaits(db)) < waiting) await pause(10);
}

/** Runs a statement in a separate transaction, which keeps its locks until it is committed by the returned function. */
export async function holdTransaction(db: Db, statement: Sql): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const holder = sqlTransaction(db, async (tx) => {
    await execute(tx, statement);
    locked.resolve();
    await gate.promise;
  });
  await locked.promise;
  return async () => {
    gate.resolve();
    await holder;
  };
}
