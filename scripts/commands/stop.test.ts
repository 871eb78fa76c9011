import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { execute, query, queryOne, raw, sql, sqlTransaction } from "@marketday/db";
import { isLarge } from "@marketday/db/testing";
import { buildTestApp } from "@marketday/server/testing/app";
import { ADDRESS, CHOICE, createHubNow, createProduct } from "@marketday/server/testing/factories";
import { signIn } from "@marketday/server/testing/sign-in";
import sharp from "sharp";
import { expect, test, vi } from "vitest";

import { type OperatedMarket, operatedMarket } from "../test/market.ts";

/** Number of commands that are stopped at the same time. */
const AT_ONCE = 4;
const NOTHING = "Stopped. Nothing was written.\n";
type Payouts = { payout: number; payouts: { slug: string }[] };
const SHARED = "Stopped. Run it again to finish the remaining boxes.\n";
const SHEETS = "Stopped. Unfinished sheets were not written.\n";
const ONCE = "Stopped. Run it again to see whether it was done: the same command line takes effect once.\n";

async function tablesOf(market: OperatedMarket): Promise<string[]> {
  const rows = await query<{ name: string }>(
    market.db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like '\_prisma%' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Files and folders that the first program to need them creates; not part of a command's work. */
const SHARED_FILES = new Set(["password-pepper", "session-secret", "pictures", "pictures/uploads"]);

/** The state of a market: a hash of each table, and the names of its files. */
async function stateOf(market: OperatedMarket): Promise<object> {
  const hashes: Record<string, unknown> = {};
  for (const name of await tablesOf(market))
    hashes[name] = await queryOne(
      market.db,
      sql`select count(*)::int as rows, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash from ${raw(`"${name}"`)} t`,
    );
  const files = readdirSync(market.dir, { recursive: true, encoding: "utf8" })
    .filter((name) => !SHARED_FILES.has(name))
    .toSorted();
  return { hashes, files };
}

/** Sends a signal to a command while it waits for a lock that the test holds. */
async function stopped(market: OperatedMarket, args: readonly string[], signal: NodeJS.Signals): Promise<object> {
  for (;;) {
    const env = {
      ...process.env,
      DATABASE_URL: market.url,
      DATA_DIR: market.dir,
      NODE_ENV: "test",
      RATE_LIMITS: "off",
    };
    const child = spawn(process.execPath, ["scripts/market.ts", ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
    const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    const isWaiting = async (): Promise<boolean> =>
      child.exitCode !== null ||
      (await queryOne(
        market.db,
        sql`select 1 from pg_stat_activity where application_name = ${`marketday command ${child.pid}`} and wait_event_type = 'Lock'`,
      )) !== null;
    await vi.waitUntil(isWaiting, { timeout: 120_000, interval: 20 });
    child.kill(signal);
    const [out, err, [code]] = await ended;
    // The lock timeout came before the signal, on a busy machine: try again.
    if (code === 4) continue;
    return { args: args.join(" "), code, out, err };
  }
}

/** Command lines of a kind that another one in the list has already: stopped only at the larger sizes. */
const unlessSmall = <T>(lines: T[]): T[] => (isLarge ? lines : []);

/** Stops commands while these tables are locked, and checks that the market has not changed. */
async function stopAll(
  market: OperatedMarket,
  locked: readonly string[],
  lines: readonly [args: string[], err: string, out?: unknown][],
  signal: NodeJS.Signals = "SIGINT",
): Promise<void> {
  const before = await stateOf(market);
  await sqlTransaction(
    market.db,
    async (tx) => {
      await tx.client.query("set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0");
      await execute(tx, sql`lock table ${raw(locked.map((name) => `"${name}"`).join(", "))} in access exclusive mode`);
      const queue = [...lines];
      const worker = async (): Promise<void> => {
        for (let line = queue.shift(); line; line = queue.shift()) {
          const [args, err, out = ""] = line;
          const code = signal === "SIGKILL" ? null : 130;
          expect(await stopped(market, args, signal)).toEqual({ args: args.join(" "), code, out, err });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    },
    { retries: 0 },
  );
  expect(await stateOf(market)).toEqual(before);
}

test("Ctrl-C during a command: exit code 130, one sentence, no partial changes", async () => {
  const market = await operatedMarket();
  const { db, dir } = market;
  const now = new Date();
  const app = await buildTestApp({ url: market.url, now: now.toISOString() });
  const hub = await createHubNow(db);
  const eggs = await createProduct(db, hub.id, { title: "Eggs", inventory: 50 });
  const file = (name: string, content: string | Buffer): string => {
    mkdirSync(join(dir, "in", name, ".."), { recursive: true });
    writeFileSync(join(dir, "in", name), content);
    return join(dir, "in", name);
  };
  const photo = await sharp({ create: { width: 40, height: 40, channels: 3, background: "#884" } })
    .jpeg()
    .toBuffer();
  file("photos/eggs.jpg", photo);
  file("words/about.md", "# About\n\nUs.\n");
  const vendors = file("vendors.csv", "slug,name,city,state\noak-farm,Oak Farm,Sheridan,IN\n");
  const products = file("products.csv", "slug,title,vendor,variant,hub,price\nx,X,oak-farm,Each,carmel,1\n");
  const hubs = join(dir, "in", "hubs.geojson");
  expect(await market.run("vendors", "import", vendors)).toMatchObject({ code: 0 });
  expect(await market.run("hubs", "export", hubs)).toMatchObject({ code: 0 });
  expect(await market.run("images", "import", join(dir, "in", "photos"))).toMatchObject({ code: 0 });
  await db.hub.update({ where: { id: hub.id }, data: { slug: "carmel" } });
  file("photos/milk.jpg", photo);

  const ids: string[] = [];
  const shoppers: { id: number; email: string | null }[] = [];
  for (let count = 0; count < 4; count += 1) {
    const shopper = await signIn(app, { hubId: hub.id });
    await shopper.put("/cart", [eggs.line(3)]);
    const choice = { ...CHOICE, savePaymentMethod: true };
    const { body: quote } = await shopper.post("/checkout/quote", choice);
    const placed = await shopper.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
    ids.push(String(placed.body.orderId));
    shoppers.push(shopper.customer);
  }
  const [delivered, short, refunded, cancelled] = ids as [string, string, string, string];
  const offlineApp = await buildTestApp({ url: market.url, now: now.toISOString(), env: { PAYMENTS: "offline" } });
  const offlineShopper = await signIn(offlineApp, { hubId: hub.id });
  await offlineShopper.put("/cart", [eggs.line(3)]);
  const choice = { type: "delivery", deliveryAddress: ADDRESS, tipPercentage: 0 };
  const { body: quote } = await offlineShopper.post("/checkout/quote", choice);
  const { body: unpaid } = await offlineShopper.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
  const idle = await signIn(app, { hubId: hub.id });
  const { delivery } = await db.order.findUniqueOrThrow({
    where: { id: Number(delivered) },
    include: { delivery: true },
  });
  const day = delivery.day.toISOString().slice(0, 10);
  const after = new Date(delivery.cutoff_at.getTime() + 1_000).toISOString();
  expect(await market.run("jobs", "run", "--at", after, "--yes")).toMatchObject({ code: 0 });
  const vendor = await db.vendor.findUniqueOrThrow({ where: { id: eggs.vendor_id } });
  const question = await db.question.create({
    data: { product_id: eggs.id, customer_id: shoppers[0]!.id, question: "How big?" },
  });
  const problem = await db.problem_report.create({
    data: { order_id: Number(short), customer_id: shoppers[1]!.id, message: "Bruised" },
  });

  const reason = ["--reason", "because"];
  // All changes are made in the transaction; only its audit entry is missing.
  await stopAll(
    market,
    ["audit_entry"],
    [
      [["images", "import", join(dir, "in", "photos")], NOTHING],
      [["products", "import", products], NOTHING],
      [["short", "carmel", day, vendor.slug, "eggs", "2/15", ...reason, "--yes"], SHARED],
      [["orders", "cancel", cancelled, ...reason, "--yes"], ONCE],
      [["ledger", "payouts", join(dir, "payouts.csv"), "--to", "2099-12-31", "--yes", "--include-future"], ONCE],
      ...unlessSmall<[string[], string]>([
        [["hubs", "import", hubs], NOTHING],
        [["content", "import", join(dir, "in", "words")], NOTHING],
        [["products", "set", eggs.slug, "--price", "9.99"], ONCE],
        [["stock", "set", vendor.slug, `${eggs.variant.id}=4`], ONCE],
        [["orders", "deliver", delivered, refunded, "--include-future"], ONCE],
        [["orders", "short", short, `${eggs.variant.id}=2/3`, ...reason], ONCE],
        [["orders", "refund", refunded, "1.00", "--to", "credit", ...reason, "--yes"], ONCE],
        [["orders", "paid", String(unpaid.orderId)], ONCE],
        [["customers", "export", idle.customer.email!, join(dir, "customer.json")], ONCE],
        [["customers", "delete", idle.customer.email!, ...reason, "--yes"], ONCE],
        [["inbox", "reply", `question:${question.id}`, "Large."], ONCE],
        [["problems", "close", String(problem.id), ...reason], ONCE],
        [["credit", "grant", shoppers[2]!.email!, "5", ...reason, "--yes"], ONCE],
        [["gift-cards", "issue", "ada@farm.example", "25", ...reason, "--yes"], ONCE],
      ]),
    ],
  );
  // Commands that read, with every table locked.
  await stopAll(market, await tablesOf(market), [
    [["products", "export", join(dir, "products.csv")], NOTHING],
    [["backup", join(dir, "backup")], NOTHING],
    [["jobs", "run"], "Stopped. Run it again to do what is still due.\n"],
    [["sheets", day, "--out", join(dir, "print")], SHEETS],
    [["doctor"], NOTHING],
    ...unlessSmall<[string[], string]>([
      [["hubs", "export", join(dir, "hubs.geojson")], NOTHING],
      [["images", "export", join(dir, "photos")], NOTHING],
      [["content", "export", join(dir, "words")], NOTHING],
      [["sheets", "carmel", day, "--out", join(dir, "print")], SHEETS],
      [["week", "carmel"], NOTHING],
      [["week"], NOTHING],
      [["inbox", "show", `question:${question.id}`], NOTHING],
    ]),
  ]);
  // SIGKILL leaves no partial changes either, and the same command line then succeeds.
  const several = [
    ["short", "carmel", day, vendor.slug, "eggs", "13/15", ...reason, "--yes"],
    ["orders", "deliver", delivered, refunded, "--include-future"],
    ...unlessSmall([
      ["orders", "short", "carmel", day, "eggs=1/3", "--tote", "1", ...reason],
      ["orders", "paid", String(unpaid.orderId)],
      ["products", "set", eggs.slug, "--price", "9.99"],
      ["stock", "set", vendor.slug, `${eggs.variant.id}=4`],
    ]),
  ];
  await stopAll(
    market,
    ["audit_entry"],
    several.map((args) => [args, ""]),
    "SIGKILL",
  );
  for (const args of several)
    expect({ args, ...(await market.run(...args)) }).toMatchObject({
      args,
      code: 0,
      out: expect.not.stringContaining("othing was done"),
    });
  // All of it still works afterwards.
  expect(await market.run("orders", "cancel", cancelled, ...reason, "--yes")).toMatchObject({ code: 0 });
  const bank = [join(dir, "payouts.csv"), "--to", "2099-12-31", "--yes", "--include-future"];
  const { payout, payouts } = await market.json<Payouts>("ledger", "payouts", ...bank);
  const reverse = ["ledger", "reverse", String(payout), payouts[0]!.slug, ...reason, "--yes"];
  await stopAll(market, ["audit_entry"], [[reverse, ONCE]]);
  expect(await market.run(...reverse)).toMatchObject({ code: 0 });
  expect(await market.audit()).toEqual([]);
});

test("Ctrl-C during demo or restore: the market does not change", async () => {
  const market = await operatedMarket();
  await stopAll(market, ["content_page"], [[["demo"], NOTHING, expect.stringMatching(/^( {2}[A-Z][^\n]*\n)+$/)]]);
  await createHubNow(market.db);
  const backup = join(market.dir, "backup");
  expect(await market.run("backup", backup)).toMatchObject({ code: 0 });
  await stopAll(market, ["vendor"], [[["restore", backup, "--yes"], NOTHING]]);
});
