import { chmodSync, existsSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

import { type Account, canReach, folderElsewhere } from "./embedded-user.ts";

/** A Postgres that could not be started; the message is one sentence for people. */
export class EmbeddedError extends Error {}

/** What the .json beside a cluster's folder says. */
export type State = {
  /** The folder of the cluster when it was last started. */
  cluster: string;
  /** The folder that was opened, `DATA_DIR/postgres`; the cluster may be elsewhere. Not written by older versions. */
  dataDir?: string;
  port: number;
  password: string;
  /** The ids of the processes that use it. */
  users: number[];
};

export function readState(path: string): State | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as State;
  } catch {
    return undefined;
  }
}

export function writeState(path: string, state: State): void {
  writeFileSync(path, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
}

const isCluster = (dir: string) => existsSync(`${dir}/PG_VERSION`);

/** Whether both paths lead to one folder that exists. */
function isSameFolder(one: string, other: string): boolean {
  return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}

/** The folder in which the process that wrote a cluster's postmaster.pid was started. */
function startedIn(dir: string): string | undefined {
  try {
    return readFileSync(`${dir}/postmaster.pid`, "utf8").split("\n")[1];
  } catch {
    return undefined;
  }
}

/** `path` without links in the folders above it. */
export function resolveAbove(path: string): string {
  const above = dirname(resolve(path));
  return join(existsSync(above) ? realpathSync(above) : above, basename(path));
}

/**
 * What is true of a state beside the cluster of `dataDir`. A copy of a stopped market is a separate market: the processes and
 * the port in its state are the original's.
 * @throws EmbeddedError when Postgres cannot reach the cluster, when it is the copy of a running one, or is shared by a link
 */
function checkInside(account: Account, dataDir: string, state: State | undefined): State | undefined {
  if (!canReach(account, dataDir)) {
    throw new EmbeddedError(
      `The database is in ${dataDir}, and Postgres has its own user, who cannot enter the folders above it: allow that (chmod o+x), or move the data folder.`,
    );
  }
  const original = startedIn(dataDir);
  if (original && existsSync(original) && !isSameFolder(original, dataDir)) {
    throw new EmbeddedError(
      `${dataDir} is a copy of ${original} that was made while Postgres ran there, or after it was killed, and may be damaged: stop that market and copy it again, or restore a backup of it.`,
    );
  }
  if (!state) return undefined;
  const owner = resolveAbove(state.dataDir ?? state.cluster);
  if (owner === dataDir || !existsSync(owner)) return state;
  if (isSameFolder(owner, dataDir)) {
    throw new EmbeddedError(
      `${dataDir} is a link to the database of ${owner}: a copied data folder needs a separate database. Restore a backup into a new data folder.`,
    );
  }
  return { ...state, port: 0, users: [] };
}

/**
 * The cluster that a state names outside of its data folder. It follows a data folder that was moved or renamed.
 * @param own where the cluster of this data folder has to be
 * @throws EmbeddedError when it is gone, or belongs to another data folder
 */
async function findOutside(dataDir: string, own: string, state: State, isRunning: IsRunning): Promise<string> {
  const { cluster, dataDir: owner } = state;
  if (!isCluster(cluster)) {
    throw new EmbeddedError(
      `${dataDir}.json says that the database is in ${cluster}, and it is not there: put it back, or restore a backup into a new data folder.`,
    );
  }
  if (owner === dataDir || isSameFolder(cluster, own)) return cluster;
  if (owner === undefined || existsSync(`${owner}.json`) || isCluster(own)) {
    await rmdir(dirname(own)).catch(() => undefined);
    throw new EmbeddedError(
      `The database in ${cluster} belongs to ${owner ?? "another data folder"}, of which ${dirname(dataDir)} is a copy without the database: restore a backup into a new data folder. If the folder was moved here, move its database too: mkdir -p ${dirname(own)} && mv ${cluster} ${own}`,
    );
  }
  if (await isRunning(cluster)) {
    throw new EmbeddedError(
      `The data folder was moved from ${dirname(owner)} while its Postgres runs: stop all its servers and commands first.`,
    );
  }
  renameSync(dirname(cluster), dirname(own));
  return own;
}

type IsRunning = (dir: string) => Promise<boolean>;

/**
 * The folder of the cluster that belongs to `dataDir` (there, or where `account` can reach it), and what of `state` is true. No
 * other cluster is ever opened, whatever the state says: a copied data folder must not change the original.
 * @param dataDir without links in the folders above it
 * @throws EmbeddedError
 */
export async function findCluster(
  account: Account,
  dataDir: string,
  state: State | undefined,
  isRunning: IsRunning,
): Promise<{ dir: string; state: State | undefined }> {
  if (isCluster(dataDir)) return { dir: dataDir, state: checkInside(account, dataDir, state) };
  const own = canReach(account, dataDir) ? dataDir : folderElsewhere(dataDir);
  return { dir: state ? await findOutside(dataDir, own, state, isRunning) : own, state };
}
