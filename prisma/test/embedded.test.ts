import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import pg from "pg";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { type Embedded, EmbeddedError, startEmbedded } from "../src/embedded.ts";
import { isAlive } from "../src/lock.ts";
import { createTestFolder } from "./cleanup.ts";
import { quietPort } from "./port.ts";

const root = process.getuid?.() === 0;
let home: string;
let dataDir: string;
const holders = new Set<ChildProcess>();
const servers = new Set<Embedded>();

/** The folder of a cluster that was created and stopped. */
let created: string;
beforeAll(async () => {
  created = createTestFolder("embedded");
  chmodSync(created, 0o755);
  await (await startEmbedded({ dataDir: join(created, "postgres") })).stop();
});

/** Copies that cluster to the test's folder, for tests that are not about creating one. */
function copyCluster(): void {
  execFileSync("cp", ["-a", join(created, "postgres"), dataDir]);
  const state = JSON.parse(readFileSync(join(created, "postgres.json"), "utf8")) as object;
  writeFileSync(`${dataDir}.json`, JSON.stringify({ ...state, cluster: dataDir }), { mode: 0o600 });
}

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "marketday-embedded-"));
  chmodSync(home, 0o755);
  dataDir = join(home, "postgres");
});
afterEach(async () => {
  for (const holder of holders) holder.kill("SIGKILL");
  holders.clear();
  for (const server of servers) await server.stop();
  servers.clear();
  rmSync(home, { recursive: true, force: true });
});

async function start(options: Partial<Parameters<typeof startEmbedded>[0]> = {}): Promise<Embedded> {
  const server = await startEmbedded({ dataDir, ...options });
  servers.add(server);
  return server;
}

/** Another process on the same folder. */
async function hold(...options: "supervise"[]): Promise<{ process: ChildProcess; url: string; joined: boolean }> {
  const script = fileURLToPath(new URL("fixtures/hold-embedded.ts", import.meta.url));
  const child = spawn(process.execPath, [script, dataDir, ...options], { stdio: ["pipe", "pipe", "inherit"] });
  holders.add(child);
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return { process: child, ...(JSON.parse(line) as { url: string; joined: boolean }) };
}

async function leave(holder: ChildProcess): Promise<void> {
  const gone = once(holder, "exit");
  holder.stdin?.end();
  await gone;
  holders.delete(holder);
}

async function run<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const postmaster = () => Number(readFileSync(join(dataDir, "postmaster.pid"), "utf8").split("\n")[0]);

test("embedded Postgres: rows stay between runs, and a wrong password is rejected", async () => {
  const first = await start({ port: await quietPort() });
  await run(first.url, "create table pot (eggs int); insert into pot values (12)");
  expect(
    await run(
      first.url,
      "select current_setting('server_encoding') as e, lower('ÉCLAIR') as l, current_setting('fsync') as f",
    ),
  ).toStrictEqual([{ e: "UTF8", l: "éclair", f: "on" }]);
  const wrong = new URL(first.url);
  wrong.password = "guessed";
  await expect(run(wrong.href, "select 1")).rejects.toThrow(/password authentication failed/);
  await first.stop();
  await expect(run(first.url, "select 1")).rejects.toThrow(/ECONNREFUSED/);

  const second = await start();
  expect(second.joined).toBe(false);
  expect(second.url).toBe(first.url);
  expect(await run(second.url, "select eggs from pot")).toStrictEqual([{ eggs: 12 }]);
});

test("embedded Postgres: a second process joins the running one, and the last to leave stops it", async () => {
  copyCluster();
  const first = await hold();
  const second = await start();
  expect([first.joined, second.joined, second.url]).toStrictEqual([false, true, first.url]);
  await leave(first.process);
  expect(await run(second.url, "select 1 as one")).toStrictEqual([{ one: 1 }]);
  await second.stop();
  await expect(run(second.url, "select 1")).rejects.toThrow(/ECONNREFUSED/);
  expect(existsSync(join(dataDir, "postmaster.pid"))).toBe(false);
});

test("embedded Postgres: processes that start at the same moment share one", async () => {
  const all = await Promise.all([hold(), hold(), hold()]);
  expect(new Set(all.map(({ url }) => url)).size).toBe(1);
  expect(all.map(({ joined }) => String(joined)).toSorted()).toStrictEqual(["false", "true", "true"]);
});

test("embedded Postgres: after its user was killed it is joined, and the last to leave stops it", async () => {
  copyCluster();
  const killed = await hold();
  const gone = once(killed.process, "exit");
  killed.process.kill("SIGKILL");
  await gone;
  const next = await start();
  expect(next.joined).toBe(true);
  await next.stop();
  await expect(run(next.url, "select 1")).rejects.toThrow(/ECONNREFUSED/);
});

test("embedded Postgres: after a kill it recovers every acknowledged row", async () => {
  copyCluster();
  const first = await start();
  await run(first.url, "create table pot (eggs int); insert into pot values (7)");
  process.kill(postmaster(), "SIGKILL");
  await first.stop();
  const second = await start();
  expect(await run(second.url, "select eggs from pot")).toStrictEqual([{ eggs: 7 }]);
});

