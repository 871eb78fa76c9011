import { execFile, spawn } from "node:child_process";
import { chownSync, closeSync, existsSync, openSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

import pg from "pg";

import type { Account, Programs } from "./embedded-user.ts";
import { isAlive } from "./lock.ts";

/** One Postgres data folder and how to run it. `port` is 0 until it runs. */
export type Cluster = {
  dir: string;
  account: Account;
  programs: Programs;
  throwaway: boolean;
  password: string;
  port: number;
};

const run = promisify(execFile);
const database = "marketday";

/** The connection string of the market's database in a running cluster. */
export function urlOf(cluster: Cluster, name: string = database): string {
  const secret = cluster.password ? `:${cluster.password}` : "";
  return `postgres://postgres${secret}@127.0.0.1:${cluster.port}/${name}`;
}

/** The environment without the variables of Postgres's programs: PGDATA or PGPORT of the shell belong to another Postgres. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("PG") && !name.startsWith("LC_"));
  return { ...Object.fromEntries(kept), LANG: "C", LC_ALL: "C", TZ: "UTC" };
}

function giveTo(account: Account, path: string): void {
  if (account.uid !== undefined && account.gid !== undefined) chownSync(path, account.uid, account.gid);
}

/** Runs initdb beside the final folder and moves the result, so that a kill leaves nothing half-made. */
export async function createCluster(cluster: Cluster): Promise<void> {
  const aside = `${cluster.dir}.new`;
  const passwordFile = `${cluster.dir}.password`;
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true, mode: 0o700 });
  giveTo(cluster.account, aside);
  try {
    const secret = cluster.password ? [`--pwfile=${passwordFile}`, "--auth=scram-sha-256"] : ["--auth=trust"];
    if (cluster.password) {
      await writeFile(passwordFile, `${cluster.password}\n`, { mode: 0o600 });
      giveTo(cluster.account, passwordFile);
    }
    const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
    const speed = cluster.throwaway ? ["--no-sync"] : [];
    await run(cluster.programs.initdb, [`--pgdata=${aside}`, "--username=postgres", ...locale, ...secret, ...speed], {
      ...cluster.account,
      cwd: aside,
      env: environment(),
    });
    await rm(cluster.dir, { recursive: true, force: true });
    await rename(aside, cluster.dir);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(aside, { recursive: true, force: true });
  }
}

/** Whether the Postgres of a postmaster.pid runs in `dir`, and not in a folder that this one is a copy of. */
function runsIn(pid: number, startedIn: string, dir: string): boolean {
  let folder = startedIn;
  if (process.platform === "linux") {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("postgres")) return false;
      // Postgres works in its folder, also after the folder was moved.
      folder = readlinkSync(`/proc/${pid}/cwd`);
    } catch {
      if (!isAlive(pid)) return false;
    }
  }
  return existsSync(folder) ? realpathSync(folder) === realpathSync(dir) : true;
}

/** The id of the process that runs a cluster, or undefined. A file left by a killed one does not count. */
export async function clusterPid(dir: string): Promise<number | undefined> {
  const text = await readFile(`${dir}/postmaster.pid`, "utf8").catch(() => "");
  const [first, startedIn = ""] = text.split("\n");
  const pid = Number(first);
  return isAlive(pid) && runsIn(pid, startedIn, dir) ? pid : undefined;
}

