import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { execute, sql, sqlTransaction } from "@marketday/db";
import { buildTestApp } from "@marketday/server/testing/app";
import { CHOICE, createHubNow, createProduct } from "@marketday/server/testing/factories";
import { waitForLock } from "@marketday/server/testing/locks";
import { signIn } from "@marketday/server/testing/sign-in";
import { expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db, dir } = market;

const offline = { PAYMENTS: "offline" };
const hub = await createHubNow(db, { name: "Carmel" });
const eggs = await createProduct(db, hub.id, { title: "Eggs", inventory: 50, priceCents: 700 });
const day = hub.deliveries[0]!.day.toISOString().slice(0, 10);
const file = join(dir, "hubs.geojson");

/** An order of two cartons that is paid at the door. */
async function order(at = hub, product = eggs): Promise<number> {
  const app = await buildTestApp({ url: market.url, now: new Date().toISOString(), env: offline });
  const shopper = await signIn(app, { hubId: at.id });
  await shopper.put("/cart", [product.line(2)]);
  const { card: _card, ...choice } = CHOICE;
  const { body: quote } = await shopper.post("/checkout/quote", choice);
  const placed = await shopper.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  await app.close();
  return placed.body.orderId;
}
/** Imports the hubs as they are, with these closed dates. */
async function importClosures(closures: readonly string[]) {
  expect(await market.run("hubs", "export", file)).toMatchObject({ code: 0 });
  const geo = JSON.parse(readFileSync(file, "utf8"));
  for (const { properties } of geo.features) properties.closures = closures.map((each) => ({ day: each }));
  writeFileSync(file, JSON.stringify(geo));
  return market.run("hubs", "import", file, "--yes");
}

test("hubs import: a closed date that has orders is refused with the command that closes it; `days close` asks, lists, closes and cancels", async () => {
  const id = await order();
  const refused = await importClosures([day]);
  expect(refused.code).toBe(3);
  expect(refused.err).toContain(
    `${day} has 1 order, so it cannot be closed by a file. \`./market days close ${hub.slug} ${day} --cancel\` closes it, cancels and refunds the orders (with --move-to DATE it moves them)`,
  );
  expect(await db.hub_closure.count()).toBe(0);

  const close = ["days", "close", hub.slug, day, "--reason", "snow storm"];
  const alone = await market.run(...close, "--yes");
  expect([alone.code, alone.err]).toEqual([1, expect.stringContaining("has 1 order. With --cancel they are canceled")]);
  const asking = await market.run(...close, "--cancel");
  expect([asking.code, asking.err]).toEqual([2, expect.stringContaining("Say --yes")]);
  const { order_total_cents: total } = await db.order.findUniqueOrThrow({ where: { id } });
  const money = `$${(total / 100).toFixed(2)} less to collect at the door`;
  const planned = await market.run(...close, "--cancel", "--dry-run");
  expect(planned.out).toContain(`Would close Carmel on ${day} and cancel 1 order: ${money}. These would be emailed:`);
  expect(planned.out).toContain("@example.com");
  expect(await db.order.count({ where: { status: "open" } })).toBe(1);

  const done = await market.run(...close, "--cancel", "--yes");
  expect([done.code, done.err]).toEqual([0, ""]);
  expect(done.out).toContain(`Closed Carmel on ${day} and canceled 1 order: ${money}. Emailed:`);
  expect(await db.order.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: "cancelled" });
  expect(await db.mail.count({ where: { template: "order-called-off" } })).toBe(1);
  const again = await market.run(...close, "--cancel", "--yes");
  expect(again).toMatchObject({
    code: 0,
    out: expect.stringContaining("is closed on " + day + " already; nothing was done."),
  });
  expect(await market.audit()).toEqual([]);
  expect(await importClosures([day])).toMatchObject({ code: 0 });
  expect(await db.hub_closure.count()).toBe(1);
});

