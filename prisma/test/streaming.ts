import { execFile } from "node:child_process";
import { chmodSync } from "node:fs";
import { appendFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import pg from "pg";

import { type Cluster, startCluster, stopCluster, urlOf } from "../src/embedded-cluster.ts";
import { findPrograms, postgresAccount } from "../src/embedded-user.ts";
import { startEmbedded } from "../src/embedded.ts";
import { atEnd, createTestFolder } from "./cleanup.ts";

/** A primary with a streaming replica, both the built-in Postgres. */
export interface Streaming {
  primaryUrl: string;
  replicaUrl: string;
  /** Runs a statement on the replica, outside a transaction. */
  onReplica<T extends pg.QueryResultRow>(statement: string): Promise<T[]>;
  /** Stops the replica from replaying changes, or lets it go on. Resolves when it does. */
  setReplaying(on: boolean): Promise<void>;
  stopReplica(): Promise<void>;
  startReplica(): Promise<void>;
  stop(): Promise<void>;
}

const run = promisify(execFile);

/** Copies the folder of a running cluster, as `pg_basebackup` does. */
async function backUp(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('replica', true)");
    await run("cp", ["-a", from, to]);
    const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
    // Its log holds what was written while the folder was copied.
    await rm(join(to, "pg_wal"), { recursive: true });
    await run("cp", ["-a", join(from, "pg_wal"), join(to, "pg_wal")]);
    await writeFile(join(to, "backup_label"), rows[0]!.labelfile);
    await writeFile(join(to, "standby.signal"), "");
    const { port } = new URL(url);
    await appendFile(
      join(to, "postgresql.auto.conf"),
      `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`,
    );
    await rm(join(to, "postmaster.pid"), { force: true });
  } finally {
    await client.end();
  }
}

/** Starts both, until the end of the test or file. `prepare`: what the primary has before the replica is made. */
export async function startStreaming(prepare: (primaryUrl: string) => Promise<void>): Promise<Streaming> {
  const home = createTestFolder("streaming");
  chmodSync(home, 0o755);
  const primary = await startEmbedded({ dataDir: join(home, "primary"), throwaway: true });
  const stopPrimary = atEnd(() => primary.stop());
  await prepare(primary.url);
  const account = postgresAccount();
  const replica: Cluster = {
    dir: join(home, "replica"),
    account,
    programs: await findPrograms(account),
    throwaway: true,
    password: "",
    port: 0,
  };
  await backUp(primary.url, primary.dataDir, replica.dir);
  if (account.uid !== undefined) await run("chown", ["-R", `${account.uid}:${account.gid}`, replica.dir]);
  const startReplica = () => startCluster(replica, { port: replica.port || undefined }, () => undefined);
  const stop = atEnd(async () => {
    await stopCluster(replica);
    await stopPrimary();
  });
  await startReplica();
  const onReplica = async <T extends pg.QueryResultRow>(statement: string): Promise<T[]> => {
    const client = new pg.Client({ connectionString: urlOf(replica) });
    await client.connect();
    try {
      return (await client.query<T>(statement)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    primaryUrl: primary.url,
    replicaUrl: urlOf(replica),
    onReplica,
    async setReplaying(on) {
      await onReplica(`select pg_wal_replay_${on ? "resume" : "pause"}()`);
      for (let state = ""; state !== (on ? "not paused" : "paused");)
        [{ state }] = (await onReplica<{ state: string }>("select pg_get_wal_replay_pause_state() as state")) as [
          { state: string },
        ];
    },
    stopReplica: () => stopCluster(replica),
    startReplica,
    stop,
  };
}
