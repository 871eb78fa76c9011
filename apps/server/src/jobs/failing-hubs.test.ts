import { isLarge } from "@marketday/db/testing";
import { Minute } from "@marketday/domain/time";
import { describe, expect, test } from "vitest";

import { buildTestApp, type TestMarket } from "../../test/app.ts";
import { CHOICE, createAddress, createHub, createProduct, setCard } from "../../test/factories.ts";
import { sumOfLedger } from "../../test/ledger.ts";
import { refuseWrites } from "../../test/refuse-writes.ts";
import { signIn } from "../../test/sign-in.ts";
import type { Context } from "../modules/identity/context.ts";
import { findFailures } from "../modules/job-failures/failure-sql.ts";
import { runAutoCheckouts } from "./auto-checkout.ts";
import { planDeliveries, runWeek, sendReminders } from "./week.ts";

/** Instants of the first delivery of `createHub`. */
const AUTO = "2026-11-23T18:00:00Z";
const CUTOFF = "2026-11-25T06:00:00Z";
const DAY_BEFORE_CUTOFF = "2026-11-24T06:00:00Z";
const DAY_OVER = "2026-11-27T06:00:00Z";

const contextOf = ({ clock, deps }: TestMarket): Context => ({
  now: clock.now(),
  actor: { type: "system", job: "test" },
  deps,
});

/** A hub with its first delivery, one product with weekly stock, and one shopper. */
async function createShop(market: TestMarket) {
  const hub = await createHub(market.db);
  const eggs = await createProduct(market.db, hub.id, { inventory: 50, priceCents: 700 });
  await market.db.offer.updateMany({ where: { hub_id: hub.id }, data: { weekly_inventory: 60 } });
  return { market, hub, delivery: hub.deliveries[0]!, eggs, browser: await signIn(market, { hubId: hub.id }) };
}
type Shop = Awaited<ReturnType<typeof createShop>>;

async function placeOrder({ browser, eggs }: Shop): Promise<void> {
  await browser.put("/cart", [eggs.line(1)]);
  const { orderTotal } = (await browser.post("/checkout/quote", CHOICE)).body;
  expect((await browser.post("/checkout", { ...CHOICE, expectedTotal: orderTotal })).status).toBe(201);
}
/** Auto-checkout on, with something in the cart. */
async function subscribe({ market: { db }, browser, eggs }: Shop): Promise<void> {
  await createAddress(db, browser.customer.id);
  await setCard(db, browser.customer.id);
  expect((await browser.put("/subscriptions/status", { enabled: true, status: 1 })).status).toBe(200);
  await browser.put("/cart", [eggs.line(1)]);
}
const stateOf = async ({ market: { db }, delivery }: Shop, step: string) =>
  (await db.delivery_run.findUnique({ where: { delivery_id_step: { delivery_id: delivery.id, step } } }))?.state;
const orderOf = ({ market: { db }, browser }: Shop) =>
  db.order.findFirst({ where: { customer_id: browser.customer.id }, include: { payment: true } });
const countMails = ({ market: { db }, browser }: Shop, template: string) =>
  db.mail.count({ where: { template, to_email: browser.customer.email! } });

interface Step {
  /** The job and the subject as `market doctor` names them. */
  job: string;
  subject: (shop: Shop, delivery: string) => string;
  /** Makes the step due for each shop. */
  setUp(market: TestMarket, shops: readonly Shop[]): Promise<unknown>;
  /** The write that Postgres refuses for the bad hub: table, and condition on the row. */
  fault: readonly [table: string, condition: (shop: Shop) => string];
  run(ctx: Context): Promise<unknown>;
  isDone(shop: Shop): Promise<boolean>;
}

