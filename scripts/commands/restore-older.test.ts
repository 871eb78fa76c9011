import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { createDb, type Db, execute, query, queryOne, raw, sql, sqlTransaction } from "@marketday/db";
import { atEnd, createTestFolder, isLarge } from "@marketday/db/testing";
import { createOldDatabase, createPreviousDatabase, readSums } from "@marketday/db/testing/old-database";
import { backUp } from "@marketday/server/modules/backup/back-up";
import { sealOf } from "@marketday/server/modules/backup/manifest";
import { buildTestApp } from "@marketday/server/testing/app";
import { createHubNow, createProduct } from "@marketday/server/testing/factories";
import { expect, test, vi } from "vitest";

import { fillDemo } from "../demo/fill.ts";
import { type OperatedMarket, operatedMarket } from "../test/market.ts";

const now = new Date("2026-11-18T15:00:00Z");

/** Without what a restore writes: its audit entry, and that the market's newest backup is this one. */
async function sumsOf(db: Db) {
  const facts = await db.market_fact.findMany({ where: { key: { not: "backup" } }, orderBy: { key: "asc" } });
  return { ...(await readSums(db, { tables: ["audit_entry", "market_fact"] })), facts: JSON.stringify(facts) };
}

type Fill = (market: { db: Db; now: Date; env: { pepper: string; dataDir: string } }) => Promise<unknown>;

/** A small market with one table above 25 MB, more than what is on its way between two databases. */
const fillSmall: Fill = async ({ db }) => {
  await execute(
    db,
    sql`with one as (insert into hub (slug, name, delivery_day, time_zone, zip_code, city, state, lat, lng)
          values ('north', 'North', 'Thursday', 'America/Indiana/Indianapolis', '46202', 'Indianapolis', 'IN', 39.8, -86.1) returning id)
        insert into customer (hub_id, created_at) select id, now() from one, generate_series(1, 3)`,
  );
  await execute(
    db,
    sql`insert into audit_entry (actor, action, subject, reason, created_at)
        select 'operator:ada', 'try', 'order 1', repeat(md5(row::text), 8000), now() from generate_series(1, 100) row`,
  );
};

/** A backup that an older version made of a market, and what the same market has after an update. */
async function olderBackup(old: Awaited<ReturnType<typeof createOldDatabase>>, fill: Fill) {
  const folder = join(createTestFolder("older"), "backup");
  const app = await buildTestApp({ url: old.url, now: now.toISOString() });
  const db = createDb({ url: old.url, statementTimeoutMs: 0 });
  try {
    await fill({ db, now, env: { pepper: app.deps.env.pepper, dataDir: join(folder, "..", "demo") } });
    const ctx = { now, actor: { type: "operator" as const, name: "ada" }, deps: app.deps };
    await backUp(ctx, folder, { signal: new AbortController().signal });
    const { applied } = await old.upgrade();
    return { folder, applied, updated: await sumsOf(db) };
  } finally {
    await db.close();
    await app.close();
  }
}

/** The temporary databases that restores into this market left. */
async function scratchDatabases(market: OperatedMarket): Promise<string[]> {
  const rows = await query<{ name: string }>(
    market.db,
    sql`select datname::text as name from pg_database
        where starts_with(datname, 'marketday_restore_' || left(encode(sha256(current_database()::bytea), 'hex'), 8)) order by 1`,
  );
  return rows.map(({ name }) => name);
}

const versions: [string, () => ReturnType<typeof createOldDatabase>, Fill][] = [
  ["a small market before the last migration", () => createPreviousDatabase(), fillSmall],
  ["the demo of the last one before the baseline", () => createOldDatabase(), fillDemo],
];
if (isLarge) versions.push(["the demo before the last migration", () => createPreviousDatabase(), fillDemo]);
const backups = await Promise.all(
  versions.map(async ([name, create, fill]) => ({ name, ...(await olderBackup(await create(), fill)) })),
);
const [newest] = backups;

