import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { execute, raw, sql } from "@marketday/db";
import { dateInZone } from "@marketday/domain/calendar-date";
import { addMs, Day } from "@marketday/domain/time";
import { buildTestApp } from "@marketday/server/testing/app";
import { ADDRESS, CHOICE, createCustomer } from "@marketday/server/testing/factories";
import { signIn } from "@marketday/server/testing/sign-in";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";

import { commandLines, filesOf, splitCommandLine } from "./test/command-lines.ts";
import { operatedMarket } from "./test/market.ts";

const page = readFileSync("docs/operating.md", "utf8");
const market = await operatedMarket();
const { db } = market;
const home = process.cwd();
const role = `shop_${process.pid}_${Date.now()}`;
await execute(db, sql`create role ${raw(role)} login`);
beforeAll(() => process.chdir(market.dir));
afterAll(async () => {
  process.chdir(home);
  await execute(db, sql`drop owned by ${raw(role)}`);
  await execute(db, sql`drop role ${raw(role)}`);
});

const parts = page.split(/^## (?=Opening|The weekly|What to do)/m);
const part = (title: string): string => {
  const found = parts.find((each) => each.startsWith(title));
  if (!found) throw new Error(`docs/operating.md has no part "${title}"`);
  return found;
};

async function runAll(
  lines: readonly string[],
  fill: (line: string) => string | Promise<string> = (line) => line,
): Promise<void> {
  for (const line of lines) {
    const { code, err } = await market.run(...splitCommandLine(await fill(line)).slice(1));
    expect({ line, code, err }).toEqual({ line, code: 0, err: "" });
  }
}

test("operating.md: names every command group", async () => {
  const lines = commandLines(page);
  expect(lines.length).toBeGreaterThan(35);
  const { out } = await market.run("--help");
  const nouns = [...out.matchAll(/^ {2}([a-z][a-z-]*) {2,}\S/gm)]
    .map(([, noun]) => noun ?? "")
    .filter((noun) => noun !== "demo");
  const documented = new Set(lines.map((line) => splitCommandLine(line)[1]));
  expect(nouns.filter((noun) => !documented.has(noun))).toEqual([]);
});

test("operating.md: a file in it ends before the next code block begins", () => {
  expect(filesOf(page).length).toBeGreaterThan(5);
  expect(filesOf(page).filter(([, content]) => content.includes("```"))).toEqual([]);
});

test("operating.md: every command line of its three parts works", async () => {
  for (const [name, content] of filesOf(page)) {
    mkdirSync(join(market.dir, dirname(name)), { recursive: true });
    writeFileSync(join(market.dir, name), content);
  }
  mkdirSync(join(market.dir, "photos"));
  for (const [place, name] of ["eggs.jpg", "oak-farm.jpg"].entries())
    await sharp({ create: { width: 80, height: 80, channels: 3, background: { r: 90 * place, g: 120, b: 40 } } })
      .jpeg()
      .toFile(join(market.dir, "photos", name));
  await runAll(commandLines(parts[0] ?? ""));
  await runAll(commandLines(part("Opening a market")));
  expect(await db.offer.count()).toBe(3);
  expect(await db.bundle_item.count()).toBe(2);

  // A week: four orders, of which two are paid at the door, and the cutoff.
  const now = new Date().toISOString();
  const hub = await db.hub.findUniqueOrThrow({ where: { slug: "carmel" } });
  const eggs = await db.variant.findFirstOrThrow({ where: { title: "Dozen" } });
  let placed = 0;
  const placeOrder = async (payments: string, choice: object): Promise<{ id: number; customerId: number }> => {
    // Placed a second apart: totes are numbered in this order.
    const at = new Date(Date.parse(now) - 10_000 + (placed += 1) * 1_000).toISOString();
    const app = await buildTestApp({ url: market.url, now: at, env: { PAYMENTS: payments } });
    const shopper = await signIn(app, { hubId: hub.id });
    await shopper.put("/cart", [{ productId: eggs.product_id, variantId: eggs.id, quantity: 3 }]);
    const { body: quote } = await shopper.post("/checkout/quote", choice);
    const { status, body } = await shopper.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
    expect(status, JSON.stringify(body)).toBe(201);
    await app.close();
    return { id: body.orderId as number, customerId: shopper.customer.id };
  };
  const card = { ...CHOICE, savePaymentMethod: true };
  const doorChoice = { type: "delivery", deliveryAddress: ADDRESS, tipPercentage: 0 };
  const [box, canceled, doorOrder, unpaid] = [
    await placeOrder("test", card),
    await placeOrder("test", card),
    await placeOrder("offline", doorChoice),
    await placeOrder("offline", doorChoice),
  ];
  // The commands use the real clock: the day is today, and the cutoff was an hour ago.
  const { delivery } = await db.order.findUniqueOrThrow({ where: { id: box.id }, include: { delivery: true } });
  const hour = 3_600_000;
  const cutoff = Date.parse(now) - hour;
  const today = dateInZone(new Date(now), hub.time_zone);
  await db.delivery.update({
    where: { id: delivery.id },
    data: { day: new Date(today), cutoff_at: new Date(cutoff), auto_checkout_at: new Date(cutoff - 36 * hour) },
  });
  expect(await market.run("jobs", "run")).toMatchObject({ code: 0 });
  const { email } = await db.customer.update({
    where: { id: box.customerId },
    data: { first_name: "Rosa" },
    select: { email: true },
  });
  const problem = await db.problem_report.create({
    data: { order_id: box.id, customer_id: box.customerId, message: "Bruised" },
  });
  const question = await db.question.create({
    data: { product_id: eggs.product_id, customer_id: box.customerId, question: "How big?" },
  });
  const thread = await db.thread.create({
    data: {
      customer_id: box.customerId,
      vendor_id: (await db.vendor.findFirstOrThrow()).id,
      messages: { create: { sender: "C", message: "Are they brown?" } },
    },
  });
  writeFileSync("answer.txt", "Most of them.\nSome are blue.\n");
  const leaver = await createCustomer(db, { hubId: hub.id, pepper: "tests" });
  const next = await db.delivery.findFirstOrThrow({
    where: { hub_id: hub.id, cutoff_at: { gt: new Date(now) } },
    orderBy: { day: "asc" },
  });
  const nextDay = next.day.toISOString().slice(0, 10);
  /** A refund that the card did not take. */
  const failRefund = async (): Promise<string> => {
    const { payment_id } = await db.order.findUniqueOrThrow({ where: { id: box.id } });
    const failed = { state: "failed", failure: "expired_card", created_at: new Date(), done_at: new Date() };
    const refund = { id: randomUUID(), order_id: box.id, payment_id, kind: "care", destination: "card" };
    await db.refund.create({ data: { ...refund, ...failed, amount_cents: 100, reason: "bruised" } });
    return refund.id;
  };
  await db.wagon_pass.create({
    data: {
      customer_id: box.customerId,
      plan: "yearly",
      status: "active",
      started_on: new Date(today),
      renews_on: addMs(new Date(now), 365 * Day.ms),
    },
  });
  const fill = async (line: string): Promise<string> => {
    const giftCard = await db.gift_card.findFirst({ orderBy: { id: "desc" } });
    const payout = await db.ledger_transaction.findFirst({ where: { kind: "payout" }, orderBy: { id: "desc" } });
    const order = line.includes("orders cancel")
      ? canceled
      : /orders (undo-)?(paid|deliver)/.test(line)
        ? doorOrder
        : line.includes("orders write-off")
          ? unpaid
          : box;
    return line
      .replace("ORDER", String(order.id))
      .replace("ROLE", role)
      .replace("REFUND", line.includes("REFUND") ? await failRefund() : "")
      .replace("PAYOUT", String(payout?.id))
      .replace("VARIANT", String(eggs.id))
      .replace("PROBLEM", String(problem.id))
      .replace("QUESTION", String(question.id))
      .replace("THREAD", String(thread.id))
      .replace("LEAVER", String(leaver.id))
      .replace("CUSTOMER", email!)
      .replace("CARD", String(giftCard?.id))
      .replace(/2026-11-26|2026-12-03/, (date) => (date === "2026-11-26" ? today : nextDay))
      .replace("--to 2026-11-30", `--to ${today}`);
  };
  await runAll(commandLines(part("The weekly round")), fill);
  expect(await db.ledger_transaction.count({ where: { kind: "payout" } })).toBe(1);
  // What a vendor was paid for is not undone.
  await runAll(['./market ledger reverse PAYOUT oak-farm --reason "account closed" --yes'], fill);
  await runAll(commandLines(part("What to do when")), fill);
  const entries = await db.audit_entry.findMany({ where: { action: "restore" } });
  expect(entries).toMatchObject([{ actor: "operator:ada" }]);
  // The restored backup was made before the first order.
  expect(await db.order.count()).toBe(0);
  expect(await market.audit()).toEqual([]);
});