const STEPS: Record<string, Step> = {
  "planning of delivery days": {
    job: "deliveries",
    subject: ({ hub }) => `delivery days of ${hub.slug}`,
    setUp: async ({ db }, shops) =>
      db.delivery.deleteMany({ where: { id: { in: shops.map(({ hub }) => hub.deliveries.at(-1)!.id) } } }),
    fault: ["delivery", ({ hub }) => `new.hub_id = ${hub.id}`],
    run: planDeliveries,
    isDone: async ({ market: { db }, hub }) =>
      (await db.delivery.count({ where: { hub_id: hub.id } })) === hub.deliveries.length,
  },
  opening: {
    job: "openings",
    subject: (_, delivery) => `opening of ${delivery}`,
    setUp: async () => undefined,
    fault: ["offer", ({ hub }) => `new.hub_id = ${hub.id}`],
    run: runWeek,
    isDone: async (shop) =>
      (await stateOf(shop, "open")) === "done" &&
      (await shop.market.db.offer.findFirstOrThrow({ where: { hub_id: shop.hub.id } })).inventory === 60,
  },
  "reminder of the auto-checkout": {
    job: "reminders",
    subject: (_, delivery) => `reminder of the auto-checkout of ${delivery}`,
    async setUp(market, shops) {
      await runWeek(contextOf(market));
      for (const shop of shops) await subscribe(shop);
    },
    fault: ["mail", ({ delivery }) => `new.data->>'deliveryId' = '${delivery.id}'`],
    run: sendReminders,
    isDone: async (shop) => (await countMails(shop, "auto-checkout-soon")) === 1,
  },
  "reminder of the cutoff": {
    job: "reminders",
    subject: (_, delivery) => `reminder of the cutoff of ${delivery}`,
    async setUp(market, shops) {
      await runWeek(contextOf(market));
      for (const { browser, eggs } of shops) await browser.put("/cart", [eggs.line(1)]);
      market.clock.set(DAY_BEFORE_CUTOFF);
    },
    fault: ["mail", ({ delivery }) => `new.data->>'deliveryId' = '${delivery.id}'`],
    run: sendReminders,
    isDone: async (shop) => (await countMails(shop, "order-by-soon")) === 1,
  },
  "items back in stock": {
    job: "watched-items",
    subject: ({ hub }) => `items back in stock of ${hub.slug}`,
    async setUp(market, shops) {
      for (const { browser, eggs } of shops) await browser.put("/cart", [eggs.line(1)]);
      await market.db.cart_item.updateMany({ data: { watching: true } });
    },
    fault: ["cart_item", ({ eggs }) => `new.variant_id = ${eggs.variant.id}`],
    run: sendReminders,
    isDone: async (shop) =>
      (await countMails(shop, "back-in-stock")) === 1 &&
      (await shop.market.db.cart_item.count({ where: { variant_id: shop.eggs.variant.id, watching: false } })) === 1,
  },
  "start of the auto-checkout": {
    job: "auto-checkout-runs",
    subject: (_, delivery) => `auto-checkout of ${delivery}`,
    async setUp(market, shops) {
      await runWeek(contextOf(market));
      for (const shop of shops) await subscribe(shop);
      market.clock.set(AUTO);
    },
    fault: ["auto_checkout_result", ({ delivery }) => `new.delivery_id = ${delivery.id}`],
    run: runAutoCheckouts,
    isDone: async (shop) =>
      (await orderOf(shop))?.source === "auto" && (await stateOf(shop, "auto_checkout")) === "done",
  },
  "end of an auto-checkout that was missed": {
    job: "missed-auto-checkouts",
    subject: (_, delivery) => `end of the auto-checkout of ${delivery}`,
    async setUp(market, shops) {
      await runWeek(contextOf(market));
      for (const shop of shops) await subscribe(shop);
      market.clock.set(CUTOFF);
    },
    fault: ["mail", ({ delivery }) => `new.key like 'auto-checkout-missed:${delivery.id}:%'`],
    run: runAutoCheckouts,
    isDone: async (shop) =>
      (await stateOf(shop, "auto_checkout")) === "missed" && (await countMails(shop, "auto-checkout-missed")) === 1,
  },
  cutoff: {
    job: "cutoffs",
    subject: (_, delivery) => `cutoff of ${delivery}`,
    async setUp(market, shops) {
      for (const shop of shops) await placeOrder(shop);
      market.clock.set(CUTOFF);
    },
    fault: [
      "snapshot_box",
      ({ delivery }) => `(select delivery_id from snapshot where id = new.snapshot_id) = ${delivery.id}`,
    ],
    run: runWeek,
    async isDone(shop) {
      const order = await orderOf(shop);
      const snapshot = await shop.market.db.snapshot.findFirst({ where: { delivery_id: shop.delivery.id } });
      return (
        (await stateOf(shop, "cutoff")) === "done" &&
        snapshot?.is_complete === true &&
        order?.status === "pending" &&
        order.payment?.state === "captured"
      );
    },
  },
  closing: {
    job: "closings",
    subject: (_, delivery) => `closing of ${delivery}`,
    async setUp(market, shops) {
      for (const shop of shops) await placeOrder(shop);
      market.clock.set(CUTOFF);
      await runWeek(contextOf(market));
      market.clock.set(DAY_OVER);
    },
    fault: ["orders", ({ delivery }) => `new.delivery_id = ${delivery.id} and new.status = 'closed'`],
    run: runWeek,
    isDone: async (shop) => (await stateOf(shop, "close")) === "done" && (await orderOf(shop))?.status === "closed",
  },
};