/** Kills Postgres and waits until it has ended. */
async function killPostgres(): Promise<void> {
  const pid = postmaster();
  process.kill(pid, "SIGKILL");
  await expect.poll(() => isAlive(pid)).toBe(false);
}

const answers = (url: string) =>
  run(url, "select 1 as one").then(
    () => true,
    () => false,
  );

test(
  "embedded Postgres: a command that restarts it beside live servers leaves it running for them on the same port",
  { tags: ["fail:M11"] },
  async () => {
    copyCluster();
    const [one, two] = [await hold(), await hold()];
    await killPostgres();
    const command = await start({ port: await quietPort() });
    expect(command.joined).toBe(false);
    expect(command.url).toBe(one.url);
    await command.stop();
    expect(await answers(one.url)).toBe(true);
    await leave(one.process);
    expect(await answers(two.url)).toBe(true);
    await leave(two.process);
    expect(await answers(two.url)).toBe(false);
  },
);

test(
  "embedded Postgres: killed while three processes use it, one that supervises restarts it and none stops it early",
  { tags: ["fail:M11"] },
  async () => {
    copyCluster();
    const all = [await hold("supervise"), await hold("supervise"), await hold("supervise")];
    const [first, second, third] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]];
    await run(first.url, "create table pot (eggs int); insert into pot values (12)");
    for (let round = 0; round < 2; round += 1) {
      await killPostgres();
      await expect.poll(() => answers(first.url)).toBe(true);
    }
    expect(await run(first.url, "select eggs from pot")).toStrictEqual([{ eggs: 12 }]);
    // The process that started it and one that may have restarted it leave before the others.
    await leave(first.process);
    expect(await answers(third.url)).toBe(true);
    await leave(second.process);
    expect(await answers(third.url)).toBe(true);
    await leave(third.process);
    expect(await answers(third.url)).toBe(false);
    expect(existsSync(join(dataDir, "postmaster.pid"))).toBe(false);
  },
);

test("embedded Postgres: stopped by its last user, supervision does not bring it back", async () => {
  copyCluster();
  const server = await start({ supervise: true });
  await server.stop();
  expect(await answers(server.url)).toBe(false);
  expect(existsSync(join(dataDir, "postmaster.pid"))).toBe(false);
});

test("embedded Postgres: starts beside a process file with the id of another program", async () => {
  copyCluster();
  const first = await start();
  await first.stop();
  writeFileSync(join(dataDir, "postmaster.pid"), `${process.pid}\n${dataDir}\n`);
  const second = await start();
  expect(await run(second.url, "select 1 as one")).toStrictEqual([{ one: 1 }]);
});

test("embedded Postgres: starts on a free port when its own is taken", async () => {
  copyCluster();
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  try {
    const server = await start({ port });
    expect(new URL(server.url).port).not.toBe(String(port));
    expect(await run(server.url, "select 1 as one")).toStrictEqual([{ one: 1 }]);
  } finally {
    taken.close();
  }
});

test("embedded Postgres: Ctrl-C in the terminal of its user does not reach it", async () => {
  copyCluster();
  const server = await start();
  const [own] = readFileSync("/proc/self/stat", "utf8").split(") ").slice(1);
  const [its] = readFileSync(`/proc/${postmaster()}/stat`, "utf8").split(") ").slice(1);
  expect(its?.split(" ")[2]).not.toBe(own?.split(" ")[2]);
  expect(await run(server.url, "select 1 as one")).toStrictEqual([{ one: 1 }]);
});

test("embedded Postgres: a folder of another version, or without its password, is rejected in one sentence", async () => {
  copyCluster();
  const first = await start();
  await first.stop();
  const version = readFileSync(join(dataDir, "PG_VERSION"), "utf8");
  writeFileSync(join(dataDir, "PG_VERSION"), "14\n");
  await expect(start()).rejects.toThrow(/was made by Postgres 14/);
  writeFileSync(join(dataDir, "PG_VERSION"), version);
  rmSync(`${dataDir}.json`);
  await expect(start()).rejects.toBeInstanceOf(EmbeddedError);
  await expect(start()).rejects.toThrow(/postgres\.json is missing/);
});

test.runIf(root)("below a home that its user cannot enter it stands elsewhere and says where", async () => {
  chmodSync(home, 0o700);
  const lines: string[] = [];
  const first = await start({ log: (line) => lines.push(line) });
  try {
    expect(first.dataDir.startsWith(home)).toBe(false);
    expect(lines[0]).toContain(first.dataDir);
    expect(lines[0]).toContain(dataDir);
    await run(first.url, "create table pot (eggs int)");
    await first.stop();
    const second = await start();
    expect(await run(second.url, "select eggs from pot")).toStrictEqual([]);
    await second.stop();
  } finally {
    rmSync(dirname(first.dataDir), { recursive: true, force: true });
  }
});

test("embedded Postgres: a throwaway one leaves no files", async () => {
  mkdirSync(join(home, "brief"));
  const server = await startEmbedded({ dataDir: join(home, "brief", "postgres"), throwaway: true });
  expect(await run(server.url, "select current_setting('fsync') as fsync")).toStrictEqual([{ fsync: "off" }]);
  await server.stop();
  expect(existsSync(join(home, "brief", "postgres"))).toBe(false);
  expect(existsSync(join(home, "brief", "postgres.json"))).toBe(false);
});
