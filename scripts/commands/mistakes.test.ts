import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { query, raw, sql } from "@marketday/db";
import { addDays, dateFromUtc } from "@marketday/domain/calendar-date";
import { buildTestApp } from "@marketday/server/testing/app";
import { ADDRESS, CHOICE, createHubNow, createProduct } from "@marketday/server/testing/factories";
import { signIn } from "@marketday/server/testing/sign-in";
import { expect, test } from "vitest";

import { buildCommandLine } from "../lib/cli/command-line.ts";
import { operatedMarket } from "../test/market.ts";

/**
 * Row M17 of docs/failures.md: an operator mistypes a date, repeats a command, or runs two at once. Each time the command
 * asks for confirmation, reports that nothing was done, or refuses, and the market does not change.
 */
const market = await operatedMarket();
const { db, dir } = market;
const now = new Date();
const hub = await createHubNow(db, { name: "Carmel" });
const eggs = await createProduct(db, hub.id, { title: "Eggs", inventory: 90 });
const quiet = await createHubNow(db, { name: "Zionsville" });
const vendor = await db.vendor.findUniqueOrThrow({ where: { id: eggs.vendor_id } });
const app = await buildTestApp({ url: market.url, now: now.toISOString() });
const offlineApp = await buildTestApp({ url: market.url, now: now.toISOString(), env: { PAYMENTS: "offline" } });

async function placeOrder(
  market: typeof app,
  choice: object,
): Promise<{ id: string; email: string; customerId: number }> {
  const shopper = await signIn(market, { hubId: hub.id });
  await shopper.put("/cart", [eggs.line(3)]);
  const { body: quote } = await shopper.post("/checkout/quote", choice);
  const placed = await shopper.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  return { id: String(placed.body.orderId), email: shopper.customer.email!, customerId: shopper.customer.id };
}
const card = { ...CHOICE, savePaymentMethod: true };
const atTheDoor = { type: "delivery", deliveryAddress: ADDRESS, tipPercentage: 0 };
const [off, back, short, arrived] = [
  await placeOrder(app, card),
  await placeOrder(app, card),
  await placeOrder(app, card),
  await placeOrder(app, card),
];
const [unpaid, lost] = [await placeOrder(offlineApp, atTheDoor), await placeOrder(offlineApp, atTheDoor)];
const idle = await signIn(app, { hubId: hub.id });
await app.close();
await offlineApp.close();
const question = await db.question.create({
  data: { product_id: eggs.id, customer_id: short.customerId, question: "How big?" },
});
const problem = await db.problem_report.create({
  data: { order_id: Number(short.id), customer_id: short.customerId, message: "Bruised" },
});
const day = dateFromUtc(hub.deliveries[0]!.day);
const dayAfter = addDays(day, 1);
const early = new Date(hub.deliveries[0]!.cutoff_at.getTime() + 1_000).toISOString();
const file = (name: string, content: string): string => {
  mkdirSync(join(dir, "in", name, ".."), { recursive: true });
  writeFileSync(join(dir, "in", name), content);
  return join(dir, "in", name);
};
const reason = ["--reason", "because"];