/** The small size has each position in three of the steps. */
const cases = Object.entries(STEPS).map(([name, step], index) => ({
  name,
  step,
  positions: isLarge ? [0, 1, 2] : [index % 3],
}));

describe.each(cases)("failing hub: $name", ({ step, positions }) => {
  test.each(positions)(
    "hub %i of three fails: the others are done, it is tried each minute, its reason is shown, and it is done when it works again",
    { tags: ["fail:M3"] },
    async (position) => {
      const market = await buildTestApp();
      const shops = [await createShop(market), await createShop(market), await createShop(market)];
      await step.setUp(market, shops);
      const bad = shops[position]!;
      const [table, condition] = step.fault;
      const repair = await refuseWrites(market.db, table, condition(bad));
      const done = async () => Promise.all(shops.map((shop) => step.isDone(shop)));
      expect(await done()).toEqual([false, false, false]);

      for (let tries = 1; tries <= 4; tries += 1) {
        await step.run(contextOf(market));
        expect(await done()).toEqual(shops.map((shop) => shop !== bad));
        expect(await findFailures(market.db, market.clock.now())).toMatchObject([
          {
            job: step.job,
            subject: step.subject(bad, `delivery ${bad.delivery.id} (2026-11-26 of ${bad.hub.slug})`),
            reason: expect.stringContaining("This row is broken."),
            tries,
          },
        ]);
        market.clock.advance(Minute.ms);
      }

      await repair();
      await step.run(contextOf(market));
      expect(await done()).toEqual([true, true, true]);
      expect(await findFailures(market.db, market.clock.now())).toEqual([]);
      expect(await market.audit()).toEqual([]);
      expect(await sumOfLedger(market.db)).toBe(0);
      await market.close();
    },
  );
});

test(
  "failing hub: a failure stays while another server has the step, and is cleared when the step is done",
  { tags: ["fail:M3"] },
  async () => {
    const market = await buildTestApp();
    const shop = await createShop(market);
    const repair = await refuseWrites(market.db, "offer", `new.hub_id = ${shop.hub.id}`);
    await runWeek(contextOf(market));
    await repair();
    const failed = await findFailures(market.db, market.clock.now());
    expect(failed).toHaveLength(1);

    const run = { delivery_id_step: { delivery_id: shop.delivery.id, step: "open" } };
    market.clock.advance(Minute.ms);
    const lease = new Date(market.clock.now().getTime() + Minute.ms);
    await market.db.delivery_run.update({ where: run, data: { lease_until: lease } });
    await runWeek(contextOf(market));
    expect(await stateOf(shop, "open")).toBe("running");
    expect(await findFailures(market.db, market.clock.now())).toEqual(failed);

    market.clock.advance(Minute.ms);
    await runWeek(contextOf(market));
    expect(await stateOf(shop, "open")).toBe("done");
    expect(await findFailures(market.db, market.clock.now())).toEqual([]);
    await market.close();
  },
);
