import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { createDb, execute, query, raw, sql } from "@marketday/db";
import { atEnd } from "@marketday/db/testing";
import { backUp } from "@marketday/server/modules/backup/back-up";
import { readHealth } from "@marketday/server/modules/health/stored-health";
import { buildTestApp } from "@marketday/server/testing/app";
import { CHOICE } from "@marketday/server/testing/factories";
import { signIn } from "@marketday/server/testing/sign-in";
import { beforeAll, describe, expect, test } from "vitest";

import { fillDemo } from "../demo/fill.ts";
import { operatedMarket } from "../test/market.ts";

const now = new Date("2026-11-18T15:00:00Z");
const market = await operatedMarket();
const folder = join(market.dir, "backups", "monday");
interface Manifest {
  takenAt: string;
  tables: { name: string; rows: number; content: string; file: { path: string } }[];
  files: { path: string }[];
}
const manifestOf = (path: string): Manifest =>
  JSON.parse(readFileSync(join(path, "manifest.json"), "utf8")) as Manifest;

beforeAll(async () => {
  // The demo's pictures are stored elsewhere: one file is enough for a backup.
  await fillDemo({ db: market.db, now, env: { pepper: "tests", dataDir: join(market.dir, "demo") } });
  mkdirSync(join(market.dir, "pictures/uploads"), { recursive: true });
  writeFileSync(join(market.dir, "pictures/uploads/0123456789abcdef-eggs.jpg"), "not really");
  mkdirSync(join(market.dir, "problems/7"), { recursive: true });
  writeFileSync(join(market.dir, "problems/7/broken.jpg"), "a photo of a customer");
});

describe("backup and restore", () => {
  test(
    "a backup under load is consistent; restored into an empty market it has the same content, adds up, and takes an order",
    { tags: ["fail:L4"] },
    async () => {
      const writing = { on: true };
      const load = (async () => {
        for (let index = 0; writing.on; index += 1)
          await execute(
            market.db,
            sql`with o as (update offer set inventory = inventory + 1 where id = ${(index % 900) + 1}::int returning id)
                insert into stock_adjustment (offer_id, amount, reason) select id, 1, 'load' from o`,
          );
        return true;
      })();
      const result = await market.json("backup", folder).finally(() => (writing.on = false));
      expect(await load).toBe(true);
      expect(result).toMatchObject({ folder, files: 2 });
      // No one else on the machine reads it.
      expect(statSync(folder).mode & 0o777).toBe(0o700);

      const empty = await operatedMarket();
      expect(await empty.json("restore", folder)).toMatchObject({ problems: [], replaced: [], otherPepper: true });
      // The market's newest backup is the one that it was restored from; checks of what was there before are forgotten.
      const stored = async ({ db }: { db: typeof market.db }) =>
        readHealth(Object.fromEntries((await db.market_fact.findMany()).map(({ key, value }) => [key, value])));
      const { takenAt } = manifestOf(folder);
      expect(await stored(market)).toMatchObject({ lastBackupAt: new Date(takenAt) });
      expect(await stored(empty)).toMatchObject({ checkedAt: null, lastBackupAt: new Date(takenAt) });
      const picture = "pictures/uploads/0123456789abcdef-eggs.jpg";
      expect(readFileSync(join(empty.dir, picture), "utf8")).toBe("not really");
      expect(readFileSync(join(empty.dir, "problems/7/broken.jpg"), "utf8")).toBe("a photo of a customer");
      // Rows of deleted customers are rejected again.
      expect(
        await query(
          empty.db,
          sql`select tgrelid from pg_trigger where tgname = 'customer_exists' and tgenabled <> 'O'`,
        ),
      ).toEqual([]);
      const secondBackup = join(empty.dir, "again");
      await empty.json("backup", secondBackup);
      const hashes = (path: string) =>
        manifestOf(path).tables.flatMap(({ name, rows, content }) =>
          name === "audit_entry" || name === "market_fact" ? [] : [`${name} ${rows} ${content}`],
        );
      expect(hashes(secondBackup)).toEqual(hashes(folder));
      const entry = await empty.db.audit_entry.findFirst({ where: { action: "restore" } });
      expect(entry).toMatchObject({ actor: "operator:ada" });
      const [found] = await query<{ count: number }>(empty.db, sql`select count(*)::int as count from search.document`);
      expect(found?.count).toBe(1200);

      // The restored market takes orders, and new ids continue after the restored ones.
      const open = await buildTestApp({ url: empty.url, now: now.toISOString() });
      const offer = await empty.db.offer.findFirstOrThrow({
        where: {
          hub_id: 1,
          inventory: { gte: 5 },
          is_published: true,
          variant: { pre_order_date: null, product: { is_published: true } },
        },
        include: { variant: true },
      });
      const choice = { ...CHOICE, savePaymentMethod: true };
      const shopper = await signIn(open, { hubId: 1 });
      await shopper.put("/cart", [{ productId: offer.variant.product_id, variantId: offer.variant_id, quantity: 1 }]);
      const { body: quote } = await shopper.post("/checkout/quote", choice);
      const placed = await shopper.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
      expect(placed.status, JSON.stringify(placed.body)).toBe(201);
      expect(await open.audit()).toEqual([]);
      await open.close();
    },
  );
});