/** A hash of each table that a command may change, without the audit entries of imports, which are written every time. */
async function state(): Promise<string[]> {
  const tables = await query<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
          and table_name not in ('session', 'rate_limit') order by 1`,
  );
  const rows: string[] = [];
  for (const { name } of tables) {
    const [row] = await query<{ sum: string }>(
      db,
      sql`select coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as sum from ${raw(`"${name}"`)} t
          where ${name} <> 'audit_entry' or to_jsonb(t)->>'action' not like '% import'`,
    );
    rows.push(`${name} ${row!.sum}`);
  }
  return rows;
}

test.each<[mistake: string, args: string[], message: string]>([
  [
    "a wrong year",
    ["jobs", "run", "--at", `${Number(early.slice(0, 4)) + 1}${early.slice(4)}`, "--yes"],
    "is too far ahead",
  ],
  ["no time zone", ["jobs", "run", "--at", early.slice(0, 16), "--yes"], "It has no zone"],
  ["no confirmation", ["jobs", "run", "--at", early], "Say --yes to do it; nothing was done."],
  ["a day without delivery", ["sheets", hub.slug, dayAfter], `does not deliver on ${dayAfter}`],
  ["a date that does not exist", ["sheets", hub.slug, "2026-02-30"], "is not a date"],
  ["a day that is open", ["sheets", hub.slug, day], "are open until"],
  ["a date that does not exist", ["ledger", "payouts", "--to", "2026-13-01", "--yes"], "Give a date such as"],
  [
    "a date in the past",
    ["gift-cards", "issue", "ada@farm.example", "25", "--on", "2025-11-26", ...reason, "--yes"],
    "is in the past",
  ],
  [
    "a wrong year",
    ["gift-cards", "issue", "ada@farm.example", "25", "--on", "2062-11-26", ...reason, "--yes"],
    "days away",
  ],
  ["a reason left out", ["orders", "cancel", off.id, "--yes"], "--reason"],
  ["no confirmation", ["orders", "cancel", off.id, ...reason], "nothing was done"],
  ["no confirmation", ["customers", "delete", off.email, ...reason], "nothing was done"],
  ["a customer with an order", ["customers", "delete", off.email, ...reason, "--yes"], "Nothing was done."],
  ["an order that is open", ["orders", "deliver", off.id], "still takes changes"],
  ["an unknown order", ["orders", "cancel", "999", ...reason, "--yes"], "There is no order 999"],
])("%s: market %j changes nothing and prints the reason", { tags: ["fail:M17"] }, async (_, args, message) => {
  const before = await state();
  const { code, out, err } = await market.run(...args);
  expect({ code: code === 1 || code === 2, out, err }).toEqual({
    code: true,
    out: "",
    err: expect.stringContaining(message),
  });
  expect(await state()).toEqual(before);
});

/** Commands in the order of a week, each run twice; `twice` is the output of the second run. */
const REPEATED: [args: string[], twice: RegExp][] = [
  [["staff", "invite", "ben@farm.example", "--name", "Ben", "--role", "editor"], /is on the staff already/],
  [["staff", "roles", "ben@farm.example", "--role", "support", ...reason], /nothing was done/i],
  [["staff", "disable", "ben@farm.example", ...reason, "--yes"], /nothing was done/i],
  [["hubs", "import", file("hubs.geojson", "")], /nothing was changed/],
  [
    ["vendors", "import", file("vendors.csv", "slug,name,city,state\noak-farm,Oak Farm,Sheridan,IN\n")],
    /nothing was changed/,
  ],
  [["content", "import", join(file("words/about.md", "# About\n\nUs.\n"), "..")], /nothing was changed/],
  [["credit", "grant", short.email, "5", ...reason, "--yes"], /nothing was done/i],
  [["gift-cards", "issue", "ada@farm.example", "25", ...reason, "--yes"], /nothing was done/i],
  [["inbox", "reply", `question:${question.id}`, "Large."], /nothing was done/i],
  [["problems", "close", String(problem.id), ...reason], /nothing was done/i],
  [["customers", "delete", String(idle.customer.id), ...reason, "--yes"], /nothing was done/i],
  [["orders", "cancel", off.id, ...reason, "--yes"], /nothing was done/i],
  [["days", "close", quiet.slug, dateFromUtc(quiet.deliveries[0]!.day), ...reason, "--yes"], /nothing was done/i],
  [["jobs", "run", "--at", early, "--yes"], /^Nothing was due\.$/m],
  [["vendors", "confirmed", hub.slug, day], /nothing was done/i],
  [["vendors", "arrived", hub.slug, day], /nothing was done/i],
  [["vendors", "link", hub.slug, day, vendor.slug], /nothing was done/i],
  [["orders", "refund", back.id, "1.00", "--to", "credit", ...reason, "--yes"], /nothing was done/i],
  [["orders", "short", short.id, `${eggs.variant.id}=2/3`, ...reason], /nothing was done/i],
  [["orders", "paid", unpaid.id], /nothing was done/i],
  [["orders", "undo-paid", unpaid.id, ...reason], /nothing to undo/i],
  [["orders", "write-off", lost.id, ...reason, "--yes"], /nothing was done/i],
  [["orders", "charge", back.id], /nothing was done/i],
  [["orders", "deliver", arrived.id, "--include-future"], /nothing was done/i],
  [["orders", "undo-deliver", arrived.id, ...reason], /nothing to undo/i],
  [
    ["ledger", "payouts", join(dir, "payouts.csv"), "--to", "2099-12-31", "--yes", "--include-future"],
    /^Nothing is owed/,
  ],
];

test.each(REPEATED)(
  "market %j: a second run reports that nothing was done",
  { tags: ["fail:M17"] },
  async (args, twice) => {
    if (args[0] === "hubs") expect(await market.run("hubs", "export", args[2]!)).toMatchObject({ code: 0 });
    expect(await market.run(...args)).toMatchObject({ code: 0, err: "" });
    // A job sends the mails that a command enqueued.
    const before = await state();
    const second = await market.run(...args);
    expect(second.code === 0 || second.code === 1, second.err).toBe(true);
    expect(second.out + second.err).toMatch(twice);
    expect(await state()).toEqual(before);
  },
);

test("ledger reverse: a second run reports that nothing was done", { tags: ["fail:M17"] }, async () => {
  const payout = await db.ledger_transaction.findFirstOrThrow({ where: { kind: "payout" }, orderBy: { id: "desc" } });
  const args = ["ledger", "reverse", String(payout.id), vendor.slug, ...reason, "--yes"];
  expect(await market.run(...args)).toMatchObject({ code: 0 });
  const before = await state();
  expect((await market.run(...args)).out).toMatch(/nothing was done/i);
  expect(await state()).toEqual(before);
});

test(
  "ledger payouts for future deliveries: the list names the amount that can still change, and --yes does not book it",
  { tags: ["fail:M17"] },
  async () => {
    const before = await state();
    const unconfirmed = await market.run("ledger", "payouts", "--to", "2099-12-31");
    expect([unconfirmed.code, unconfirmed.err]).toEqual([
      2,
      expect.stringMatching(/\$\d+\.\d\d of it is for deliveries after today, which can still change\. Say --yes/),
    ]);
    const args = ["ledger", "payouts", join(dir, "again.csv"), "--to", "2099-12-31", "--yes"];
    expect(await market.run(...args)).toEqual({
      code: 2,
      out: "",
      err: expect.stringMatching(
        /^\$\d+\.\d\d of it is for deliveries after today, which can still change\. Book it already\? Say --include-future to do it; nothing was done\.\n$/,
      ),
    });
    expect(await state()).toEqual(before);
    const paid = await market.run(...args, "--include-future");
    expect(paid.out).toMatch(/of it is for deliveries after today, which can still change\./);
  },
);

test(
  "two operators run the same command at once: it is done once, and the second run reports it",
  { tags: ["fail:M17"] },
  async () => {
    const run = (args: readonly string[]) =>
      new Promise<string>((resolve) => {
        const env = {
          ...process.env,
          DATABASE_URL: market.url,
          DATA_DIR: dir,
          NODE_ENV: "test",
          MARKET_OPERATOR: "ada",
        };
        execFile(process.execPath, ["scripts/market.ts", ...args], { env }, (_, out, err) => resolve(out + err));
      });
    for (const [args, done, entry] of [
      [
        ["credit", "grant", back.email, "7", "--reason", "twice", "--yes"],
        /^Gave/m,
        { action: "credit grant", reason: "twice" },
      ],
      [
        ["orders", "cancel", arrived.id, "--reason", "twice", "--yes"],
        /^Cancelled/m,
        { action: "orders cancel", reason: "twice" },
      ],
    ] as const) {
      const outputs = await Promise.all([run(args), run(args)]);
      expect(
        outputs.filter((each) => done.test(each)),
        outputs.join("\n"),
      ).toHaveLength(1);
      expect(
        outputs.filter((each) => /already|nothing was done/.test(each)),
        outputs.join("\n"),
      ).toHaveLength(1);
      expect(await db.audit_entry.count({ where: entry })).toBe(1);
    }
    expect(await market.audit()).toEqual([]);
  },
);

test("the table of repeated commands lists every command that writes", async () => {
  const covered = new Set(REPEATED.map(([args]) => args.slice(0, 2).join(" ")));
  const market = await buildCommandLine(["--help"]);
  const writing = market.commands.flatMap((parent) =>
    parent.commands
      .filter((each) => each.options.some(({ long }) => long === "--dry-run"))
      .map((each) => `${parent.name()} ${each.name()}`),
  );
  // The same code imports the other files and vendors; an export may be repeated.
  const exempt = new Set([
    "images import",
    ...["products", "collections", "bundles", "posts", "banners", "discounts"].map((noun) => `${noun} import`),
    "customers export",
    "ledger reverse",
    // Setting a value or count twice is tested in scripts/commands/stock.test.ts.
    "products set",
    "stock set",
    // Giving and closing one twice is tested in scripts/commands/disputes.test.ts.
    "refunds send",
    "refunds close",
    // Sending one again and ending one twice are tested in gift-mails.test.ts and pass-mails.test.ts.
    "gift-cards resend",
    "passes end",
    // Granting twice is tested in scripts/commands/database.test.ts.
    "database grant",
    // Each one sends a new link.
    "staff reset",
  ]);
  expect(writing.filter((name) => !covered.has(name) && !exempt.has(name))).toEqual([]);
});
