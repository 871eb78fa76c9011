import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import {
  CHOICE,
  createCustomer,
  createHub,
  createProduct,
  GOOD_CARD,
  PASSWORD,
  type TestHub,
  type TestProduct,
} from "../../../test/factories.ts";
import { runWeek } from "../../jobs/week.ts";
import { resumeAbandoned } from "../checkout/resume-attempt.ts";
import type { Context } from "../identity/context.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { shortOrder } from "../orders/short-order.ts";

const market = await buildTestApp();
const { db, deps } = market;
const MONDAY = "2026-11-23T17:00:00Z";
const BEFORE_CUTOFF = "2026-11-25T05:59:00Z";
const AFTER_CUTOFF = "2026-11-25T06:01:00Z";
const SAVED = { ...CHOICE, savePaymentMethod: true };
const CHALLENGED = { ...SAVED, card: { ...GOOD_CARD, number: "4000002500003155" } };

const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });
/** Runs the week's jobs, and those of checkouts that were left. */
async function tick(at: string) {
  market.clock.set(at);
  const ctx: Context = { now: market.clock.now(), actor: { type: "system", job: "week" }, deps };
  await resumeAbandoned(ctx);
  await runWeek(ctx);
}

async function shopper(hub: TestHub) {
  const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: row.email, password: PASSWORD });
  return browser;
}
type Shopper = Awaited<ReturnType<typeof shopper>>;

/** Eggs with 3 on sale on Monday, and 10 at the beginning of each week after it. */
async function weeklyEggs() {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  await tick(MONDAY);
  const eggs = await createProduct(db, hub.id, { inventory: 3 });
  const offer = { variant_id: eggs.variant.id };
  await db.offer.updateMany({ where: offer, data: { weekly_inventory: 10 } });
  const onSale = async () => (await db.offer.findFirstOrThrow({ where: offer })).inventory;
  return { hub, eggs, onSale };
}
async function checkOut(browser: Shopper, lines: ReturnType<TestProduct["line"]>[], choice: object = SAVED) {
  await browser.put("/cart", lines);
  const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
  return browser.post("/checkout", { ...choice, expectedTotal: orderTotal });
}
const buy = async (...given: Parameters<typeof checkOut>): Promise<number> => {
  const { status, body } = await checkOut(...given);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.orderId;
};
/** A checkout of three eggs that the bank wants confirmed, a minute before the cutoff; the next week has begun. */
async function leftAtTheBank(startsAt = BEFORE_CUTOFF) {
  const { hub, eggs, onSale } = await weeklyEggs();
  const browser = await shopper(hub);
  market.clock.set(startsAt);
  const { status, body } = await checkOut(browser, [eggs.line(3)], CHALLENGED);
  expect(status).toBe(202);
  await tick(AFTER_CUTOFF);
  expect(await onSale()).toBe(10);
  const answer = (approve: boolean) => browser.post(`/checkout/${body.challenge.attemptId}/complete`, { approve });
  return { hub, eggs, onSale, browser, answer };
}

test("units held over the cutoff: never confirmed, they do not come on top of the next week's stock", async () => {
  const { onSale } = await leftAtTheBank();
  await tick("2026-11-25T06:12:00Z");
  expect(await onSale()).toBe(10);
  expect(await db.stock_hold.count()).toBe(0);
  expect(await market.audit()).toEqual([]);
});

test("units held over the cutoff: refused by the bank, they do not come on top of the next week's stock", async () => {
  const { onSale, answer } = await leftAtTheBank();
  market.clock.set("2026-11-25T06:03:00Z");
  expect((await answer(false)).status).toBe(402);
  expect(await onSale()).toBe(10);
  expect(await market.audit()).toEqual([]);
});

test("units held over the cutoff: approved in the minutes of grace, they are in the old week's box", async () => {
  const { onSale, answer } = await leftAtTheBank();
  market.clock.set("2026-11-25T06:05:00Z");
  const { status, body } = await answer(true);
  expect(status).toBe(201);
  expect(await onSale()).toBe(10);
  expect(await market.audit()).toEqual([]);
  // Canceled later, they are the old week's too, although the order was written in the new one.
  await cancelOrder(operator(), body.orderId, { to: "card", reason: "ill", key: null });
  expect(await onSale()).toBe(10);
  expect(await market.audit()).toEqual([]);
});

test("units whose hold was over after the cutoff: approved too late, they are sold in neither week", async () => {
  const { onSale, answer } = await leftAtTheBank("2026-11-25T05:54:00Z");
  await tick("2026-11-25T06:05:00Z");
  expect(await onSale()).toBe(10);
  market.clock.set("2026-11-25T06:06:00Z");
  const { status, body } = await answer(true);
  expect([status, body[1].code]).toEqual([409, "past_cutoff"]);
  expect(await onSale()).toBe(10);
  expect(await market.audit()).toEqual([]);
});

