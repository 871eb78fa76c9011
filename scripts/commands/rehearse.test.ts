import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";

import { query, raw, sql } from "@marketday/db";
import { atEnd, createTestFolder } from "@marketday/db/testing";
import { buildTestApp } from "@marketday/server/testing/app";
import { CHOICE, createAddress, createHubNow, createProduct } from "@marketday/server/testing/factories";
import { signIn } from "@marketday/server/testing/sign-in";
import { expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db, dir } = market;
const scratch = createTestFolder("rehearse-test");

/** Servers that no rehearsal may connect to; connections are recorded. */
const trapped: string[] = [];
async function trap(name: string): Promise<number> {
  const server: Server = createServer((socket) => {
    trapped.push(name);
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the trap has no port");
  return address.port;
}
const HOSTILE = {
  SMTP_URL: `smtp://someone:secret@127.0.0.1:${await trap("smtp")}`,
  PAYMENTS: "stripe",
  STRIPE_SECRET_KEY: "sk_test_trap",
  STRIPE_PUBLISHABLE_KEY: "pk_test_trap",
  STRIPE_WEBHOOK_SECRET: "whsec_trap",
  STRIPE_API_URL: `http://127.0.0.1:${await trap("stripe")}`,
  IDENTIFY_WEBHOOK_URL: `http://127.0.0.1:${await trap("identify")}`,
  GEOCODER_URL: `http://127.0.0.1:${await trap("geocoder")}`,
};
const trapDatabase = `postgres://someone:secret@127.0.0.1:${await trap("database")}/market`;

/** Starts `market rehearse …` with hostile settings, as an operator would in a terminal. */
function start(args: readonly string[], settings: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, ["scripts/market.ts", "rehearse", ...args], {
    env: {
      ...process.env,
      NODE_ENV: "development",
      DATABASE_URL: market.url,
      DATA_DIR: dir,
      TMPDIR: scratch,
      ...HOSTILE,
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
}
async function ended(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  let [out, err] = ["", ""];
  child.stdout?.on("data", (part: Buffer) => (out += part.toString()));
  child.stderr?.on("data", (part: Buffer) => (err += part.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, err };
}

/** A hash of each table. */
async function fingerprint(): Promise<string[]> {
  const tables = await query<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const hashes: string[] = [];
  for (const { name } of tables) {
    const [row] = await query<{ sum: string }>(
      db,
      sql`select coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as sum from ${raw(`"${name}"`)} t`,
    );
    hashes.push(`${name} ${row!.sum}`);
  }
  return hashes;
}
/** Folders of rehearsals that are running or were left behind. */
const findLeftovers = () => readdirSync(scratch).filter((name) => name.startsWith("marketday-rehearsal-"));
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const hub = await createHubNow(db, { name: "Carmel" });
const eggs = await createProduct(db, hub.id, { title: "Eggs", inventory: 50 });
const app = await buildTestApp({ url: market.url, now: new Date().toISOString() });
const shopper = await signIn(app, { hubId: hub.id });
await shopper.put("/cart", [eggs.line(3)]);
const choice = { ...CHOICE, savePaymentMethod: true };
const { body: quote } = await shopper.post("/checkout/quote", choice);
const placed = await shopper.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
await app.close();
const day = hub.deliveries[0]!.day.toISOString().slice(0, 10);

test(
  "rehearse: a week runs on a copy and leaves sheets and mails; no request reaches the market, mail server or provider",
  { tags: ["fail:M17"], timeout: 180_000 },
  async () => {
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    // As in a real market: the card and its authorization are at another provider.
    await db.payment.updateMany({ data: { provider: "stripe" } });
    await db.payment_method.updateMany({ data: { provider: "stripe" } });
    const before = await fingerprint();
    const out = join(dir, "rehearsed");
    const { code, out: text, err } = await ended(start([hub.slug, "--out", out, "--json"]));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const result = JSON.parse(text);
    expect(result).toMatchObject({ hub: { slug: hub.slug }, day, totes: 1, collectCents: 0, folder: out });
    expect(result.orders).toEqual([{ status: "closed", count: 1, totalCents: Math.round(quote.orderTotal * 100) }]);
    const done = result.steps.flatMap((step: { done: { what: string }[] }) => step.done.map(({ what }) => what));
    for (const what of ["close orders", "charge orders", "mark orders delivered"]) expect(done).toContain(what);
    expect(result.steps.flatMap((step: { failed: string[] }) => step.failed)).toEqual([]);
    expect(readdirSync(join(out, "sheets"))).toEqual(expect.arrayContaining(["labels.csv"]));
    const mails = readdirSync(join(out, "mails")).map((name) => readFileSync(join(out, "mails", name), "utf8"));
    expect(mails.some((mail) => mail.includes(shopper.customer.email!))).toBe(true);
    expect(await fingerprint()).toEqual(before);
    expect(trapped).toEqual([]);
    await expect.poll(findLeftovers).toEqual([]);
    const repeated = await market.run("rehearse", hub.slug, "--out", out);
    expect([repeated.code, repeated.err]).toEqual([2, expect.stringContaining("already exists")]);
  },
);

test(
  "rehearse: automatic orders of a market without cards are placed; with cards a customer without one is tried again hours later",
  { tags: ["fail:M17"], timeout: 180_000 },
  async () => {
    const other = await createHubNow(db, { name: "Zionsville" });
    const bread = await createProduct(db, other.id, { title: "Bread", inventory: 50 });
    const offline = await buildTestApp({
      url: market.url,
      now: new Date().toISOString(),
      env: { PAYMENTS: "offline" },
    });
    const subscriber = await signIn(offline, { hubId: other.id });
    await createAddress(db, subscriber.customer.id);
    expect((await subscriber.put("/subscriptions/status", { enabled: true, status: 1 })).status).toBe(200);
    expect((await subscriber.put("/cart", [bread.line(2)])).status).toBe(200);
    await offline.close();
    const rehearsed = async (payments: string) => {
      const { code, out, err } = await ended(
        start([other.slug, "--out", join(dir, `rehearsed-${payments}`), "--json"], { PAYMENTS: payments }),
      );
      expect({ code, err }).toEqual({ code: 0, err: "" });
      const { orders, totes, collectCents, mails, steps } = JSON.parse(out);
      const tries = steps
        .flatMap((step: { done: { what: string; market: string; count: number }[] }) => step.done)
        .filter((each: { what: string; market: string }) => each.market === other.name)
        .filter((each: { what: string }) => each.what === "order for customers");
      return {
        orders: orders.map((each: { status: string; count: number }) => [each.status, each.count]),
        totes,
        isCollecting: collectCents > 0,
        failed: mails.find((each: { template: string }) => each.template === "auto-checkout-failed")?.count ?? 0,
        tries: tries.length,
      };
    };
    expect(await rehearsed("offline")).toEqual({
      orders: [["closed", 1]],
      totes: 1,
      isCollecting: true,
      failed: 0,
      tries: 1,
    });
    // The first try, and the one six hours later, when the orders' reminder is due.
    expect(await rehearsed("stripe")).toEqual({ orders: [], totes: 0, isCollecting: false, failed: 1, tries: 2 });
    expect(trapped).toEqual([]);
  },
);

test("rehearse --backup: never connects to DATABASE_URL", { tags: ["fail:M17"], timeout: 180_000 }, async () => {
  const backup = join(dir, "backup");
  expect(await market.run("backup", backup)).toMatchObject({ code: 0 });
  const out = join(dir, "from-backup");
  const settings = {
    DATABASE_URL: trapDatabase,
    MIGRATE_DATABASE_URL: trapDatabase,
    REPLICA_DATABASE_URL: trapDatabase,
  };
  const { code, err } = await ended(start([hub.slug, "--backup", backup, "--out", out], settings));
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(readdirSync(out).toSorted()).toEqual(["mails", "sheets"]);
  expect(trapped).toEqual([]);
  await expect.poll(findLeftovers).toEqual([]);
});

test.each(["SIGINT", "SIGKILL"] as const)(
  "rehearse: %s leaves no process and no folder behind",
  { tags: ["fail:M17"], timeout: 180_000 },
  async (signal) => {
    const out = join(dir, `stopped-${signal}`);
    const child = start([hub.slug, "--out", out]);
    const end = ended(child);
    // Its Postgres is running: postmaster.pid has the process id.
    let pid = 0;
    await expect
      .poll(
        () => {
          const [folder] = findLeftovers();
          if (folder === undefined) return 0;
          try {
            const { cluster } = JSON.parse(readFileSync(join(scratch, folder, "postgres.json"), "utf8"));
            pid = Number(readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n")[0]);
          } catch {
            pid = 0;
          }
          return pid;
        },
        { timeout: 60_000, interval: 20 },
      )
      .toBeGreaterThan(0);
    child.kill(signal);
    const { code, err } = await end;
    if (signal === "SIGINT")
      expect([code, err]).toEqual([130, "Stopped. The copy was removed; the market itself was not touched.\n"]);
    await expect.poll(() => [findLeftovers(), isAlive(pid)], { timeout: 60_000 }).toEqual([[], false]);
    expect(readdirSync(dir).filter((name) => name.startsWith("stopped-"))).toEqual([]);
    expect(trapped).toEqual([]);
  },
);
