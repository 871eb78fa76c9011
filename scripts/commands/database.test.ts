import { randomBytes } from "node:crypto";
import { join } from "node:path";

import { createDb, execute, raw, sql } from "@marketday/db";
import { createTestDatabase } from "@marketday/db/testing";
import { parseEnv } from "@marketday/server/env";
import { createLogger } from "@marketday/server/lib/logger";
import { startServer } from "@marketday/server/main";
import { buildTestApp } from "@marketday/server/testing/app";
import { CHOICE, createHubNow, createProduct } from "@marketday/server/testing/factories";
import { signIn } from "@marketday/server/testing/sign-in";
import { afterAll, expect, test } from "vitest";

import { openDatabase } from "../lib/database.ts";
import { ensureDemo } from "../lib/demo.ts";
import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const role = `shop_${randomBytes(4).toString("hex")}`;
await execute(market.db, sql`create role ${raw(role)} login password 'eggs'`);
const databases: { drop(): Promise<void> }[] = [];
afterAll(async () => {
  await Promise.all(databases.map((each) => each.drop()));
  await execute(market.db, sql`drop owned by ${raw(role)}`);
  await execute(market.db, sql`drop role ${raw(role)}`);
});

/** The address of a database for a role that owns no tables in it. */
function asRole(address: string): string {
  const url = new URL(address);
  [url.username, url.password] = [role, "eggs"];
  return url.href;
}
const asShop = { DATABASE_URL: asRole(market.url) };

test(
  "a server whose role owns no tables starts on an empty database that MIGRATE_DATABASE_URL migrates and grants",
  { tags: ["fail:L10"] },
  async () => {
    const base = await createTestDatabase({ empty: true });
    databases.push(base);
    const env = parseEnv({
      DATA_DIR: market.dir,
      PORT: "0",
      DATABASE_URL: asRole(base.url),
      MIGRATE_DATABASE_URL: base.url,
      LOG_LEVEL: "silent",
    });
    const database = await openDatabase(env);
    expect(await ensureDemo(env, database.url, new Date())).toHaveLength(3);
    const server = await startServer(env, { databaseUrl: database.url, log: createLogger("silent", false) });
    try {
      await expect.poll(() => fetch(`${server.address}/readyz`).then(({ status }) => status)).toBe(200);
      expect(await (await fetch(`${server.address}/api/hubs`)).json()).not.toEqual([]);
    } finally {
      await server.close();
      await database.close();
    }
    // The next start, and every command, works without the owner's address.
    await (await openDatabase({ ...env, migrateDatabaseUrl: null })).close();
  },
);

test("market database grant: until it has run, every command requires it", async () => {
  for (const line of [["doctor"], ["orders", "list"], ["backup", join(market.dir, "early")]]) {
    const result = await market.runWith(asShop, ...line);
    expect({ line, ...result }).toEqual({
      line,
      code: 2,
      out: "",
      err: expect.stringMatching(
        new RegExp(`^The database role "${role}" lacks rights .+: run ./market database grant ${role} with .+\\.\n$`),
      ),
    });
  }
});

test("market database grant: a dry run lists the statements and grants nothing; a second grant reports that nothing was done", async () => {
  const dry = await market.run("database", "grant", role, "--dry-run");
  expect(dry).toMatchObject({
    code: 0,
    out: expect.stringContaining(`grant usage on schema pgboss, public, search to "${role}";\n`),
  });
  expect((await market.runWith(asShop, "doctor")).code).toBe(2);
  expect(await market.json("database", "grant", role)).toMatchObject({ role, changed: true, excess: [] });
  const repeated = await market.run("database", "grant", role);
  expect(repeated).toEqual({
    code: 0,
    out: `"${role}" has exactly the rights that the server needs; nothing was done.\n`,
    err: "",
  });
});

