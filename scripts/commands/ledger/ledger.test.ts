import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { addDays } from "@marketday/domain/calendar-date";
import { runWeek } from "@marketday/server/jobs/week";
import { payVendors, reversePayout } from "@marketday/server/modules/ledger/pay-vendors";
import { findPaid } from "@marketday/server/modules/ledger/payout-store";
import { findVendorShares } from "@marketday/server/modules/ledger/share-sql";
import { buildTestApp } from "@marketday/server/testing/app";
import { CHOICE, createHubNow, createProduct, createVendor } from "@marketday/server/testing/factories";
import { signIn } from "@marketday/server/testing/sign-in";
import { staffOf } from "@marketday/server/testing/staff";
import { expect, test } from "vitest";

import { operatedMarket } from "../../test/market.ts";
import { otherDate, otherDateZone } from "../../test/other-date.ts";

const market = await operatedMarket();
const { db } = market;
const now = new Date();
const app = await buildTestApp({ url: market.url, now: now.toISOString() });
const hub = await createHubNow(db);
const farm = await createVendor(db);
const mill = await createVendor(db);
const eggs = await createProduct(db, hub.id, { vendorId: farm.id, priceCents: 1_000, inventory: 50 });
const flour = await createProduct(db, hub.id, { vendorId: mill.id, priceCents: 700, inventory: 50 });
const shopper = await signIn(app, { hubId: hub.id });
const choice = { ...CHOICE, savePaymentMethod: true };
const TO = "2099-12-31";

async function placeOrder(lines: object[]): Promise<number> {
  await shopper.put("/cart", lines);
  const { body: quote } = await shopper.post("/checkout/quote", choice);
  const placed = await shopper.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  return placed.body.orderId as number;
}

/** Runs the cutoff of an order. */
async function closeOrder(id: number): Promise<void> {
  const { delivery } = await db.order.findUniqueOrThrow({ where: { id }, include: { delivery: true } });
  // The next order is for the next delivery day.
  app.clock.set(new Date(delivery.cutoff_at.getTime() + 1_000).toISOString());
  // Several weeks in a row: more than `jobs run` allows to run early.
  await runWeek({ now: app.clock.now(), actor: { type: "system", job: "week" }, deps: app.deps });
}

/** Places an order and runs its cutoff. Returns its number. */
async function closedOrder(lines: object[]): Promise<string> {
  const id = await placeOrder(lines);
  await closeOrder(id);
  return String(id);
}

interface PayoutResult {
  payout: number | null;
  totalCents: number;
  payouts: { slug: string; amountCents: number }[];
  carried: { slug: string; amountCents: number }[];
}
interface Statement {
  orders: { order_id: number }[];
  shareCents: number;
  owedCents: number;
  payouts: { payout: number; amount_cents: number; taken_back: boolean }[];
}
const pay = (...args: string[]) =>
  market.json<PayoutResult>("ledger", "payouts", ...args, "--to", TO, "--include-future");
const statement = (slug: string) =>
  market.json<Statement>("ledger", "vendor", slug, "--from", "2000-01-01", "--to", TO);
const dollarsOf = (cents: number): string => (cents / 100).toFixed(2);
const file = join(market.dir, "payouts.csv");

