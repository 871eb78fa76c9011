import { setTimeout as delay } from "node:timers/promises";

import { createDb, query, sql } from "@marketday/db";
import { createDeps } from "@marketday/server/create-deps";
import type { Deps } from "@marketday/server/deps";
import { loadEnv } from "@marketday/server/env";
import { createLogger } from "@marketday/server/lib/logger";

import { openDatabase } from "./database.ts";

/** How a command's connections are called in the database: they can be found, and ended, by it. */
export const applicationName = `marketday command ${process.pid}`;

export interface Opening {
  /** Imports and backups: no limit on how long a statement takes. */
  long?: boolean;
  /** Signs in as the role that owns the tables, where one is set (MIGRATE_DATABASE_URL): `restore` empties them. */
  asOwner?: boolean;
  /** Ctrl-C: its reason comes out, whatever the work says of its own end. */
  signal?: AbortSignal;
  /** The work looks at the signal itself, up to its commit. Else what it does in the database is ended from outside. */
  stopsItself?: boolean;
}

/**
 * Ends a command's connections once `signal` is aborted, until it is told that the work is over: the transaction under
 * way is taken back, and no other begins.
 * @returns says that the work is over
 */
function endOnAbort(signal: AbortSignal, url: string): () => Promise<void> {
  const over = new AbortController();
  let ending: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    const db = createDb({ url, poolSize: 1, applicationName: "marketday stop" });
    while (!over.signal.aborted) {
      await query(
        db,
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = ${applicationName}`,
      ).catch(() => undefined);
      await delay(20);
    }
    await db.close();
  };
  const begin = (): void => void (ending ??= end());
  signal.addEventListener("abort", begin, { once: true });
  return async () => {
    over.abort();
    signal.removeEventListener("abort", begin);
    await ending;
  };
}

/** Work on the database that Ctrl-C ends, whatever statement it is in: the signal's reason comes out. */
export async function stoppable<T>(signal: AbortSignal, url: string, work: () => Promise<T>): Promise<T> {
  const over = endOnAbort(signal, url);
  try {
    return await work();
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    await over();
  }
}

/**
 * Runs an operator's work with what the server has (database, payments, mail), beside a running server or without one.
 * Stopped, it throws the signal's reason, unless the work was done by then.
 */
export async function withMarket<T>(work: (deps: Deps) => Promise<T>, how: Opening = {}): Promise<T> {
  const { long = false, stopsItself = false, asOwner = false, signal } = how;
  signal?.throwIfAborted();
  const env = loadEnv();
  const database = await openDatabase(env);
  try {
    signal?.throwIfAborted();
    const url = asOwner ? database.ownerUrl : database.url;
    const db = createDb({ url, applicationName, ...(long && { statementTimeoutMs: 0 }) });
    const all = async (): Promise<T> => {
      // Standard output is the command's own.
      const deps = await createDeps(env, url, createLogger("warn", false, 2), { db });
      try {
        return await work(deps);
      } finally {
        deps.clock.stop();
      }
    };
    try {
      return await (signal && !stopsItself ? stoppable(signal, url, all) : all());
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    } finally {
      await db.close();
    }
  } finally {
    await database.close();
  }
}