test("a checkout that is begun again in the next week: it takes that week's units, and the first one is over", async () => {
  const { eggs, onSale, browser, answer } = await leftAtTheBank();
  expect((await checkOut(browser, [eggs.line(10)], CHALLENGED)).status).toBe(202);
  expect(await onSale()).toBe(0);
  expect(await market.audit()).toEqual([]);
  market.clock.set("2026-11-25T06:03:00Z");
  expect((await answer(true)).status).toBe(409);
});

test("a checkout that is begun again for more than is left: the first one still holds its units of the old week", async () => {
  const { hub, eggs, onSale, browser, answer } = await leftAtTheBank();
  await browser.put("/cart", [eggs.line(10)]);
  const { orderTotal } = (await browser.post("/checkout/quote", CHALLENGED)).body;
  await buy(await shopper(hub), [eggs.line(9)]);
  const again = await browser.post("/checkout", { ...CHALLENGED, expectedTotal: orderTotal });
  expect([again.status, again.body[1].code]).toEqual([409, "sold_out"]);
  expect(await onSale()).toBe(1);
  expect(await market.audit()).toEqual([]);
  market.clock.set("2026-11-25T06:04:00Z");
  expect((await answer(true)).status).toBe(201);
  expect(await onSale()).toBe(1);
  expect(await market.audit()).toEqual([]);
});

test("an order that is canceled: in its week its units are back on sale, in the next one only when the operator says so", async () => {
  const { hub, eggs, onSale } = await weeklyEggs();
  const browser = await shopper(hub);
  const cancel = (id: number, restock?: boolean) =>
    cancelOrder(operator(), id, { to: "card", reason: "ill", key: null, ...(restock !== undefined && { restock }) });
  await cancel(await buy(browser, [eggs.line(1)]));
  expect(await onSale()).toBe(3);
  const [late, later] = [await buy(browser, [eggs.line(2)]), await buy(await shopper(hub), [eggs.line(1)])];
  await tick(AFTER_CUTOFF);
  await cancel(late);
  expect(await onSale()).toBe(10);
  expect(await market.audit()).toEqual([]);
  await cancel(later, true);
  expect(await onSale()).toBe(11);
  expect(await market.audit()).toEqual([]);
});

test("a box of last week that came short: what is missing is not on sale, and this week's stock stays", async () => {
  const { hub, eggs, onSale } = await weeklyEggs();
  const id = await buy(await shopper(hub), [eggs.line(2)]);
  await tick(AFTER_CUTOFF);
  await buy(await shopper(hub), [eggs.line(2)]);
  const missing = [{ variantId: eggs.variant.id, quantity: 1 }];
  await shortOrder(operator(), id, missing, { to: "card", reason: "broken" });
  expect(await onSale()).toBe(8);
  expect(await market.audit()).toEqual([]);
});

test("a pre-order of last week that the shopper lowers: its units are on sale again only in the week that they were taken from", async () => {
  const { hub, onSale, eggs } = await weeklyEggs();
  await db.variant.update({ where: { id: eggs.variant.id }, data: { pre_order_date: new Date("2026-12-17") } });
  const browser = await shopper(hub);
  const id = await buy(browser, [eggs.line(3)]);
  const lower = (quantity: number) =>
    browser.post("/orders/edit-order", {
      order: { id, items: [{ quantity, product: { variant: { id: eggs.variant.id } } }] },
    });
  expect((await lower(2)).status).toBe(200);
  expect(await onSale()).toBe(1);
  await tick(AFTER_CUTOFF);
  expect((await lower(1)).status).toBe(200);
  expect(await onSale()).toBe(10);
  expect(await market.audit()).toEqual([]);
});

test("an offer with more left than its weekly stock: canceled units of last week do not come on top either", async () => {
  const { hub, eggs, onSale } = await weeklyEggs();
  const id = await buy(await shopper(hub), [eggs.line(3)]);
  await db.$transaction([
    db.offer.updateMany({ where: { variant_id: eggs.variant.id }, data: { inventory: 12, sold_out_at: null } }),
    db.stock_adjustment.create({
      data: {
        amount: 12,
        reason: "counted",
        offer: { connect: { variant_id_hub_id: { variant_id: eggs.variant.id, hub_id: hub.id } } },
      },
    }),
  ]);
  await tick(AFTER_CUTOFF);
  await cancelOrder(operator(), id, { to: "card", reason: "ill", key: null });
  expect(await onSale()).toBe(12);
  expect(await market.audit()).toEqual([]);
});