test("payouts: amounts owed are paid once and booked in the ledger; a second run pays only what is new", async () => {
  expect(await pay("--yes")).toMatchObject({ payout: null, payouts: [] });
  const first = await closedOrder([eggs.line(3), flour.line(2)]);
  const before = { farm: await statement(farm.slug), mill: await statement(mill.slug) };
  expect(before.farm.owedCents).toBe(before.farm.shareCents);

  const early = await market.run("ledger", "payouts", "--to", TO, "--dry-run");
  expect([early.code, early.err]).toEqual([
    0,
    expect.stringMatching(/^\$\d+\.\d\d of it is for deliveries after today, which can still change\.\n$/),
  ]);
  const dry = await pay(file, "--dry-run");
  expect([dry.payout, dry.totalCents]).toEqual([null, before.farm.shareCents + before.mill.shareCents]);
  expect([existsSync(file), await db.ledger_transaction.count({ where: { kind: "payout" } })]).toEqual([false, 0]);
  expect(await market.run("ledger", "payouts", file, "--to", TO)).toMatchObject({
    code: 2,
    err: expect.stringContaining("Say --yes to do it; nothing was done."),
  });

  const paid = await pay(file, "--yes");
  expect(paid).toMatchObject({ totalCents: dry.totalCents, payouts: dry.payouts, carried: [] });
  const lines = [farm, mill]
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ id, slug, name }) => {
      const share = (id === farm.id ? before.farm : before.mill).shareCents;
      return `${slug},${name},,${dollarsOf(share)},${paid.payout}\n`;
    });
  const bank = `\uFEFFvendor,name,email,amount,payout\n${lines.join("")}`;
  expect(readFileSync(file, "utf8")).toBe(bank);
  expect(
    await db.ledger_entry.findMany({
      where: { transaction_id: paid.payout!, vendor_id: farm.id },
      orderBy: { id: "asc" },
      select: { account: true, amount_cents: true },
    }),
  ).toEqual([
    { account: "vendor", amount_cents: -before.farm.shareCents },
    { account: "payouts", amount_cents: before.farm.shareCents },
  ]);
  expect(await db.audit_entry.findMany({ where: { subject: `payout:${paid.payout}` } })).toMatchObject([
    { actor: "operator:ada", action: "ledger payouts", data: { to: TO, totalCents: paid.totalCents } },
  ]);
  expect(await statement(farm.slug)).toMatchObject({
    shareCents: before.farm.shareCents,
    owedCents: 0,
    payouts: [{ payout: paid.payout, amount_cents: before.farm.shareCents, taken_back: false }],
  });

  // A second run pays nothing, and prints how to write the file again.
  const repeated = await market.run("ledger", "payouts", file, "--to", TO, "--yes");
  expect(repeated).toMatchObject({
    code: 0,
    out: expect.stringContaining(`\`ledger payouts FILE --again ${paid.payout}\` writes it.`),
  });
  const copy = join(market.dir, "again.csv");
  await market.json("ledger", "payouts", copy, "--again", String(paid.payout));
  expect(readFileSync(copy, "utf8")).toBe(bank);
  expect(await market.run("ledger", "payouts", file, "--again", "999999")).toMatchObject({ code: 1 });

  // Units came short after the payout: the vendor was overpaid, and the next payout is reduced.
  await market.json("orders", "short", first, `${eggs.variant.id}=2/3`, "--reason", "fox");
  const over = (await statement(farm.slug)).owedCents;
  expect(over).toBeLessThan(0);
  expect(await pay("--yes")).toMatchObject({ payout: null, payouts: [] });
  await closedOrder([eggs.line(4)]);
  const second = await pay(file, "--yes");
  expect(second.payouts.map(({ slug }) => slug)).toEqual([farm.slug]);
  const listed = await market.json<{ payout: number }[]>("ledger", "list");
  expect(listed.map(({ payout }) => payout)).toEqual([second.payout, paid.payout]);
  const now = await statement(farm.slug);
  expect(now).toMatchObject({ owedCents: 0 });
  expect(now.payouts.reduce((sum, row) => sum + row.amount_cents, 0)).toBe(now.shareCents);
  expect(await market.audit()).toEqual([]);
});

test("ledger reverse: a payout that did not arrive is reversed once, with a reason, and owed again", async () => {
  const [newest] = await market.json<{ payout: number; vendors: { slug: string; amountCents: number }[] }[]>(
    "ledger",
    "list",
  );
  const { amountCents } = newest!.vendors[0]!;
  const reverse = ["ledger", "reverse", String(newest!.payout), farm.slug, "--reason", "account closed"] as const;
  expect(await market.run(...reverse)).toMatchObject({ code: 2 });
  expect(await market.json(...reverse, "--dry-run")).toMatchObject({ amountCents });
  expect((await statement(farm.slug)).owedCents).toBe(0);
  expect(await market.json(...reverse, "--yes")).toMatchObject({ amountCents });
  expect(await market.json(...reverse, "--yes")).toMatchObject({ amountCents: 0 });
  expect(await statement(farm.slug)).toMatchObject({
    owedCents: amountCents,
    payouts: expect.arrayContaining([expect.objectContaining({ payout: newest!.payout, taken_back: true })]),
  });
  // The file for the bank, written again, does not pay the reversed part.
  const again = await market.json<PayoutResult>("ledger", "payouts", "--again", String(newest!.payout));
  expect(again.payouts.map(({ slug }) => slug)).toEqual(
    newest!.vendors.flatMap(({ slug }) => (slug === farm.slug ? [] : [slug])),
  );
  expect(await market.run("ledger", "reverse", "1", farm.slug, "--reason", "x", "--yes")).toMatchObject({ code: 1 });
  expect(await db.audit_entry.findMany({ where: { action: "ledger reverse" } })).toMatchObject([
    { actor: "operator:ada", subject: `payout:${newest!.payout}`, reason: "account closed" },
  ]);
  // Of two concurrent runs one pays.
  const ctx = { now: app.clock.now(), actor: { type: "operator", name: "ada" } as const, deps: app.deps };
  const both = await Promise.all([1, 2].map(() => payVendors(ctx, { to: TO, dryRun: false })));
  expect(both.map(({ totalCents }) => totalCents).toSorted((a, b) => a - b)).toEqual([0, amountCents]);
  expect((await statement(farm.slug)).owedCents).toBe(0);
  expect(await market.audit()).toEqual([]);
});

