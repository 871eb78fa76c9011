import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { type Cluster, clusterPid, createCluster, isUp, startCluster, stopCluster, urlOf } from "./embedded-cluster.ts";
import { EmbeddedError, findCluster, readState, resolveAbove, writeState } from "./embedded-state.ts";
import { findPrograms, postgresAccount } from "./embedded-user.ts";
import { isAlive, withProcessLock } from "./lock.ts";

export { EmbeddedError } from "./embedded-state.ts";

export type EmbeddedOptions = {
  /** The cluster's folder, kept between runs. Beside it are its .json (port, password), .log and .lock. */
  dataDir: string;
  /** Wanted port; a free one otherwise. */
  port?: number;
  /** For tests: no fsync, no password, and the folder is removed by `stop`. */
  throwaway?: boolean;
  /** For servers: starts Postgres again, on the same port, whenever it is found dead, until `stop`. */
  supervise?: boolean;
  log?: (line: string) => void;
};

export type Embedded = {
  url: string;
  /** The folder of the cluster. */
  dataDir: string;
  /** Whether it was running already. */
  joined: boolean;
  /** Leaves the cluster; the last process to leave stops it. */
  stop(): Promise<void>;
};

/** Waits for a cluster whose process runs: it may be recovering or stopping. */
async function waitWhileAlive(cluster: Cluster): Promise<boolean> {
  const deadline = performance.now() + 60_000;
  while ((await clusterPid(cluster.dir)) !== undefined) {
    if (await isUp(cluster)) return true;
    if (performance.now() > deadline) {
      throw new EmbeddedError(`Postgres runs in ${cluster.dir} but does not answer; see ${cluster.dir}.log.`);
    }
    await delay(50);
  }
  return false;
}

/**
 * Joins the cluster of a data folder if it runs, else creates it if needed and starts it.
 * @param wanted the data folder, without links in the folders above it
 */
async function open(options: EmbeddedOptions, wanted: string): Promise<{ cluster: Cluster; joined: boolean }> {
  const account = postgresAccount();
  const programs = await findPrograms(account);
  const stateFile = `${wanted}.json`;
  const { dir, state } = await findCluster(
    account,
    wanted,
    readState(stateFile),
    async (path) => (await clusterPid(path)) !== undefined,
  );
  if (dir !== wanted)
    options.log?.(`The database is kept in ${dir}: Postgres has its own user, who cannot reach ${wanted}.`);

  const throwaway = options.throwaway ?? false;
  const password = state?.password ?? (throwaway ? "" : randomBytes(18).toString("base64url"));
  const cluster: Cluster = { dir, account, programs, throwaway, password, port: state?.port ?? 0 };
  if (state && (await waitWhileAlive(cluster))) return { cluster, joined: true };
  if (!state && dir !== wanted && existsSync(dir)) {
    // The data folder was removed to start from scratch; the cluster it pointed to is kept once, under another name.
    await stopCluster(cluster);
    await rm(`${dir}.abandoned`, { recursive: true, force: true });
    await rename(dir, `${dir}.abandoned`);
  }
  if (!existsSync(`${dir}/PG_VERSION`)) {
    options.log?.("Creating the database …");
    await createCluster(cluster);
  } else if (!state) {
    throw new EmbeddedError(
      `${stateFile} is missing, so the database in ${dir} cannot be opened; put it back or set DATABASE_URL.`,
    );
  }
  const major = (await readFile(`${dir}/PG_VERSION`, "utf8")).trim();
  if (major !== programs.major) {
    throw new EmbeddedError(
      `The database in ${dir} was made by Postgres ${major} and this version brings ${programs.major}: restore a backup into a new folder, or set DATABASE_URL.`,
    );
  }
  // Processes that used it before it died reconnect to the port they know, so they stay users and the port stays.
  const users = (state?.users ?? []).filter(isAlive);
  const port = users.length > 0 && state ? { port: state.port, isFixed: true } : { port: options.port ?? state?.port };
  // Written before the start, so that a process killed in between leaves a cluster that can be joined.
  await startCluster(cluster, port, (chosen) =>
    writeState(stateFile, { cluster: dir, dataDir: wanted, port: chosen, password, users }),
  );
  return { cluster, joined: false };
}

/** How often a supervising process checks that Postgres is alive, and waits after a failed restart, in ms. */
const CHECK_EVERY_MS = 500;
const RETRY_AFTER_MS = 5_000;

/** Runs `restart` whenever the cluster's process is gone, until `signal` aborts. Never rejects. */
async function superviseCluster(
  cluster: Cluster,
  restart: () => Promise<void>,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<void> {
  const pause = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  while (!signal.aborted) {
    await pause(CHECK_EVERY_MS);
    if (signal.aborted || (await clusterPid(cluster.dir)) !== undefined) continue;
    log("The built-in Postgres is gone; starting it again.");
    try {
      await restart();
      log("The built-in Postgres is back.");
    } catch (error) {
      log(`The built-in Postgres did not start again: ${(error as Error).message}`);
      await pause(RETRY_AFTER_MS);
    }
  }
}

/**
 * Starts the built-in Postgres, or joins it when it already runs for this folder. It runs in a separate session: Ctrl-C in the
 * terminal reaches this process only, which then calls `stop`.
 * @throws EmbeddedError
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  await mkdir(dirname(resolve(options.dataDir)), { recursive: true });
  const base = resolveAbove(options.dataDir);
  const stateFile = `${base}.json`;
  const locked = <T>(work: () => Promise<T>) => withProcessLock(`${base}.lock`, work);

  const { cluster, joined } = await locked(async () => {
    try {
      const opened = await open(options, base);
      const state = readState(stateFile);
      if (state) writeState(stateFile, { ...state, users: [...state.users, process.pid] });
      return opened;
    } catch (error) {
      if (error instanceof EmbeddedError) throw error;
      throw new EmbeddedError(`The built-in Postgres did not start: ${(error as Error).message}`, { cause: error });
    }
  });

  const stopping = new AbortController();
  const restart = () =>
    locked(async () => {
      // Another process may have restarted it, or `stop` may have been called, while this one waited for the lock.
      if (stopping.signal.aborted) return;
      await open(options, base);
      const state = readState(stateFile);
      if (state && !state.users.includes(process.pid))
        writeState(stateFile, { ...state, users: [...state.users, process.pid] });
    });
  const supervision = options.supervise
    ? superviseCluster(cluster, restart, stopping.signal, options.log ?? (() => undefined))
    : undefined;

  let left = false;
  return {
    url: urlOf(cluster),
    dataDir: cluster.dir,
    joined,
    async stop() {
      if (left) return;
      left = true;
      stopping.abort();
      await supervision;
      // The data folder was moved or removed; who opens it there stops Postgres.
      if (!existsSync(dirname(base))) return;
      await locked(async () => {
        const state = readState(stateFile);
        const own = state?.users.indexOf(process.pid) ?? -1;
        const users = (state?.users ?? []).filter((pid, index) => index !== own && isAlive(pid));
        if (state) writeState(stateFile, { ...state, users });
        if (users.length > 0) return;
        await stopCluster(cluster);
        if (!cluster.throwaway) return;
        for (const path of [cluster.dir, `${cluster.dir}.log`, stateFile])
          await rm(path, { recursive: true, force: true });
        // The folder created for a cluster outside its data folder; any other folder stays.
        if (cluster.dir !== base) await rmdir(dirname(cluster.dir)).catch(() => undefined);
      });
    },
  };
}