async function connect(cluster: Cluster, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: urlOf(cluster, name), connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Whether the cluster accepts connections. */
export async function isUp(cluster: Cluster): Promise<boolean> {
  if (cluster.port === 0) return false;
  try {
    const client = await connect(cluster, "postgres");
    await client.end();
    return true;
  } catch {
    return false;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}

async function choosePort(wanted: number | undefined): Promise<number> {
  if (wanted && (await isFree(wanted))) return wanted;
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: 0, host: "127.0.0.1" }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** Settings for a small machine with little memory. */
function settings(cluster: Cluster, port: number): string[] {
  const durable = cluster.throwaway
    ? { fsync: "off", synchronous_commit: "off", full_page_writes: "off", shared_buffers: "64MB" }
    : { fsync: "on", shared_buffers: "128MB", shared_preload_libraries: "pg_stat_statements" };
  const all = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: cluster.throwaway ? "200" : "100",
    max_parallel_workers_per_gather: "0",
    random_page_cost: "1.1",
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    // Without the contents of rejected rows.
    log_error_verbosity: "terse",
    ...durable,
  };
  return Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Lines of Postgres's log after which another try can succeed. */
const passing = /shared memory block .* still in use|could not bind IPv4 address/;

async function tryStart(cluster: Cluster, logFile: string): Promise<{ up: boolean; log: string }> {
  await rm(`${cluster.dir}/postmaster.pid`, { force: true });
  const log = openSync(logFile, "w", 0o600);
  const gone = new AbortController();
  try {
    const child = spawn(cluster.programs.postgres, ["-D", cluster.dir, ...settings(cluster, cluster.port)], {
      ...cluster.account,
      cwd: cluster.dir,
      env: environment(),
      detached: true,
      stdio: ["ignore", log, log],
    });
    child.once("exit", () => gone.abort());
    child.once("error", () => gone.abort());
    child.unref();
  } finally {
    closeSync(log);
  }
  const deadline = performance.now() + 90_000;
  while (!gone.signal.aborted && performance.now() < deadline) {
    if (await isUp(cluster)) return { up: true, log: "" };
    await delay(20);
  }
  return { up: false, log: readFileSync(logFile, "utf8").trim() };
}

/**
 * Starts Postgres on the wanted port, or on a free one unless the wanted one is fixed, and waits until it answers;
 * `known` receives the port before. Creates the market's database when it is missing. The caller holds the folder's
 * lock, so no other process starts it.
 */
export async function startCluster(
  cluster: Cluster,
  wanted: { port: number | undefined; isFixed?: boolean },
  known: (port: number) => void,
): Promise<void> {
  const logFile = `${cluster.dir}.log`;
  const deadline = performance.now() + 30_000;
  for (;;) {
    cluster.port = wanted.isFixed && wanted.port ? wanted.port : await choosePort(wanted.port);
    known(cluster.port);
    const { up, log } = await tryStart(cluster, logFile);
    if (up) break;
    const reason =
      log.split("\n").findLast((line) => /FATAL|ERROR|error|PANIC/.test(line)) ?? log.split("\n").at(-1) ?? "";
    if (!passing.test(log) || performance.now() > deadline) {
      throw new Error(`${reason.replace(/^.*(FATAL|ERROR|PANIC):\s*/, "") || "it ended without a word"} (${logFile})`);
    }
    // The child processes of a killed server take a moment to end.
    await delay(300);
  }
  const client = await connect(cluster, "postgres");
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [database]);
    if (rowCount === 0) await client.query(`create database ${database}`);
  } finally {
    await client.end();
  }
}

/** Stops Postgres: connections are closed and everything is written. It is killed after 15 seconds. */
export async function stopCluster(cluster: Cluster): Promise<void> {
  const pid = await clusterPid(cluster.dir);
  if (pid === undefined) return;
  if (process.platform === "win32") {
    await run(cluster.programs.pgCtl, ["stop", "-D", cluster.dir, "-m", "fast", "-w"], { env: environment() });
    return;
  }
  const started = performance.now();
  process.kill(pid, "SIGINT");
  let hard = false;
  while (isAlive(pid) && existsSync(`${cluster.dir}/postmaster.pid`)) {
    if (!hard && performance.now() - started > 15_000) {
      process.kill(pid, "SIGQUIT");
      hard = true;
    }
    if (performance.now() - started > 30_000) throw new Error(`Postgres (process ${pid}) does not stop.`);
    await delay(20);
  }
}
