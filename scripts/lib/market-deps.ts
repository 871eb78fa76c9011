import { setTimeout as delay } from "node:timers/promises";

import { createDb, query, sql } from "@marketday/db";
import { createDeps } from "@marketday/server/create-deps";
import type { Deps } from "@marketday/server/deps";
import { loadEnv } from "@marketday/server/env";
import { createLogger } from "@marketday/server/lib/logger";

import { openDatabase } from "./database.ts";

/** The application name of a command's connections, by which they are found and terminated. */
export const applicationName = `marketday command ${process.pid}`;

export interface Opening {
  /** For imports and backups: no statement timeout. */
  long?: boolean;
  /** Connects as the role that owns the tables, where one is set (MIGRATE_DATABASE_URL): `restore` empties them. */
  asOwner?: boolean;
  /** Ctrl-C: its reason is thrown instead of the error of the interrupted work. */
  signal?: AbortSignal;
  /** The work checks the signal up to its commit. Otherwise its database connections are terminated. */
  stopsItself?: boolean;
}

/**
 * Terminates a command's connections from the abort of `signal` until the returned function is called: the running
 * transaction is rolled back, and no other begins.
 * @returns to be called when the work is over
 */
function terminateOnAbort(signal: AbortSignal, url: string): () => Promise<void> {
  const finished = new AbortController();
  let terminating: Promise<void> | undefined;
  const terminate = async (): Promise<void> => {
    const db = createDb({ url, poolSize: 1, applicationName: "marketday stop" });
    while (!finished.signal.aborted) {
      await query(
        db,
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = ${applicationName}`,
      ).catch(() => undefined);
      await delay(20);
    }
    await db.close();
  };
  const begin = (): void => void (terminating ??= terminate());
  signal.addEventListener("abort", begin, { once: true });
  return async () => {
    finished.abort();
    signal.removeEventListener("abort", begin);
    await terminating;
  };
}

/** Runs work on the database that Ctrl-C interrupts in the middle of a statement. @throws the signal's reason */
export async function stoppable<T>(signal: AbortSignal, url: string, work: () => Promise<T>): Promise<T> {
  const finish = terminateOnAbort(signal, url);
  try {
    return await work();
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    await finish();
  }
}

/**
 * Runs an operator's work with the server's dependencies (database, payments, mail), whether or not a server runs.
 * When it is interrupted before the work is done, it throws the signal's reason.
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
    const run = async (): Promise<T> => {
      // Standard output is reserved for the command's result.
      const deps = await createDeps(env, url, createLogger("warn", false, 2), { db });
      try {
        return await work(deps);
      } finally {
        deps.clock.stop();
      }
    };
    try {
      return await (signal && !stopsItself ? stoppable(signal, url, run) : run());
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    } finally {
      await db.close();
    }
  } finally {
    await database.close();
  }
}