test("payouts: the admin app's file for the bank is the command's, byte for byte", async () => {
  const [newest] = await market.json<{ payout: number }[]>("ledger", "list");
  const { payout } = newest!;
  const copy = join(market.dir, "for-the-app.csv");
  await market.json("ledger", "payouts", copy, "--again", String(payout));
  const { cookie } = await staffOf(app, "bookkeeper");
  const answer = await app.app.inject({ url: `/api/admin/payouts/${payout}/file`, headers: { cookie } });
  expect([answer.statusCode, answer.rawPayload.equals(readFileSync(copy))]).toEqual([200, true]);
  expect(answer.body.trimEnd().split("\n").length).toBeGreaterThan(1);
});

test("payouts: an order canceled after its payout is deducted from the next one", async () => {
  const id = await closedOrder([flour.line(5)]);
  expect((await pay("--yes")).payouts.map(({ slug }) => slug)).toEqual([mill.slug]);
  await market.json("orders", "cancel", id, "--reason", "truck", "--yes");
  expect((await statement(mill.slug)).owedCents).toBeLessThan(0);
  await closedOrder([flour.line(2), eggs.line(1)]);
  const next = await pay("--yes");
  expect(next.payouts.map(({ slug }) => slug)).toEqual([farm.slug]);
  expect(next.carried).toMatchObject([{ slug: mill.slug }]);
  expect(await market.audit()).toEqual([]);
});

test("ledger payouts: --to the first of two delivery days pays exactly that day", async () => {
  const orchard = await createVendor(db);
  const apples = await createProduct(db, hub.id, { vendorId: orchard.id, priceCents: 500, inventory: 50 });
  const ids = [await closedOrder([apples.line(1)]), await closedOrder([apples.line(2)])];
  const [first, second] = await Promise.all(
    ids.map(async (id) => {
      const { delivery } = await db.order.findUniqueOrThrow({ where: { id: Number(id) }, include: { delivery: true } });
      const share = await db.ledger_entry.aggregate({
        where: { account: "vendor", vendor_id: orchard.id, transaction: { order_id: Number(id) } },
        _sum: { amount_cents: true },
      });
      return { day: delivery.day.toISOString().slice(0, 10), shareCents: share._sum.amount_cents! };
    }),
  );
  expect(second!.day > first!.day).toBe(true);
  const paidTo = async (to: string) =>
    (await market.json<PayoutResult>("ledger", "payouts", "--to", to, "--yes", "--include-future")).payouts.filter(
      ({ slug }) => slug === orchard.slug,
    );
  const before = new Date(new Date(first!.day).getTime() - 86_400_000).toISOString().slice(0, 10);
  expect(await paidTo(before)).toEqual([]);
  expect(await paidTo(first!.day)).toMatchObject([{ amountCents: first!.shareCents }]);
  expect(await paidTo(first!.day)).toEqual([]);
  expect(await paidTo(second!.day)).toMatchObject([{ amountCents: second!.shareCents }]);
  expect(await market.audit()).toEqual([]);
});

test("payouts and statements: an order that can still be changed is not paid for", async () => {
  const garden = await createVendor(db);
  const kale = await createProduct(db, hub.id, { vendorId: garden.id, priceCents: 400, inventory: 50 });
  const id = await placeOrder([kale.line(3)]);
  const paid = async () => (await pay("--yes")).payouts.filter(({ slug }) => slug === garden.slug);
  expect(await statement(garden.slug)).toMatchObject({ orders: [], shareCents: 0, owedCents: 0 });
  expect(await paid()).toEqual([]);
  await closeOrder(id);
  const { orders, shareCents } = await statement(garden.slug);
  expect(orders).toMatchObject([{ order_id: id }]);
  expect(await paid()).toMatchObject([{ amountCents: shareCents }]);
  expect(await market.audit()).toEqual([]);
});