test("market database grant: an unknown role, and an address that is not the owner's, each print one sentence", async () => {
  expect(await market.run("database", "grant", 'no"role')).toEqual({
    code: 2,
    out: "",
    err: `There is no database role "no"role". Create it first, in psql: create role "no""role" login password '…';\n`,
  });
  expect(await market.runWith(asShop, "database", "grant", role)).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /^The database role ".+" may not grant rights: tables belong to ".+"\. Set MIGRATE_DATABASE_URL/,
    ),
  });
});

test(
  "a role that owns no tables: a shopper orders, the jobs run, the cutoff charges, and a backup is complete",
  { tags: ["fail:L10"] },
  async () => {
    const hub = await createHubNow(market.db);
    const eggs = await createProduct(market.db, hub.id, { inventory: 9 });
    const now = new Date().toISOString();
    const app = await buildTestApp({ url: asShop.DATABASE_URL, now });
    const choice = { ...CHOICE, savePaymentMethod: true };
    const shopper = await signIn(app, { hubId: hub.id });
    await shopper.put("/cart", [{ productId: eggs.variant.product_id, variantId: eggs.variant.id, quantity: 2 }]);
    const { body: quote } = await shopper.post("/checkout/quote", choice);
    const placed = await shopper.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    await app.close();
    const order = await market.db.order.findUniqueOrThrow({ where: { id: placed.body.orderId as number } });
    const hour = 3_600_000;
    const cutoff = Date.parse(now) - hour;
    await market.db.delivery.update({
      where: { id: order.delivery_id },
      data: { cutoff_at: new Date(cutoff), auto_checkout_at: new Date(cutoff - 36 * hour) },
    });
    expect(await market.runWith(asShop, "jobs", "run")).toMatchObject({ code: 0, err: "" });
    expect(
      await market.db.delivery_run.count({ where: { step: "cutoff", state: "done", delivery_id: order.delivery_id } }),
    ).toBe(1);
    for (const line of [
      ["orders", "refund", String(order.id), "1.00", "--to", "credit", "--reason", "bruised", "--yes"],
      ["credit", "grant", String(order.customer_id), "2.00", "--reason", "late", "--yes"],
      ["products", "export", join(market.dir, "products.csv")],
      ["products", "import", join(market.dir, "products.csv")],
      ["orders", "list"],
      ["ledger", "list"],
      ["doctor"],
      ["backup", join(market.dir, "backup")],
    ])
      expect({ line, ...(await market.runWith(asShop, ...line)) }).toMatchObject({ line, code: 0, err: "" });
  },
);

test(
  "restore by a role that owns no tables names the address it needs, and works with it",
  { tags: ["fail:L10"] },
  async () => {
    const folder = join(market.dir, "backup");
    expect(await market.runWith(asShop, "restore", folder, "--yes")).toEqual({
      code: 1,
      out: "",
      err: `The database role "${role}" may not restore, because it does not own the tables: set MIGRATE_DATABASE_URL to the address of the role that does. Nothing was changed.\n`,
    });
    const restored = await market.runWith({ ...asShop, MIGRATE_DATABASE_URL: market.url }, "restore", folder, "--yes");
    expect(restored).toMatchObject({ code: 0, err: "" });
    const shop = createDb({ url: asShop.DATABASE_URL });
    try {
      expect(await shop.order.count()).toBe(1);
    } finally {
      await shop.close();
    }
  },
);

test("a server role that does not exist or cannot sign in prints one sentence", async () => {
  const unknown = {
    ...asShop,
    MIGRATE_DATABASE_URL: market.url,
    DATABASE_URL: asShop.DATABASE_URL.replace(role, "no_such_role"),
  };
  expect(await market.runWith(unknown, "doctor")).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^There is no database role "no_such_role"\. Create it first/),
  });
  await execute(market.db, sql`alter role ${raw(role)} nologin`);
  expect(await market.runWith({ ...asShop, MIGRATE_DATABASE_URL: market.url }, "doctor")).toMatchObject({
    code: 4,
    err: expect.stringMatching(
      /^The database at \S+ cannot be reached: role "shop_\w+" is not permitted to log in\.\n$/,
    ),
  });
});
