import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { ADDRESS, createCustomer, createHub, createProduct, PASSWORD } from "../../../test/factories.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../../lib/context.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { recordPayment } from "../orders/record-payment.ts";
import { shortOrder } from "../orders/short-order.ts";
import { readSheets } from "./read-sheets.ts";
import { readWeek } from "./read-week.ts";

const market = await buildTestApp({ env: { PAYMENTS: "offline" } });
const { db, deps } = market;
const CUTOFF = "2026-11-25T06:00:00Z";
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "Ada" }, deps });
const tick = (at: string) => {
  market.clock.set(at);
  return runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps });
};
const DOOR = { type: "delivery", deliveryAddress: ADDRESS, tipPercentage: 0 };

async function order(hubId: number, lines: object[]): Promise<number> {
  const row = await createCustomer(db, { hubId, pepper: deps.env.pepper });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: row.email, password: PASSWORD });
  await browser.put("/cart", lines);
  const { orderTotal } = (await browser.post("/checkout/quote", DOOR)).body;
  const { status, body } = await browser.post("/checkout", { ...DOOR, expectedTotal: orderTotal });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.orderId as number;
}
const totalOf = async (id: number) => (await db.order.findUniqueOrThrow({ where: { id } })).order_total_cents;

test("a short pick and a cancelled order after the cutoff make one new version, with what is to collect now", async () => {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { title: "Eggs", inventory: 50, priceCents: 700 });
  // Totes are numbered in the order in which boxes were begun.
  const one = await order(hub.id, [eggs.line(3)]);
  market.clock.set("2026-11-23T17:01:00Z");
  const two = await order(hub.id, [eggs.line(1)]);
  market.clock.set("2026-11-23T17:02:00Z");
  const three = await order(hub.id, [eggs.line(2)]);
  const ask = { hub: hub.slug, day: "2026-11-26" };
  await expect(readSheets(operator(), ask)).rejects.toThrow(/are open until 1AM Wednesday/);
  market.clock.set(CUTOFF);
  await expect(readSheets(operator(), ask)).rejects.toThrow(/was not run/);
  await tick(CUTOFF);
  const first = await readSheets(operator(), ask);
  expect(first).toMatchObject({ isNew: false, changes: [], day: { version: 1 } });
  expect(first.day.boxes.map(({ tote, orderId, dueCents }) => [tote, orderId, dueCents])).toEqual([
    [1, one, await totalOf(one)],
    [2, two, await totalOf(two)],
    [3, three, await totalOf(three)],
  ]);

  const why = { to: "credit", reason: "The hens were shy.", key: null } as const;
  await shortOrder(operator(), one, [{ variantId: eggs.variant.id, quantity: 2 }], why);
  await cancelOrder(operator(), two, why);
  const steps = (await readWeek(operator(), hub.slug)).days[0]!.steps;
  expect(steps.find(({ step }) => step === "sheets")!.state).toBe("due");
  const dry = await readSheets(operator(), { ...ask, dryRun: true });
  expect([dry.isNew, dry.day.version]).toEqual([true, 1]);
  market.clock.set("2026-11-25T14:14:00Z");
  const [second, again] = await Promise.all([readSheets(operator(), ask), readSheets(operator(), ask)]);
  expect(second.isNew).not.toBe(again.isNew);
  expect(second.day).toEqual(again.day);
  expect(second.day.boxes.map(({ tote, orderId, dueCents }) => [tote, orderId, dueCents])).toEqual([
    [1, one, await totalOf(one)],
    [3, three, await totalOf(three)],
  ]);
  const [{ changes }] = second.changes as [(typeof second.changes)[number]];
  expect(
    changes.map(({ tote, kind, lines, due }) => [tote, kind, lines[0]!.before, lines[0]!.after, due.after]),
  ).toEqual([
    [1, "changed", 3, 1, await totalOf(one)],
    [2, "cancelled", 1, 0, 0],
  ]);
  expect(changes[0]!.due.before).toBeGreaterThan(changes[0]!.due.after);

  // What is paid at the door changes nothing on paper that is printed already.
  await recordPayment(operator(), three);
  expect(await readSheets(operator(), ask)).toMatchObject({ isNew: false, day: second.day });
  expect(await market.audit()).toEqual([]);
});

test("what a product becomes after the cutoff is not on the sheets", async () => {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { title: "Eggs", inventory: 50 });
  await order(hub.id, [eggs.line(3)]);
  await tick(CUTOFF);
  const before = await readSheets(operator(), { hub: hub.slug, day: "2026-11-26" });
  await db.product.update({ where: { id: eggs.id }, data: { title: "Duck eggs", storage: "frozen" } });
  await db.vendor.update({ where: { id: eggs.vendor_id }, data: { name: "Somebody else" } });
  await db.hub.update({ where: { id: hub.id }, data: { name: "Renamed" } });
  const after = await readSheets(operator(), { hub: String(hub.id), day: "2026-11-26" });
  expect(after.day).toEqual(before.day);
  expect(after.day.boxes[0]!.lines[0]).toMatchObject({ product: "Eggs", storage: "dry", quantity: 3 });
});