test("ledger reverse: two concurrent runs reverse one vendor's part once; the other vendor's part and the reversal are separate", async () => {
  const [oak, elm] = [await createVendor(db), await createVendor(db)];
  const nuts = await createProduct(db, hub.id, { vendorId: oak.id, priceCents: 900, inventory: 50 });
  const figs = await createProduct(db, hub.id, { vendorId: elm.id, priceCents: 800, inventory: 50 });
  for (const { id, slug } of [oak, elm])
    await db.vendor.update({ where: { id }, data: { email: `${slug}@example.com` } });
  await closedOrder([nuts.line(2), figs.line(1)]);
  const { payout, payouts } = await pay("--yes");
  const amountOf = ({ slug }: typeof oak) => payouts.find((line) => line.slug === slug)!.amountCents;
  // Each vendor has a mail, and statements are of one vendor, one market and their days.
  for (const vendor of [oak, elm]) {
    const mails = await db.mail.findMany({
      where: { to_email: `${vendor.slug}@example.com`, template: { startsWith: "vendor-payout" } },
    });
    expect(mails.map(({ template, data }) => [template, data])).toEqual([
      ["vendor-payout", { payout, vendor: vendor.name, amountCents: amountOf(vendor), to: TO }],
    ]);
    const sharesIn = async (hubId: number) =>
      (await findVendorShares(db, { vendorId: vendor.id, hubId, from: "2000-01-01", to: TO })).map(
        (share) => share.share_cents,
      );
    expect([await sharesIn(hub.id), await sharesIn(hub.id + 1)]).toEqual([[amountOf(vendor)], []]);
    const paidSince = async (days: number) => {
      const from = new Date(app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
      return (await findPaid(db, { vendorId: vendor.id, from })).map(({ amount_cents: amount }) => amount);
    };
    expect([await paidSince(-400), await paidSince(2)]).toEqual([[amountOf(vendor)], []]);
  }
  const ctx = { now: app.clock.now(), actor: { type: "operator", name: "ada" } as const, deps: app.deps };
  const reverse = (of: number, vendor: typeof oak) =>
    reversePayout(ctx, { payout: of, vendor: vendor.slug, reason: "account closed", dryRun: false });
  const both = await Promise.all([reverse(payout!, oak), reverse(payout!, oak)]);
  expect(both.toSorted((a, b) => a - b)).toEqual([0, amountOf(oak)]);
  const [reversal] = await market.json<{ payout: number }[]>("ledger", "list");
  await expect(reverse(reversal!.payout, oak)).rejects.toMatchObject({ status: 404 });
  expect(await reverse(payout!, elm)).toBe(amountOf(elm));
  for (const vendor of [oak, elm])
    expect(await statement(vendor.slug)).toMatchObject({ owedCents: amountOf(vendor), shareCents: amountOf(vendor) });
  expect(await market.audit()).toEqual([]);
});

test("payouts: deliveries after today in the market count as early, whatever the date in UTC", async () => {
  const other = await operatedMarket();
  const server = await buildTestApp({ url: other.url, now: now.toISOString() });
  const far = await createHubNow(other.db, { timeZone: otherDateZone(now) });
  const beans = await createProduct(other.db, far.id, { priceCents: 1_000, inventory: 50 });
  const buyer = await signIn(server, { hubId: far.id });
  await buyer.put("/cart", [beans.line(2)]);
  const { body: quote } = await buyer.post("/checkout/quote", choice);
  const { body: placed } = await buyer.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
  const order = await other.db.order.findUniqueOrThrow({ where: { id: placed.orderId }, include: { delivery: true } });
  server.clock.set(new Date(order.delivery.cutoff_at.getTime() + 1_000).toISOString());
  await runWeek({ now: server.clock.now(), actor: { type: "system", job: "week" }, deps: server.deps });

  const today = otherDate(new Date());
  const early: number[] = [];
  for (const days of [0, 1]) {
    const day = addDays(today, days);
    await other.db.delivery.update({ where: { id: order.delivery_id }, data: { day: new Date(day) } });
    const { err } = await other.run("ledger", "payouts", "--to", day);
    expect(err).toContain(`up to ${day} as paid?`);
    early.push(err.includes("for deliveries after today") ? 1 : 0);
  }
  expect(early).toEqual([0, 1]);
});

test("payouts: the question lists each vendor's amount; amounts that changed since are not booked", async () => {
  const barn = await createVendor(db);
  const ham = await createProduct(db, hub.id, { vendorId: barn.id, priceCents: 900, inventory: 50 });
  await closedOrder([ham.line(2)]);
  const ctx = { now: app.clock.now(), actor: { type: "operator", name: "ada" } as const, deps: app.deps };
  const { paid: listed, totalCents } = await payVendors(ctx, { to: TO, dryRun: true });
  const { err } = await market.run("ledger", "payouts", "--to", TO, "--include-future");
  expect(err.split("\n")).toContain(`${barn.name}: $${dollarsOf(listed.find((due) => due.id === barn.id)!.due_cents)}`);
  expect(err).toContain(`$${dollarsOf(totalCents)} in total.\nBook these amounts`);

  await closedOrder([ham.line(1)]);
  const payouts = () => db.ledger_transaction.count({ where: { kind: "payout" } });
  const before = await payouts();
  await expect(payVendors(ctx, { to: TO, dryRun: false, expected: listed })).rejects.toMatchObject({
    status: 409,
    details: { code: "amounts_changed" },
  });
  expect(await payouts()).toBe(before);
  const { paid: now } = await payVendors(ctx, { to: TO, dryRun: true });
  expect(await payVendors(ctx, { to: TO, dryRun: false, expected: now })).toMatchObject({ paid: now });
  expect(await market.audit()).toEqual([]);
});