test("days close --move-to: asks, lists the customers with and without an address, moves the orders and says what vendors bring", async () => {
  const [, second, third] = hub.deliveries.map(({ day: date }) => date.toISOString().slice(0, 10));
  const [id, unreachable] = [await order(), await order()];
  const { delivery_id: delivery } = await db.order.findUniqueOrThrow({ where: { id } });
  expect(delivery).toBe(hub.deliveries[1]!.id);
  await db.order.update({ where: { id: unreachable }, data: { customer_id: null } });
  await db.product.update({ where: { id: eggs.id }, data: { is_published: false } });
  const { customer_id: skipping } = await db.order.findUniqueOrThrow({ where: { id } });
  await db.subscription_skip.create({
    data: { customer_id: skipping!, delivery_id: hub.deliveries[2]!.id, created_at: new Date() },
  });
  const close = ["days", "close", hub.slug, second!, "--reason", "snow storm"];
  expect(await market.run(...close, "--cancel", "--move-to", third!, "--yes")).toMatchObject({
    code: 2,
    err: expect.stringContaining("Say --cancel or --move-to, not both."),
  });
  expect(await market.run(...close, "--move-to", "someday")).toMatchObject({ code: 2 });
  const asking = await market.run(...close, "--move-to", third!);
  expect([asking.code, asking.err]).toEqual([
    2,
    expect.stringContaining(`move 2 orders to ${third} and send the emails`),
  ]);
  const planned = await market.run(...close, "--move-to", third!, "--dry-run");
  expect(planned.out).toContain(`Would close Carmel on ${second} and move 2 orders to ${third}`);
  expect(planned.out).toContain("no address");
  expect(planned.out.match(/skipped the new day/g)).toHaveLength(1);
  expect(planned.out).toContain(`On ${third} vendors bring for the moved orders, on top of that day's stock: `);
  expect(planned.out).toContain("4 units.");
  expect(planned.out).toContain("Not sold at present: Eggs");
  expect(await db.order.count({ where: { delivery_id: delivery, status: { not: "cancelled" } } })).toBe(2);

  const done = await market.run(...close, "--move-to", third!, "--yes");
  expect([done.code, done.err]).toEqual([0, ""]);
  expect(done.out).toContain(`Closed Carmel on ${second} and moved 2 orders to ${third}`);
  expect(await db.order.count({ where: { delivery_id: hub.deliveries[2]!.id } })).toBe(2);
  expect(await db.mail.findMany({ where: { template: "order-moved" } })).toMatchObject([
    { key: `order-moved:${id}:${hub.deliveries[2]!.id}` },
  ]);
  expect(await market.run(...close, "--move-to", third!, "--yes")).toMatchObject({
    code: 0,
    out: expect.stringContaining(`is closed on ${second} already; nothing was done.`),
  });
});

test("days close: an order that is placed after the orders were listed is not canceled, and nothing else is", async () => {
  const west = await createHubNow(db, { name: "West" });
  const milk = await createProduct(db, west.id, { title: "Milk", inventory: 50 });
  const [first, second] = west.deliveries;
  const date = first!.day.toISOString().slice(0, 10);
  const [listed, late] = [await order(west, milk), await order(west, milk)];
  await db.order.update({ where: { id: late }, data: { delivery_id: second!.id } });
  const close = () => market.run("days", "close", west.slug, date, "--cancel", "--reason", "snow storm", "--yes");
  // The list waits for the day. The late order waits behind the list for what closing writes, and closing then behind the order.
  const locked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const holder = sqlTransaction(db, async (tx) => {
    await execute(tx, sql`select id from delivery where id = ${first!.id}::int for update`);
    locked.resolve();
    await gate.promise;
  });
  await locked.promise;
  const closing = close();
  await waitForLock(db, closing);
  const placing = sqlTransaction(db, async (tx) => {
    await execute(tx, sql`lock table hub_closure in share row exclusive mode`);
    await execute(tx, sql`update orders set delivery_id = ${first!.id}::int where id = ${late}::int`);
  });
  await waitForLock(db, placing, 2);
  gate.resolve();
  await Promise.all([holder, placing]);
  expect(await closing).toMatchObject({
    code: 1,
    err: expect.stringContaining("have changed since they were listed. Nothing was done: run it again."),
  });
  const statuses = async () =>
    (await db.order.findMany({ where: { id: { in: [listed, late] } } })).map(({ status }) => status);
  expect(await statuses()).toEqual(["open", "open"]);
  expect(await db.hub_closure.count({ where: { hub_id: west.id } })).toBe(0);
  expect(await close()).toMatchObject({ code: 0, out: expect.stringContaining("canceled 2 orders") });
  expect(await statuses()).toEqual(["cancelled", "cancelled"]);
});

test("days close: an unknown hub, date or day is refused in a sentence", async () => {
  const run = (...args: string[]) => market.run("days", "close", ...args, "--reason", "storm", "--yes");
  expect(await run(hub.slug, "someday")).toMatchObject({ code: 2, err: expect.stringContaining("is not a date") });
  expect(await run(hub.slug, "2020-01-01")).toMatchObject({
    code: 1,
    err: expect.stringContaining("does not deliver on 2020-01-01. Days near it:"),
  });
  expect(await run("nowhere", day)).toMatchObject({ code: 1, err: expect.stringContaining("There is no hub") });
});