test.each(backups)(
  "restore: a backup of an older version ($name) has the rows that an upgrade in place gives it, and adds up",
  { tags: ["fail:L4"] },
  async ({ folder, applied, updated }) => {
    const market = await operatedMarket();
    expect(await market.json("restore", folder, "--dry-run")).toMatchObject({ migrated: applied, dryRun: true });
    expect(await market.db.hub.count()).toBe(0);

    const restored = await market.run("restore", folder, "--yes");
    expect(restored).toMatchObject({ code: 0, err: "" });
    expect(restored.out).toMatch(
      new RegExp(
        `^Restored the market of .*\\nThe backup is of an older version and was brought up to date by .* \\(the last is ${applied.at(-1)}\\)\\.\\n[^]*Everything adds up\\.\\n$`,
      ),
    );
    expect(await scratchDatabases(market)).toEqual([]);
    expect(await sumsOf(market.db)).toEqual(updated);
    // New ids continue after the restored ones.
    const { max } = (await queryOne<{ max: number }>(market.db, sql`select max(id) as max from customer`))!;
    const added = await queryOne<{ id: number }>(
      market.db,
      sql`insert into customer (hub_id, created_at) select id, now() from hub limit 1 returning id`,
    );
    expect(added!.id).toBe(max + 1);
  },
);

/** Runs the restore of the older backup over a market until it waits to empty the tables, and ends it with a signal. */
async function endWhileReplacing(market: OperatedMarket, signal: NodeJS.Signals): Promise<unknown> {
  return sqlTransaction(
    market.db,
    async (tx) => {
      await tx.client.query("set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0");
      await execute(tx, sql`lock table vendor in access share mode`);
      const env = { ...process.env, DATABASE_URL: market.url, DATA_DIR: market.dir, NODE_ENV: "test" };
      const child = spawn(process.execPath, ["scripts/market.ts", "restore", newest!.folder, "--yes"], {
        env,
        stdio: ["ignore", "ignore", "pipe"],
      });
      const ended = Promise.all([text(child.stderr), once(child, "exit")]);
      const isWaiting = async (): Promise<boolean> =>
        child.exitCode !== null ||
        (await queryOne(
          market.db,
          sql`select 1 from pg_stat_activity where application_name = ${`marketday command ${child.pid}`} and wait_event_type = 'Lock'`,
        )) !== null;
      await vi.waitUntil(isWaiting, { timeout: 120_000, interval: 20 });
      const scratch = await scratchDatabases(market);
      child.kill(signal);
      const [err, [code]] = await ended;
      return { scratch: scratch.length, err, code };
    },
    { retries: 0 },
  );
}

test("restore: one of an older backup that is interrupted leaves the market as it was, and the next one removes what a killed one left", async () => {
  const market = await operatedMarket();
  const hub = await createHubNow(market.db);
  await createProduct(market.db, hub.id, { inventory: 9 });
  const before = await sumsOf(market.db);
  const stopped = { scratch: 1, err: "Stopped. Nothing was written.\n", code: 130 };
  expect(await endWhileReplacing(market, "SIGINT")).toEqual(stopped);
  expect([await sumsOf(market.db), await scratchDatabases(market)]).toEqual([before, []]);

  expect(await endWhileReplacing(market, "SIGKILL")).toEqual({ scratch: 1, err: "", code: null });
  await expect.poll(() => sumsOf(market.db)).toEqual(before);
  expect(await scratchDatabases(market)).toHaveLength(1);
  expect(await market.json("restore", newest!.folder, "--yes")).toMatchObject({ problems: [] });
  expect(await scratchDatabases(market)).toEqual([]);
  expect(await sumsOf(market.db)).toEqual(newest!.updated);
});