describe("restore: rejections", () => {
  test("a database that is not empty, without --yes: nothing changes", async () => {
    const before = await market.db.product.count();
    const refused = await market.run("restore", folder);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("The database is not empty (")]);
    expect(await market.db.product.count()).toBe(before);
    expect((await market.json("restore", folder, "--dry-run"))["dryRun"]).toBe(true);
    expect(await market.db.audit_entry.count({ where: { action: "restore" } })).toBe(0);
  });

  test("backup refuses an existing folder, restore refuses a folder that is not a backup", async () => {
    expect(await market.run("backup", folder)).toMatchObject({
      code: 1,
      err: expect.stringContaining("exists already; nothing was written."),
    });
    expect(await market.run("restore", market.dir, "--yes")).toMatchObject({
      code: 1,
      err: expect.stringContaining("is no whole backup: manifest.json is missing."),
    });
  });

  const damages: [name: string, damage: (path: string) => void, message: string][] = [
    ["a flipped byte in a table", (path) => flip(join(path, "tables/offer.tsv.gz")), "tables/offer.tsv.gz was changed"],
    [
      "a truncated table",
      (path) =>
        writeFileSync(
          join(path, "tables/orders.tsv.gz"),
          readFileSync(join(path, "tables/orders.tsv.gz")).subarray(0, 5_000),
        ),
      "tables/orders.tsv.gz has 5000 bytes",
    ],
    ["a missing table", (path) => writeFileSync(join(path, "tables/hub.tsv.gz"), ""), "tables/hub.tsv.gz has 0 bytes"],
    [
      "a changed picture",
      (path) => flip(join(path, "files/pictures/uploads/0123456789abcdef-eggs.jpg")),
      "eggs.jpg was changed",
    ],
    ["a changed manifest", (path) => flip(join(path, "manifest.json")), "manifest.json was changed"],
    [
      "a manifest without its seal",
      (path) => writeFileSync(join(path, "manifest.sha256"), ""),
      "manifest.json was changed",
    ],
  ];
  function flip(path: string): void {
    const bytes = readFileSync(path);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = bytes[middle]! ^ 1;
    writeFileSync(path, bytes);
  }
  test.each(damages)("%s: nothing is restored", { tags: ["fail:L5"] }, async (name, damage, message) => {
    const damaged = join(market.dir, "damaged", name.replaceAll(" ", "-"));
    cpSync(folder, damaged, { recursive: true });
    damage(damaged);
    const before = await market.db.product.count();
    const refused = await market.run("restore", damaged, "--yes");
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain(message);
    expect(await market.db.product.count()).toBe(before);
  });

  // So no cache outlives a restore: the servers that are started after it read the restored rows.
  test("restore: refused while a server runs on the database", { tags: ["fail:M16"] }, async () => {
    const server = createDb({ url: market.url, applicationName: "marketday server" });
    try {
      await query(server, sql`select 1`);
      expect(await market.run("restore", folder, "--yes")).toMatchObject({
        code: 1,
        err: "A server is running on this database: stop it first. Nothing was changed.\n",
      });
    } finally {
      await server.close();
    }
  });

  test("rows of the ledger and the audit log cannot be updated or deleted", { tags: ["fail:L10"] }, async () => {
    const entry = sql`insert into audit_entry (actor, action, subject, created_at) values ('operator:ada', 'try', 'order 1', now())`;
    await execute(market.db, entry);
    for (const table of ["ledger_entry", "ledger_transaction", "audit_entry"])
      for (const statement of [sql`update ${raw(table)} set id = id`, sql`delete from ${raw(table)}`])
        await expect(execute(market.db, statement)).rejects.toThrow(`${table} is append-only`);
  });
});

test("backup: a failed backup leaves no files behind", async () => {
  const none = join(market.dir, "pictures", "uploads", "0123456789abcdef-eggs.jpg", "below");
  expect((await market.run("backup", none)).code).not.toBe(0);
  expect(readdirSync(join(market.dir, "backups")).filter((name) => name.endsWith(".partial"))).toEqual([]);
  expect(existsSync(none)).toBe(false);
});

test("backup: one whose disk fills in the middle of a large table fails at once and leaves no files behind", async () => {
  const full = await operatedMarket();
  // 25 MB that cannot be packed, more than what is on its way between Postgres and the disk.
  await execute(
    full.db,
    sql`insert into audit_entry (actor, action, subject, reason, created_at)
        select 'operator:ada', 'try', 'order 1', (select string_agg(md5((row * 10000 + part)::text), '') from generate_series(1, 8000) part), now()
        from generate_series(1, 100) row`,
  );
  const folder = join(full.dir, "backups of the week", "backup");
  const file = join(`${folder}.partial`, "tables", "audit_entry.tsv.gz");
  const app = await buildTestApp({ url: full.url, now: now.toISOString() });
  atEnd(() => app.close());
  // Without time limits, as the command's.
  const db = createDb({ url: full.url, statementTimeoutMs: 0 });
  atEnd(() => db.close());
  const ctx = { now, actor: { type: "operator" as const, name: "ada" }, deps: { ...app.deps, db } };
  const onProgress = (_done: number, _total: number, step: string): void => {
    if (step === "audit_entry") symlinkSync("/dev/full", file);
  };
  await expect(backUp(ctx, folder, { signal: new AbortController().signal, onProgress })).rejects.toMatchObject({
    code: "ENOSPC",
  });
  expect(readdirSync(full.dir).filter((name) => name.startsWith("backup"))).toEqual([]);
});
