import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import pg from "pg";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { folderElsewhere } from "../src/embedded-user.ts";
import { type Embedded, EmbeddedError, startEmbedded } from "../src/embedded.ts";
import { createTestFolder } from "./cleanup.ts";

const isRoot = process.getuid?.() === 0;
let made: string;
let home: string;
/** The data folder of a market whose pot has 12 eggs. */
let market: string;
const servers = new Set<Embedded>();
const holders = new Set<ChildProcess>();

async function open(folder: string): Promise<Embedded> {
  const server = await startEmbedded({ dataDir: join(folder, "postgres") });
  servers.add(server);
  return server;
}

async function run<T extends pg.QueryResultRow>({ url }: Embedded, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

async function countEggs(server: Embedded): Promise<number | undefined> {
  const [pot] = await run<{ eggs: number }>(server, "select eggs from pot");
  return pot?.eggs;
}

const copy = (from: string, to: string) => execFileSync("cp", ["-a", from, to]);

/** A process that keeps a market's Postgres running until the end of the test. */
async function hold(folder: string): Promise<void> {
  const script = fileURLToPath(new URL("fixtures/hold-embedded.ts", import.meta.url));
  const child = spawn(process.execPath, [script, join(folder, "postgres")], { stdio: ["pipe", "pipe", "inherit"] });
  holders.add(child);
  await once(createInterface({ input: child.stdout }), "line");
}

/** As a version before this one wrote it: no word of the data folder that it belongs to. */
function writeOldState(folder: string): void {
  const path = join(folder, "postgres.json");
  const { dataDir: _, ...old } = JSON.parse(readFileSync(path, "utf8")) as { dataDir: string };
  writeFileSync(path, JSON.stringify(old), { mode: 0o600 });
}

beforeAll(async () => {
  made = join(createTestFolder("copied"), "market");
  chmodSync(dirname(made), 0o755);
  const server = await startEmbedded({ dataDir: join(made, "postgres") });
  await run(server, "create table pot (eggs int)");
  await run(server, "insert into pot values (12)");
  await server.stop();
});

/** Writes the state of the market whose pot has 12 eggs, for a copy of it. */
function writeState(folder: string, cluster: string): void {
  const state = JSON.parse(readFileSync(join(made, "postgres.json"), "utf8")) as object;
  const own = { ...state, cluster, dataDir: join(folder, "postgres") };
  writeFileSync(join(folder, "postgres.json"), JSON.stringify(own), { mode: 0o600 });
}

beforeEach(() => {
  home = createTestFolder("copied-test");
  chmodSync(home, 0o755);
  market = join(home, "market");
  copy(made, market);
  writeState(market, join(market, "postgres"));
});

afterEach(async () => {
  for (const server of servers) await server.stop();
  servers.clear();
  for (const holder of holders) {
    const gone = once(holder, "exit");
    holder.stdin?.end();
    await gone;
  }
  holders.clear();
});

describe.each([
  ["this version", () => undefined],
  ["an older version", writeOldState],
])("a data folder written by %s", (_, write) => {
  test("copied while its market is stopped, the copy is a separate market", async () => {
    write(market);
    copy(market, join(home, "copy"));
    const original = await open(market);
    const other = await open(join(home, "copy"));
    expect([other.joined, other.dataDir]).toStrictEqual([false, join(home, "copy", "postgres")]);
    await run(other, "update pot set eggs = 1");
    expect([await countEggs(original), await countEggs(other)]).toStrictEqual([12, 1]);
    await original.stop();
    expect(await countEggs(other)).toBe(1);
    await other.stop();
    expect(await countEggs(await open(market))).toBe(12);
  });

  test("copied and opened while the original runs, the copy does not join it", async () => {
    write(market);
    copy(market, join(home, "copy"));
    await hold(market);
    const other = await open(join(home, "copy"));
    await run(other, "drop table pot");
    expect(await countEggs(await open(market))).toBe(12);
  });

  test("copied while its market runs, the copy is refused and nothing of either is changed", async () => {
    write(market);
    await hold(market);
    copy(market, join(home, "copy"));
    const refusal = open(join(home, "copy"));
    await expect(refusal).rejects.toBeInstanceOf(EmbeddedError);
    await expect(refusal).rejects.toThrow(/copy\/postgres is a copy of .*market\/postgres that was made while/);
    const original = await open(market);
    expect([original.joined, await countEggs(original)]).toStrictEqual([true, 12]);
  });

  test("moved, with its parent renamed, it opens with its rows", async () => {
    write(market);
    mkdirSync(join(home, "old"));
    renameSync(market, join(home, "old", "market"));
    renameSync(join(home, "old"), join(home, "new"));
    expect(await countEggs(await open(join(home, "new", "market")))).toBe(12);
  });

  test("opened through a link, it is the same market", async () => {
    write(market);
    symlinkSync(market, join(home, "link"));
    const first = await open(join(home, "link"));
    const second = await open(market);
    expect([first.url, second.joined]).toStrictEqual([second.url, true]);
  });

  test("whose database is a link: a copy of the link is refused", async () => {
    write(market);
    renameSync(join(market, "postgres"), join(home, "disk"));
    symlinkSync(join(home, "disk"), join(market, "postgres"));
    copy(market, join(home, "copy"));
    await expect(open(join(home, "copy"))).rejects.toThrow(
      /copy\/postgres is a link to the database of .*market\/postgres/,
    );
    expect(await countEggs(await open(market))).toBe(12);
  });

  test("restored from a copy of itself, it has the rows of the copy", async () => {
    write(market);
    copy(market, join(home, "backup"));
    const before = await open(market);
    await run(before, "update pot set eggs = 1");
    await before.stop();
    rmSync(market, { recursive: true });
    copy(join(home, "backup"), market);
    expect(await countEggs(await open(market))).toBe(12);
  });
});

test("a data folder renamed while its market runs is joined under the new name", async () => {
  await hold(market);
  renameSync(market, join(home, "renamed"));
  const server = await open(join(home, "renamed"));
  expect([server.joined, await countEggs(server)]).toStrictEqual([true, 12]);
});

test("a data folder without the database that it names is refused, not filled with an empty one", async () => {
  rmSync(join(market, "postgres"), { recursive: true });
  await expect(open(market)).rejects.toThrow(/says that the database is in .*, and it is not there/);
  expect(existsSync(join(market, "postgres"))).toBe(false);
});

describe.runIf(isRoot)("a data folder that Postgres's own user cannot enter, with its database elsewhere,", () => {
  let cluster: string;
  beforeEach(() => {
    chmodSync(home, 0o700);
    market = join(home, "private");
    mkdirSync(market);
    cluster = folderElsewhere(join(market, "postgres"));
    copy(join(made, "postgres"), cluster);
    writeState(market, cluster);
    return () => rmSync(dirname(cluster), { recursive: true, force: true });
  });

  test("copied: the copy is refused and the original is unchanged", async () => {
    copy(market, join(home, "copy"));
    await expect(open(join(home, "copy"))).rejects.toThrow(/belongs to .*private\/postgres, of which .*copy is a copy/);
    writeOldState(join(home, "copy"));
    await expect(open(join(home, "copy"))).rejects.toThrow(/belongs to another data folder, of which .*copy is a copy/);
    expect(await countEggs(await open(market))).toBe(12);
  });

  test("moved: its database follows", async () => {
    renameSync(market, join(home, "moved"));
    const server = await open(join(home, "moved"));
    expect(await countEggs(server)).toBe(12);
    expect(existsSync(cluster)).toBe(false);
    cluster = server.dataDir;
  });

  test("written by an older version and not moved, it opens", async () => {
    writeOldState(market);
    expect(await countEggs(await open(market))).toBe(12);
  });

  test("whose database cannot be entered any more is refused, not filled with an empty one", async () => {
    const reachable = join(home, "market");
    await expect(open(reachable)).rejects.toThrow(/cannot enter the folders above it/);
  });
});