test("restore: an older backup that does not fit while it is copied is given up, with the market as it was", async () => {
  const market = await operatedMarket();
  // As a full disk does, in the middle of a long table.
  await execute(
    market.db,
    raw(
      `create function no_room() returns trigger language plpgsql as $$ begin raise exception 'no room' using errcode = '53100'; end $$`,
    ),
  );
  await execute(
    market.db,
    raw(
      "create trigger no_room before insert on audit_entry for each row when (new.id > 10) execute function no_room()",
    ),
  );
  const before = await sumsOf(market.db);
  const refused = await market.run("restore", newest!.folder);
  expect([refused.code, refused.err]).toEqual([4, expect.stringContaining("no room")]);
  expect([await sumsOf(market.db), await scratchDatabases(market)]).toEqual([before, []]);
});

test("restore: an older backup by a role that may not create databases is refused with the statement to run, and works after it", async () => {
  const role = `market_owner_${randomBytes(4).toString("hex")}`;
  const admin = await operatedMarket();
  await execute(admin.db, raw(`create role ${role} login password 'x'`));
  const market = await operatedMarket({ empty: true });
  const name = new URL(market.url).pathname.slice(1);
  atEnd(async () => {
    await market.db.close();
    await execute(admin.db, raw(`drop database if exists ${name} with (force)`));
    await execute(admin.db, raw(`drop role ${role}`));
  });
  await execute(admin.db, raw(`alter database ${name} owner to ${role}`));
  const url = new URL(market.url);
  [url.username, url.password] = [role, "x"];
  const asOwner = { DATABASE_URL: url.href };
  const statement = `alter role "${role}" createdb;`;
  expect(await market.runWith(asOwner, "restore", newest!.folder)).toEqual({
    code: 2,
    out: "",
    err: `The backup is of an older version, and bringing it up to date needs a second, temporary database, which the database role "${role}" may not create. As a superuser, in psql: ${statement} Then run this again. Nothing was changed.\n`,
  });
  await execute(admin.db, raw(statement));
  // A superuser's session in the temporary database, which this role may not end: it stays, and the restore is done.
  const restored = market.runWith(asOwner, "restore", newest!.folder);
  await vi.waitUntil(async () => (await scratchDatabases(market)).length > 0, { timeout: 120_000, interval: 20 });
  const [left] = await scratchDatabases(market);
  url.href = market.url;
  url.pathname = `/${left}`;
  const visitor = createDb({ url: url.href });
  atEnd(() => visitor.close());
  await execute(visitor, sql`select 1`);
  expect(await restored).toMatchObject({ code: 0, err: "" });
  expect(await sumsOf(market.db)).toEqual(newest!.updated);
  expect(await scratchDatabases(market)).toEqual([left]);
  await visitor.close();
  expect(await market.runWith(asOwner, "restore", newest!.folder, "--yes")).toMatchObject({ code: 0, err: "" });
  expect(await scratchDatabases(market)).toEqual([]);
});

/** A copy of the backup whose list of migrations is another one. */
function withMigrations(name: string, change: (migrations: string[]) => string[]): string {
  const folder = join(createTestFolder("changed"), name);
  cpSync(newest!.folder, folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as { migrations: string[] };
  const text = JSON.stringify({ ...manifest, migrations: change(manifest.migrations) });
  writeFileSync(join(folder, "manifest.json"), text);
  writeFileSync(join(folder, "manifest.sha256"), sealOf(text));
  return folder;
}

test("restore: a backup of a newer version, or with a changed migration, is refused in a sentence and nothing changes", async () => {
  const market = await operatedMarket();
  const before = await sumsOf(market.db);
  const newer = withMigrations("newer", (migrations) => [...migrations, "20990101000000_later 00"]);
  expect(await market.run("restore", newer, "--yes")).toEqual({
    code: 1,
    out: "",
    err: `The backup in ${newer} was made by a newer version of Marketday (its tables are those of 20990101000000_later): restore it with the version that made it, or a newer one. Nothing was changed.\n`,
  });
  const changed = withMigrations("changed", (migrations) =>
    migrations.map((line, place) => (place === 1 ? `${line.split(" ")[0]} 00` : line)),
  );
  expect(await market.run("restore", changed, "--yes")).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("was made by another edition of Marketday (one of its migrations up to"),
  });
  expect([await sumsOf(market.db), await scratchDatabases(market)]).toEqual([before, []]);
});
