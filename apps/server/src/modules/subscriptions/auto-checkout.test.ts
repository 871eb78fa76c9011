import { CheckoutChoice } from "@marketday/contracts/checkout";
import { execute, isUniqueViolation, sql } from "@marketday/db";
import { size } from "@marketday/db/testing";
import { dateFromUtc } from "@marketday/domain/calendar-date";
import { addMs, Minute } from "@marketday/domain/time";
import { beforeEach, describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  ADDRESS,
  CHOICE,
  createAddress,
  createBundle,
  createHub,
  createProduct,
  setCard,
  setInventory,
  type TestHub,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { mailsIn } from "../../../test/mails.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { runWeek } from "../../jobs/week.ts";
import { placeOrder } from "../checkout/place-order.ts";
import { resumeAbandoned } from "../checkout/resume-attempt.ts";
import { grantCredit } from "../gift-cards/grant-credit.ts";
import { asCustomerId } from "../identity/context.ts";
import { findFailures } from "../job-failures/failure-sql.ts";
import { renderMail } from "../mail/layout.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { closeOverdueRuns } from "./miss-auto-checkout.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
const textOf = async ({ template, data }: { template: string; data: unknown }) => {
  const content = await deps.mailTemplates[template]!.content(deps, data as never, market.clock.now());
  return renderMail(content!, deps.env).text;
};
/** Of the delivery on Thursday, November 26, Indianapolis time: auto-checkout and cutoff. */
const RUN = "2026-11-23T18:00:00Z";
const CUTOFF = "2026-11-25T06:00:00Z";
beforeEach(() => market.clock.set(MONDAY));

const context = (at?: string) => {
  if (at) market.clock.set(at);
  return { now: market.clock.now(), actor: { type: "system" as const, job: "auto-checkout" }, deps };
};
const week = (at?: string) => runWeek(context(at));
const auto = (at: string) => runAutoCheckouts(context(at));

const openHub = async (options: Parameters<typeof createHub>[1] = {}) => {
  const hub = await createHub(db, options);
  await week();
  return hub;
};

/** A customer with auto-checkout on, an address and a card, and something in the cart. */
async function regular(
  hub: TestHub,
  lines: object[],
  {
    status = 1,
    card = "4242424242424242",
    address = true,
    tip = 10,
  }: { status?: number; card?: string | null; address?: boolean; tip?: number } = {},
) {
  const who = await signIn(market, { hubId: hub.id });
  const customer_id = who.customer.id;
  if (address) await createAddress(db, customer_id);
  if (card) await setCard(db, customer_id, card);
  await who.put("/subscriptions/tip", { percentage: tip });
  await who.put("/subscriptions/status", { enabled: status !== 0, status });
  if (lines.length > 0) await who.put("/cart", lines);
  return who;
}
type Who = Awaited<ReturnType<typeof regular>>;
const subscribe = (who: Who, product: Awaited<ReturnType<typeof createProduct>>, qty = 1, weeks = 1) =>
  who.post("/subscriptions", {
    productId: product.id,
    variantId: product.variant.id,
    qty,
    subscription_interval: weeks,
  });
const ordersOf = (who: Who) =>
  db.order.findMany({
    where: { customer_id: who.customer.id, status: { not: "cancelled" } },
    include: { items: { orderBy: { id: "asc" } } },
    orderBy: { created_at: "asc" },
  });
const outcomeOf = async (hub: TestHub, who: Who, place = 0) =>
  (
    await db.auto_checkout_result.findUniqueOrThrow({
      where: {
        delivery_id_customer_id: { delivery_id: hub.deliveries[place]!.id, customer_id: who.customer.id },
      },
    })
  ).outcome;
const mailsTo = async (who: Who) =>
  (await db.mail.findMany({ where: { to_email: who.customer.email! }, orderBy: { id: "asc" } })).map(
    (mail) => mail.template,
  );
const runOf = (hub: TestHub, place = 0) =>
  db.delivery_run.findUnique({
    where: { delivery_id_step: { delivery_id: hub.deliveries[place]!.id, step: "auto_checkout" } },
  });
const bannerOf = async (who: Who) =>
  (await who.get("/cart")).body.banners.find(({ id }: { id: string }) => id === "auto-checkout");

describe("what is ordered", () => {
  test(
    "the full cart or only subscribed lines, 36 hours before the cutoff, with address, tip and card of the customer",
    { tags: ["spec:4-11"] },
    async () => {
      const hub = await openHub();
      const [eggs, milk] = [await createProduct(db, hub.id), await createProduct(db, hub.id)];
      const full = await regular(hub, [eggs.line(2)]);
      const subscribed = await regular(hub, [eggs.line(2)], { status: 2, tip: 0 });
      const off = await regular(hub, [eggs.line(1)], { status: 0 });
      const credited = { id: asCustomerId(full.customer.id), email: full.customer.email };
      await grantCredit(context(), credited, { amountCents: 500, reason: "sorry", key: "credit", dryRun: false });
      await subscribe(full, milk);
      await subscribe(subscribed, milk, 3, 2);
      await auto("2026-11-23T17:59:59Z");
      expect(await ordersOf(full)).toEqual([]);
      await auto(RUN);
      const [order] = await ordersOf(full);
      expect(order).toMatchObject({
        source: "auto",
        status: "open",
        tip_percentage: 10,
        address: ADDRESS,
        credit_cents: 0,
      });
      expect(order!.items.map((item) => item.variant_id)).toEqual([eggs.variant.id, milk.variant.id]);
      const [only] = await ordersOf(subscribed);
      expect(only!.items).toMatchObject([{ variant_id: milk.variant.id, quantity: 3, subscription_interval: 2 }]);
      expect((await subscribed.get("/cart")).body.items).toMatchObject([{ quantity: 2 }]);
      expect((await subscribed.get("/subscriptions")).body[0].nextDate).toBe("2026-12-10");
      expect(await ordersOf(off)).toEqual([]);
      await auto("2026-11-23T18:01:00Z");
      expect(await ordersOf(full)).toHaveLength(1);
      expect(await runOf(hub)).toMatchObject({ state: "done", errors: [] });
      expect(await market.audit()).toEqual([]);
    },
  );

  test(
    "it joins an open order of that day as add-ons, without a second delivery fee",
    { tags: ["spec:4-11"] },
    async () => {
      const hub = await openHub();
      const [eggs, milk] = [await createProduct(db, hub.id), await createProduct(db, hub.id)];
      const who = await regular(hub, [eggs.line(1)]);
      const choice = { type: "pickup", pickupPointId: hub.pickup_points[0]!.id, card: CHOICE.card };
      const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
      const { orderId } = (await who.post("/checkout", { ...choice, expectedTotal: orderTotal })).body;
      await who.put("/cart", [milk.line(1)]);
      await auto(RUN);
      const added = (await ordersOf(who)).find(({ source }) => source === "auto");
      expect(added).toMatchObject({ add_on_to_id: orderId, type: "pickup", delivery_fee_cents: 0 });
      expect(await market.audit()).toEqual([]);
    },
  );

  test(
    "the next three boxes are, line by line and cent by cent, what is then ordered",
    { tags: ["spec:4-11", "spec:4-13"] },
    async () => {
      const hub = await openHub();
      const eggs = await createProduct(db, hub.id, { priceCents: 699, inventory: 90 });
      const milk = await createProduct(db, hub.id, { priceCents: 433, salePriceCents: 399, inventory: 90 });
      const jam = await createProduct(db, hub.id, { priceCents: 875, inventory: 90 });
      const pie = await createProduct(db, hub.id, { priceCents: 2150, preOrderDate: "2026-12-02" });
      const who = await regular(hub, [jam.line(3), pie.line(1)]);
      await subscribe(who, eggs, 2, 1);
      await subscribe(who, milk, 1, 2);
      const boxes = (await who.get("/subscriptions/next-boxes")).body;
      expect(
        boxes.map((box: any) => box.lines.map((line: any) => [line.variantId, line.quantity, line.reason])),
      ).toEqual([
        [
          [jam.variant.id, 3, "cart"],
          [eggs.variant.id, 2, "subscription"],
          [milk.variant.id, 1, "subscription"],
        ],
        [
          [eggs.variant.id, 2, "subscription"],
          [pie.variant.id, 1, "cart"],
        ],
        [
          [eggs.variant.id, 2, "subscription"],
          [milk.variant.id, 1, "subscription"],
        ],
      ]);
      const instants = [RUN, "2026-11-30T18:00:00Z", "2026-12-07T18:00:00Z"];
      for (const [place, at] of instants.entries()) {
        if (place > 0) await week(new Date(hub.deliveries[place - 1]!.cutoff_at).toISOString());
        await auto(at);
        const order = (await ordersOf(who)).at(-1)!;
        const box = boxes[place];
        expect(order.delivery_id).toBe(hub.deliveries[place]!.id);
        const bought = order.items.map((item) => [item.variant_id, item.quantity, item.unit_price_cents]);
        const shown = box.lines.map((line: any) => [line.variantId, line.quantity, Math.round(line.price * 100)]);
        const byVariant = ([a]: number[], [b]: number[]) => a! - b!;
        expect(bought.toSorted(byVariant)).toEqual(shown.toSorted(byVariant));
        const asShown = [box.orderTotal, box.subtotal, box.tip, box.fees, box.tax].map((one) => Math.round(one * 100));
        const fees = order.card_fee_cents + order.delivery_fee_cents;
        const items = order.items_cents - order.discount_cents;
        expect([order.order_total_cents, items, order.tip_cents, fees, order.tax_cents]).toEqual(asShown);
        const [first] = (await who.get("/subscriptions/next-boxes")).body;
        expect(first).toMatchObject({ state: "ordered", orderIds: [order.id], lines: [] });
      }
      expect(await market.audit()).toEqual([]);
    },
  );

  test("auto-checkout: a customer who ordered by hand and has nothing more in the cart gets no other order and no email", async () => {
    const hub = await openHub();
    const who = await regular(hub, [(await createProduct(db, hub.id)).line(1)]);
    const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
    expect((await who.post("/checkout", { ...CHOICE, expectedTotal: orderTotal })).status).toBe(201);
    await auto(RUN);
    expect([await outcomeOf(hub, who), await mailsTo(who), await bannerOf(who)]).toEqual([
      "already",
      ["order-confirmation"],
      undefined,
    ]);
    expect(await ordersOf(who)).toMatchObject([{ source: "checkout" }]);
  });

  test("reminder of auto-checkout: dropped when it is sent late, and when the day was skipped or auto-checkout turned off since", async () => {
    const hub = await openHub();
    const who = await regular(hub, [(await createProduct(db, hub.id)).line(1)]);
    const contentAt = (at: string) => {
      const data = { deliveryId: hub.deliveries[0]!.id, customerId: who.customer.id };
      return deps.mailTemplates["auto-checkout-soon"]!.content(deps, data, new Date(at));
    };
    const early = "2026-11-22T18:00:00Z";
    expect(await contentAt(early)).not.toBeNull();
    expect([await contentAt("2026-11-23T17:59:59.999Z"), await contentAt(RUN)]).toEqual([expect.anything(), null]);
    await who.post("/subscriptions/skip", { deliveryDate: "2026-11-26" });
    expect(await contentAt(early)).toBeNull();
    await who.post("/subscriptions/skip", { deliveryDate: "2026-11-26", skip: false });
    await who.put("/subscriptions/status", { enabled: false, status: 0 });
    expect(await contentAt(early)).toBeNull();
  });

  test("a skipped delivery is neither shown nor ordered", async () => {
    const hub = await openHub();
    const who = await regular(hub, [(await createProduct(db, hub.id)).line(1)]);
    await who.post("/subscriptions/skip", { deliveryDate: "2026-11-26" });
    const [box] = (await who.get("/subscriptions/next-boxes")).body;
    expect(box).toMatchObject({ state: "skipped", isSkipped: true, lines: [], orderTotal: 0 });
    await auto(RUN);
    expect([await outcomeOf(hub, who), await ordersOf(who), await bannerOf(who)]).toEqual(["skipped", [], undefined]);
  });
});

describe("failures", () => {
  test(
    "a sale that ends in between: the price of that hour is charged, the mail shows it, and 36 hours are left to lower or cancel",
    { tags: ["fail:K12"] },
    async () => {
      const hub = await openHub();
      const cheese = await createProduct(db, hub.id, { title: "Sale Cheese", priceCents: 900, salePriceCents: 600 });
      const who = await regular(hub, [cheese.line(2)], { tip: 0 });
      expect((await who.get("/cart")).body.subtotal).toBe(12);
      await db.offer.updateMany({ where: { variant_id: cheese.variant.id }, data: { sale_price_cents: null } });
      await market.waitForNotifications();
      expect((await who.get("/cart")).body.banners).toMatchObject([{ title: "Sale Cheese, Each is now $9.00." }]);
      await auto(RUN);
      const [order] = await ordersOf(who);
      // 18.00, tax 7 % 1.26, card 3 % + 0.30 = 0.84, delivery 8.95
      expect(order).toMatchObject({ items_cents: 1800, order_total_cents: 2905 });
      expect(order!.items).toMatchObject([{ unit_price_cents: 900, sale_price_cents: null, quantity: 2 }]);
      const charge = await db.payment.findUniqueOrThrow({ where: { id: order!.payment_id! } });
      expect(charge).toMatchObject({ state: "authorized", amount_cents: 2905 });
      await sendDueMail(deps);
      const mail = await db.mail.findUniqueOrThrow({ where: { key: `order-confirmation:${order!.id}` } });
      expect(mail.sent_at).not.toBeNull();
      const text = (await mailsIn(market.dataDir)).find((one) => one.text?.includes(String(order!.id)))?.text;
      expect(text).toContain("Sale Cheese");
      expect(text).toContain("$18.00");
      expect(text).toContain("$29.05");

      market.clock.set("2026-11-25T05:59:59Z");
      const body = (quantity: number) => ({
        order: {
          id: order!.id,
          items: quantity === 0 ? [] : [{ quantity, product: { variant: { id: cheese.variant.id } } }],
        },
      });
      expect((await who.post("/orders/edit-order", body(1))).body).toMatchObject({ orderTotal: 19.15 });
      expect((await who.post("/orders/edit-order", body(0))).body).toEqual({ deleted: true });
      expect(await market.audit()).toEqual([]);
    },
  );

  test(
    "short stock: what is left is ordered, the rest is watched and listed in the email",
    { tags: ["fail:C15"] },
    async () => {
      const hub = await openHub();
      const [eggs, milk] = [
        await createProduct(db, hub.id, { title: "Eggs", inventory: 5 }),
        await createProduct(db, hub.id, { title: "Milk" }),
      ];
      const who = await regular(hub, [eggs.line(5), milk.line(2)]);
      const none = await regular(hub, [milk.line(1)]);
      await setInventory(db, eggs.variant.id, hub.id, 3);
      await setInventory(db, milk.variant.id, hub.id, 0);
      await auto(RUN);
      const [order] = await ordersOf(who);
      expect(order!.items).toMatchObject([{ variant_id: eggs.variant.id, quantity: 3 }]);
      const { items } = (await who.get("/cart")).body;
      expect(items.map((item: any) => [item.product.variant.id, item.quantity, item.watching])).toEqual([
        [eggs.variant.id, 2, true],
        [milk.variant.id, 2, true],
      ]);
      const mail = await db.mail.findFirstOrThrow({
        where: { to_email: who.customer.email!, template: "auto-checkout-short" },
      });
      const text = await textOf(mail);
      expect(text).toContain("3 × Eggs");
      expect(text).toMatch(/sold out[^]*2 × Eggs[^]*2 × Milk/);
      expect([await outcomeOf(hub, none), await ordersOf(none)]).toEqual(["nothing", []]);
      expect(await db.payment.count({ where: { customer_id: none.customer.id } })).toBe(0);
      expect(await mailsTo(none)).toEqual(["auto-checkout-failed"]);
      expect(await market.audit()).toEqual([]);
    },
  );

  test("short stock: of an item in a bundle and alone the missing units are counted once, one that was watched before is not missing", async () => {
    const hub = await openHub();
    const [eggs, bread, jam] = [
      await createProduct(db, hub.id),
      await createProduct(db, hub.id),
      await createProduct(db, hub.id),
    ];
    const bundle = await createBundle(db, [hub.id], { items: [{ product: eggs, quantity: 2 }] });
    const short = await regular(hub, [eggs.line(2), { ...eggs.line(2), fromBundleId: bundle.id }]);
    const watching = await regular(hub, [bread.line(1), jam.line(2)]);
    await setInventory(db, eggs.variant.id, hub.id, 3);
    await setInventory(db, jam.variant.id, hub.id, 0);
    await db.cart_item.updateMany({ where: { variant_id: jam.variant.id }, data: { watching: true } });
    await auto(RUN);
    expect([await outcomeOf(hub, short), await outcomeOf(hub, watching)]).toEqual(["short", "placed"]);
    const { data } = await db.mail.findFirstOrThrow({
      where: { to_email: short.customer.email!, template: "auto-checkout-short" },
    });
    const units = (lines: { quantity: number }[]) => lines.reduce((sum, { quantity }) => sum + quantity, 0);
    const { ordered, missing } = data as Record<"ordered" | "missing", { quantity: number }[]>;
    expect([units(ordered), units(missing)]).toEqual([3, 1]);
    expect(await market.audit()).toEqual([]);
  });

  test(
    "a declined card: no order, stock back, mail and banner, one more try each six hours with a new key",
    { tags: ["fail:C14"] },
    async () => {
      const hub = await openHub();
      const eggs = await createProduct(db, hub.id, { inventory: 4 });
      const who = await regular(hub, [eggs.line(2)], { card: "4000000000000002" });
      const stock = async () => (await db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } })).inventory;
      await auto(RUN);
      await auto("2026-11-23T23:59:00Z");
      expect([await ordersOf(who), await stock(), await mailsTo(who)]).toEqual([[], 4, ["auto-checkout-failed"]]);
      expect(await bannerOf(who)).toMatchObject({ type: "warning", action: null });
      expect((await bannerOf(who)).body).toMatch(/card was declined.*by 1AM Wednesday/);
      const keys = () =>
        db.checkout_attempt.findMany({ where: { customer_id: who.customer.id }, select: { idempotency_key: true } });
      expect(await keys()).toHaveLength(1);
      await auto("2026-11-24T00:00:00Z");
      expect(new Set((await keys()).map((row) => row.idempotency_key)).size).toBe(2);
      expect(await mailsTo(who)).toEqual(["auto-checkout-failed"]);
      await setCard(db, who.customer.id, "4242424242424242");
      await auto("2026-11-24T06:00:00Z");
      expect(await ordersOf(who)).toHaveLength(1);
      expect([await outcomeOf(hub, who), await bannerOf(who)]).toEqual(["placed", undefined]);
      expect(await runOf(hub)).toMatchObject({ state: "done" });
      expect(await market.audit()).toEqual([]);
    },
  );

  test("no address here, no card or money, a bank that requires a challenge: an email each, and the run is done at the cutoff", async () => {
    const hub = await openHub();
    const eggs = await createProduct(db, hub.id, { inventory: 50 });
    const homeless = await regular(hub, [eggs.line(1)], { address: false });
    const away = await regular(hub, [eggs.line(1)]);
    await db.address.updateMany({ where: { customer_id: away.customer.id }, data: { zip_code: "90210" } });
    const cardless = await regular(hub, [eggs.line(1)], { card: null });
    const poor = await regular(hub, [eggs.line(1)], { card: "4000000000009995" });
    const challenged = await regular(hub, [eggs.line(1)], { card: "4000002500003155" });
    const empty = await regular(hub, []);
    const notDue = await regular(hub, [eggs.line(1)], { status: 2 });
    await auto(RUN);
    const manyShoppers = [homeless, away, cardless, poor, challenged, empty, notDue];
    const expected = ["no_address", "not_served", "no_card", "declined", "unconfirmed", "nothing", "not_due"];
    expect(await Promise.all(manyShoppers.map((who) => outcomeOf(hub, who)))).toEqual(expected);
    for (const who of manyShoppers) {
      const isNotified = who !== notDue;
      expect(await ordersOf(who)).toEqual([]);
      expect((await bannerOf(who)) !== undefined).toBe(isNotified);
      const mails = await db.mail.findMany({ where: { to_email: who.customer.email! } });
      for (const mail of mails) expect(await textOf(mail)).toContain("1AM Wednesday");
      expect(mails).toHaveLength(isNotified ? 1 : 0);
    }
    await auto("2026-11-25T05:59:59Z");
    await auto(CUTOFF);
    expect(await runOf(hub)).toMatchObject({ state: "done" });
    expect(await db.order.count({ where: { hub_id: hub.id } })).toBe(0);
    expect(await market.audit()).toEqual([]);
  });

  test(
    "one cart that throws is tried three times, after one and two minutes, then its customer gets an email; all others are ordered",
    { tags: ["fail:C18"] },
    async () => {
      const hub = await openHub();
      const eggs = await createProduct(db, hub.id, { inventory: 5000 });
      const manyShoppers: Who[] = [];
      // One after the other: too many logins at once are refused.
      for (let n = 0; n < size(10, 1000); n += 1) manyShoppers.push(await regular(hub, [eggs.line(1)]));
      const [bad, ...others] = manyShoppers as [Who, ...Who[]];
      await db.customer.update({ where: { id: bad.customer.id }, data: { default_tip: 5 } });
      const real = deps.payments.authorize;
      let tries = 0;
      const poisonous: typeof real = async (request) => {
        const poisoned = await db.checkout_attempt.count({ where: { id: request.key, customer_id: bad.customer.id } });
        if (poisoned === 0) return real(request);
        tries += 1;
        throw new TypeError("a poisoned cart");
      };
      deps.payments.authorize = poisonous;
      try {
        for (const [at, expected] of [
          [RUN, 1],
          ["2026-11-23T18:00:59.999Z", 1],
          ["2026-11-23T18:01:00Z", 2],
          ["2026-11-23T18:02:59.999Z", 2],
          ["2026-11-23T18:03:00Z", 3],
          ["2026-11-23T18:10:00Z", 3],
        ] as const) {
          await auto(at);
          expect([at, tries]).toEqual([at, expected]);
          await resumeAbandoned(context());
        }
      } finally {
        deps.payments.authorize = real;
      }
      for (const who of others) expect(await ordersOf(who)).toHaveLength(1);
      expect([await ordersOf(bad), await outcomeOf(hub, bad)]).toEqual([[], "failed"]);
      expect(await market.audit()).toEqual([]);
      // As after a declined card, one more try each six hours, and one mail.
      deps.payments.authorize = poisonous;
      await auto("2026-11-24T00:04:00Z");
      deps.payments.authorize = real;
      await resumeAbandoned(context());
      expect([tries, await mailsTo(bad)]).toEqual([4, ["auto-checkout-failed"]]);
      await auto(CUTOFF);
      expect(await outcomeOf(hub, bad)).toBe("failed");
      expect(await runOf(hub)).toMatchObject({
        state: "done_with_errors",
        errors: [`customer ${bad.customer.id}: a poisoned cart`],
      });
      expect([await ordersOf(bad), await mailsTo(bad)]).toEqual([[], ["auto-checkout-failed"]]);
      // A charge that the provider never received is looked up during a day.
      await resumeAbandoned(context());
      expect(await market.audit()).toEqual([]);
    },
  );
});

describe("time and concurrency", () => {
  test.each(["2026-11-23T18:10:00Z", "2026-11-23T23:00:00Z", "2026-11-25T05:00:00Z"])(
    "a late run is caught up while the cutoff is ahead (%s)",
    { tags: ["fail:C5"] },
    async (at) => {
      const hub = await openHub();
      const who = await regular(hub, [(await createProduct(db, hub.id)).line(1)]);
      await auto(at);
      expect(await ordersOf(who)).toHaveLength(1);
      expect(await market.audit()).toEqual([]);
    },
  );

  test("auto-checkout: waits while another server opens the cycle", async () => {
    const hub = await openHub();
    const who = await regular(hub, [(await createProduct(db, hub.id)).line(1)]);
    const opening = { delivery_id: hub.deliveries[0]!.id, step: "open" };
    const setState = (state: string, lease: string) =>
      db.delivery_run.update({ where: { delivery_id_step: opening }, data: { state, lease_until: new Date(lease) } });
    await setState("running", "2026-11-23T18:10:00Z");
    await auto(RUN);
    expect([await ordersOf(who), await runOf(hub)]).toEqual([[], null]);
    await setState("done", RUN);
    await auto("2026-11-23T18:01:00Z");
    expect(await ordersOf(who)).toHaveLength(1);
  });

  test("after the cutoff the run is missed: no order, an email", { tags: ["fail:C5", "fail:V8"] }, async () => {
    const hub = await openHub();
    const eggs = await createProduct(db, hub.id);
    const who = await regular(hub, [eggs.line(1)]);
    const idle = await regular(hub, []);
    const nothingSubscribed = await regular(hub, [eggs.line(1)], { status: 2 });
    const off = await regular(hub, [eggs.line(1)], { status: 0 });
    const skipping = await regular(hub, [eggs.line(1)]);
    await skipping.post("/subscriptions/skip", { deliveryDate: "2026-11-26" });
    const byHand = await regular(hub, [eggs.line(1)]);
    const { orderTotal } = (await byHand.post("/checkout/quote", CHOICE)).body;
    expect((await byHand.post("/checkout", { ...CHOICE, expectedTotal: orderTotal })).status).toBe(201);
    await byHand.put("/cart", [eggs.line(1)]);
    await auto(CUTOFF);
    await auto("2026-11-25T06:05:00Z");
    expect([await ordersOf(who), await runOf(hub)]).toMatchObject([[], { state: "missed" }]);
    const mails = [who, idle, nothingSubscribed, off, skipping, byHand].map(mailsTo);
    expect(await Promise.all(mails)).toEqual([["auto-checkout-missed"], [], [], [], [], ["order-confirmation"]]);
    const mail = await db.mail.findFirstOrThrow({ where: { to_email: who.customer.email! } });
    expect(await textOf(mail)).toContain("Thursday, November 26");
    expect(await market.audit()).toEqual([]);
  });

  test(
    "after the first cutoff of a hub whose jobs never ran: nothing was missed, no email",
    { tags: ["fail:C5"] },
    async () => {
      const hub = await createHub(db);
      const who = await regular(hub, [(await createProduct(db, hub.id)).line(1)]);
      await auto(CUTOFF);
      expect([await runOf(hub), await ordersOf(who), await mailsTo(who)]).toEqual([null, [], []]);
    },
  );

  test(
    "after the first cutoff of a hub whose jobs ran only since its auto-checkout: nothing was missed, no email",
    { tags: ["fail:C5"] },
    async () => {
      const hub = await createHub(db);
      const who = await regular(hub, [(await createProduct(db, hub.id)).line(1)]);
      await week("2026-11-23T18:00:01Z");
      const steps = await db.delivery_run.findMany({ where: { delivery: { hub_id: hub.id } } });
      expect(steps.length).toBeGreaterThan(0);
      await auto(CUTOFF);
      expect([await runOf(hub), await ordersOf(who), await mailsTo(who)]).toEqual([null, [], []]);
    },
  );

  test(
    "after an outage of several weeks: one email about the latest missed day, not one for each",
    { tags: ["fail:C5"] },
    async () => {
      const hub = await openHub();
      const who = await regular(hub, [(await createProduct(db, hub.id)).line(1)]);
      expect(hub.deliveries.length).toBeGreaterThan(2);
      const [, , third] = hub.deliveries;
      await auto(addMs(third!.cutoff_at, Minute.ms).toISOString());
      const missed = await db.delivery_run.count({
        where: { delivery: { hub_id: hub.id }, step: "auto_checkout", state: "missed" },
      });
      expect(missed).toBeGreaterThan(1);
      expect(await mailsTo(who)).toEqual(["auto-checkout-missed"]);
      const mail = await db.mail.findFirstOrThrow({ where: { to_email: who.customer.email! } });
      expect(mail.data).toMatchObject({ day: dateFromUtc(third!.day) });
    },
  );

  test("several runs at once: each cart is ordered exactly once", { tags: ["fail:C1", "fail:V2"] }, async () => {
    const hub = await openHub();
    const eggs = await createProduct(db, hub.id, { inventory: 5000 });
    const manyShoppers: Who[] = [];
    for (let n = 0; n < size(30, 300, 100); n += 1) manyShoppers.push(await regular(hub, [eggs.line(1)]));
    await Promise.all(Array.from({ length: 3 }, () => auto(RUN)));
    for (const who of manyShoppers) expect(await ordersOf(who)).toHaveLength(1);
    expect(await db.order.count({ where: { hub_id: hub.id } })).toBe(manyShoppers.length);
    expect(
      await db.test_charge.count({ where: { state: "authorized", amount_cents: { gt: 0 } } }),
    ).toBeGreaterThanOrEqual(manyShoppers.length);
    expect(await market.audit()).toEqual([]);
  });

  test.each(["auto:claimed", "checkout:held", "checkout:paid", "checkout:before-commit", "auto:ordered"])(
    "a run that dies at %s is finished by another, each cart once",
    { tags: ["fail:C6"] },
    async (point) => {
      const hub = await openHub();
      const eggs = await createProduct(db, hub.id, { inventory: 100 });
      const manyShoppers: Who[] = [];
      for (let n = 0; n < 4; n += 1) manyShoppers.push(await regular(hub, [eggs.line(1)]));
      points.plan[point] = "throw";
      await auto(RUN);
      delete points.plan[point];
      for (const at of ["2026-11-23T18:02:00Z", "2026-11-23T18:04:00Z"]) {
        await resumeAbandoned(context(at));
        await auto(at);
      }
      for (const who of manyShoppers) expect(await ordersOf(who)).toHaveLength(1);
      expect(await runOf(hub)).toMatchObject({ state: "done" });
      expect(await market.audit()).toEqual([]);
    },
  );

  test(
    "turned off at the instant of the run, before the cart is locked: nothing is ordered",
    { tags: ["fail:C12"] },
    async () => {
      const hub = await openHub();
      const who = await regular(hub, [(await createProduct(db, hub.id)).line(1)]);
      points.passed.length = 0;
      const off = Promise.withResolvers<void>();
      points.plan["checkout:start"] = { until: off.promise };
      const reached = points.reached("checkout:start");
      const run = auto(RUN);
      await reached;
      await who.put("/subscriptions/status", { enabled: false, status: 0 });
      delete points.plan["checkout:start"];
      off.resolve();
      await run;
      expect([await ordersOf(who), await outcomeOf(hub, who), await mailsTo(who)]).toEqual([[], "off", []]);
      expect(await market.audit()).toEqual([]);
    },
  );

  test(
    "turned off, or the cart changed, after the cart is locked: the order is placed as it was",
    { tags: ["fail:C12"] },
    async () => {
      const hub = await openHub();
      const eggs = await createProduct(db, hub.id);
      const who = await regular(hub, [eggs.line(2)]);
      points.passed.length = 0;
      const resumed = Promise.withResolvers<void>();
      points.plan["checkout:holding"] = { until: resumed.promise };
      const reached = points.reached("checkout:holding");
      const run = auto(RUN);
      await reached;
      // The cart's row is locked: the change waits for the checkout.
      const changed = who.put("/cart", [eggs.line(5)]);
      expect((await who.put("/subscriptions/status", { enabled: false, status: 0 })).status).toBe(200);
      delete points.plan["checkout:holding"];
      resumed.resolve();
      await run;
      expect((await changed).status).toBe(200);
      const [order, ...more] = await ordersOf(who);
      expect([order!.items.map(({ quantity }) => quantity), more]).toEqual([[2], []]);
      expect(await outcomeOf(hub, who)).toBe("placed");
      expect(await market.audit()).toEqual([]);
    },
  );

  test.each([
    ["4242424242424242", "placed", "order-confirmation"],
    ["4000000000000002", "declined", "auto-checkout-failed"],
  ])(
    "a worker that continues after its job was taken over changes nothing (card %s: %s)",
    { tags: ["fail:C7"] },
    async (card, outcome, mail) => {
      const hub = await openHub();
      const who = await regular(hub, [(await createProduct(db, hub.id)).line(1)], { card: "4000000000000002" });
      points.passed.length = 0;
      const woken = Promise.withResolvers<void>();
      points.plan["auto:ordered"] = { until: woken.promise };
      const reached = points.reached("auto:ordered");
      const zombie = auto(RUN);
      await reached;
      delete points.plan["auto:ordered"];
      if (card !== "4000000000000002") await setCard(db, who.customer.id, card);
      await auto("2026-11-23T18:10:00Z");
      const results = () => db.auto_checkout_result.findMany({ where: { customer_id: who.customer.id } });
      const before = [await results(), await ordersOf(who)];
      expect(before).toMatchObject([[{ outcome, tries: 1 }], outcome === "placed" ? [{ source: "auto" }] : []]);
      woken.resolve();
      await zombie;
      expect([[await results(), await ordersOf(who)], await mailsTo(who)]).toEqual([before, [mail]]);
      expect(await market.audit()).toEqual([]);
    },
  );

  test(
    "auto-checkout: a worker that pauses before it orders, until its job was taken over, places no second order",
    { tags: ["fail:C7"] },
    async () => {
      const hub = await openHub();
      const eggs = await createProduct(db, hub.id, { inventory: 50 });
      const who = await regular(hub, [eggs.line(1)]);
      points.passed.length = 0;
      const woken = Promise.withResolvers<void>();
      points.plan["checkout:start"] = { until: woken.promise };
      const reached = points.reached("checkout:start");
      const zombie = auto(RUN);
      await reached;
      delete points.plan["checkout:start"];
      await auto("2026-11-23T18:10:00Z");
      await who.put("/cart", [eggs.line(3)]);
      woken.resolve();
      await zombie;
      const orders = await ordersOf(who);
      expect(orders.map(({ items }) => items.map(({ quantity }) => quantity))).toEqual([[1]]);
      expect((await who.get("/cart")).body.items).toMatchObject([{ quantity: 3 }]);
      expect([await outcomeOf(hub, who), await mailsTo(who)]).toEqual(["placed", ["order-confirmation"]]);
      expect(await market.audit()).toEqual([]);
    },
  );

  test(
    "auto-checkout: two workers with one idempotency key place one order, even when nothing else refuses the second",
    { tags: ["fail:C7"] },
    async () => {
      const hub = await openHub();
      const eggs = await createProduct(db, hub.id, { inventory: 50 });
      const who = await regular(hub, [eggs.line(1)]);
      const place = () =>
        placeOrder(context(), asCustomerId(who.customer.id), hub.id, {
          source: "auto",
          expectedTotal: null,
          expectedDay: null,
          idempotencyKey: `auto-checkout 0:${who.customer.id}:1`,
          decide: async (_tx, { facts }) => ({
            choice: CheckoutChoice.parse({
              ...CHOICE,
              card: undefined,
              paymentMethodId: facts.payment_methods[0]!.id,
            }),
            filter: () => true,
          }),
        });
      points.passed.length = 0;
      const woken = Promise.withResolvers<void>();
      points.plan["checkout:start"] = { until: woken.promise };
      const reached = points.reached("checkout:start");
      const zombie = place().catch((error: unknown) => error);
      await reached;
      delete points.plan["checkout:start"];
      expect((await place()).kind).toBe("placed");
      // The cart is filled again, so there is something that the paused worker could order.
      await who.put("/cart", [eggs.line(1)]);
      woken.resolve();
      expect(isUniqueViolation(await zombie, "checkout_attempt_key_once_key")).toBe(true);
      expect(await ordersOf(who)).toHaveLength(1);
      expect(await market.audit()).toEqual([]);
    },
  );

  test(
    "auto-checkout: a job whose worker died three times is a dead letter that operators see, and is tried again",
    { tags: ["fail:C6"] },
    async () => {
      const hub = await openHub();
      const who = await regular(hub, [(await createProduct(db, hub.id)).line(1)]);
      const failures = async () =>
        (await findFailures(db, market.clock.now())).filter(({ subject }) =>
          subject.startsWith(`customer ${who.customer.id} `),
        );
      points.plan["auto:claimed"] = "throw";
      for (const at of [RUN, "2026-11-23T18:02:00Z", "2026-11-23T18:04:00Z"]) {
        await auto(at);
        expect(await failures()).toEqual([]);
      }
      await auto("2026-11-23T18:06:00Z");
      expect(await failures()).toMatchObject([
        { job: "auto-checkout", reason: "The server stopped during the try.", tries: 3 },
      ]);
      delete points.plan["auto:claimed"];
      await auto("2026-11-23T18:08:00Z");
      expect([await ordersOf(who), await failures()]).toMatchObject([[{ source: "auto" }], []]);
      expect(await market.audit()).toEqual([]);
    },
  );

  test("auto-checkout: customers whose jobs were lost are enqueued again", async () => {
    const hub = await openHub();
    const eggs = await createProduct(db, hub.id);
    const who = await regular(hub, [eggs.line(1)], { card: "4000000000000002" });
    await auto(RUN);
    // As after a restored backup, which leaves the queues out.
    await execute(db, sql`delete from pgboss.job`);
    await setCard(db, who.customer.id, "4242424242424242");
    await auto("2026-11-23T18:01:00Z");
    expect([await ordersOf(who), await outcomeOf(hub, who)]).toMatchObject([[{ source: "auto" }], "placed"]);
  });

  test(
    "auto-checkout: customers of a run that a server of the version before marked done are still tried",
    { tags: ["fail:D12"] },
    async () => {
      const hub = await openHub();
      const eggs = await createProduct(db, hub.id, { inventory: 50 });
      const who = await regular(hub, [eggs.line(1)], { card: "4000000000000002" });
      await auto(RUN);
      // It knows no results, only its claims, of which this run has none.
      await db.delivery_run.updateMany({
        where: { delivery_id: hub.deliveries[0]!.id, step: "auto_checkout" },
        data: { state: "done" },
      });
      await setCard(db, who.customer.id, "4242424242424242");
      await auto("2026-11-24T00:00:00Z");
      expect([await ordersOf(who), await outcomeOf(hub, who)]).toMatchObject([[{ source: "auto" }], "placed"]);
    },
  );

  test("the shopper checks out at the same moment: one order", { tags: ["fail:C11"] }, async () => {
    for (let round = 0; round < size(4, 200); round += 1) {
      market.clock.set(MONDAY);
      const hub = await openHub();
      const who = await regular(hub, [(await createProduct(db, hub.id)).line(1)]);
      const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
      market.clock.set(RUN);
      const [answer] = await Promise.all([who.post("/checkout", { ...CHOICE, expectedTotal: orderTotal }), auto(RUN)]);
      const [order, ...more] = await ordersOf(who);
      expect(more).toEqual([]);
      expect(answer.status === 201 ? "checkout" : "auto").toBe(order!.source);
      if (answer.status !== 201) expect([answer.status, answer.body[1].code]).toEqual([409, "cart_empty"]);
      expect(await mailsTo(who)).toEqual(["order-confirmation"]);
    }
    expect(await market.audit()).toEqual([]);
  });
});

test(
  "auto-checkout: a checkout that waits for the bank is not replaced: the shopper completes it, and nothing is ordered twice",
  { tags: ["fail:C11"] },
  async () => {
    const hub = await openHub();
    const who = await regular(hub, [(await createProduct(db, hub.id)).line(1)]);
    market.clock.set("2026-11-23T17:59:00Z");
    const choice = { ...CHOICE, card: { ...CHOICE.card, number: "4000002500003155" } };
    const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
    const response = await who.post("/checkout", { ...choice, expectedTotal: orderTotal });
    expect(response.status).toBe(202);
    await auto(RUN);
    expect(await ordersOf(who)).toEqual([]);
    const done = await who.post(`/checkout/${response.body.challenge.attemptId}/complete`, { approve: true });
    expect(done.status, JSON.stringify(done.body)).toBe(201);
    await auto("2026-11-24T01:00:00Z");
    expect(await ordersOf(who)).toMatchObject([{ id: done.body.orderId, source: "checkout" }]);
    market.clock.set(RUN);
    expect(await market.audit()).toEqual([]);
  },
);

describe("edge cases of filling, choosing and closing", () => {
  test("opening a cycle: more by hand than subscribed stays, a pre-order that was subscribed to before does not come", async () => {
    const hub = await openHub();
    const [eggs, pie, jam] = [
      await createProduct(db, hub.id, { inventory: 90 }),
      await createProduct(db, hub.id, { inventory: 90 }),
      await createProduct(db, hub.id, { inventory: 90 }),
    ];
    const bundle = await createBundle(db, [hub.id], {
      items: [
        { product: jam, quantity: 1 },
        { product: pie, quantity: 1 },
      ],
    });
    const who = await regular(hub, [], { status: 0 });
    await subscribe(who, eggs, 2);
    await subscribe(who, pie, 1);
    await db.bundle_subscription.create({
      data: {
        customer_id: who.customer.id,
        bundle_id: bundle.id,
        interval_weeks: 1,
        created_at: market.clock.now(),
      },
    });
    await who.put("/cart", [eggs.line(5)]);
    await db.variant.update({ where: { id: pie.variant.id }, data: { pre_order_date: new Date("2026-12-23") } });
    await market.waitForNotifications();
    await week(CUTOFF);
    const items = (await who.get("/cart")).body.items.map((item: any) => [
      item.product.variant.id,
      item.quantity,
      item.subscription_interval,
    ]);
    expect(new Set(items)).toEqual(
      new Set([
        [eggs.variant.id, 5, 1],
        [jam.variant.id, 1, 1],
      ]),
    );
    const boxes = (await who.get("/subscriptions/next-boxes")).body;
    expect(boxes.flatMap((box: any) => box.lines.map((line: any) => line.variantId))).not.toContain(pie.variant.id);
  });

  test("auto-checkout: a pre-order of the delivery day itself is in that day's box, as the next boxes show it", async () => {
    const hub = await openHub();
    const [eggs, turkey] = [
      await createProduct(db, hub.id),
      await createProduct(db, hub.id, { preOrderDate: "2026-11-26" }),
    ];
    const who = await regular(hub, [eggs.line(1), turkey.line(1)]);
    const [box] = (await who.get("/subscriptions/next-boxes")).body;
    expect(box.lines.map((line: any) => line.variantId)).toEqual([eggs.variant.id, turkey.variant.id]);
    await auto(RUN);
    const orders = await ordersOf(who);
    expect(new Set(orders.flatMap(({ items }) => items.map((item) => item.variant_id)))).toEqual(
      new Set([eggs.variant.id, turkey.variant.id]),
    );
    expect(new Set(orders.map((order) => order.delivery_id))).toEqual(new Set([hub.deliveries[0]!.id]));
  });

  test("next boxes: what stock left in the cart comes with the next due line, and is then ordered so", async () => {
    const hub = await openHub();
    const eggs = await createProduct(db, hub.id, { inventory: 3 });
    const who = await regular(hub, [eggs.line(3)]);
    await db.cart_item.updateMany({ where: { variant_id: eggs.variant.id }, data: { quantity: 5 } });
    await subscribe(who, eggs, 1);
    const quantities = (await who.get("/subscriptions/next-boxes")).body.map((box: any) =>
      box.lines.map((line: any) => line.quantity),
    );
    expect(quantities).toEqual([[3], [2], [1]]);
    await auto(RUN);
    await setInventory(db, eggs.variant.id, hub.id, 90);
    await week(CUTOFF);
    await auto("2026-11-30T18:00:00Z");
    expect((await ordersOf(who)).map(({ items }) => items.map(({ quantity }) => quantity))).toEqual([[3], [2]]);
  });

  test("auto-checkout: a customer whose order is in progress at the cutoff gets the email about a missed order only when it has failed", async () => {
    const hub = await openHub();
    const eggs = await createProduct(db, hub.id);
    const who = await regular(hub, [eggs.line(1)]);
    const paying = Promise.withResolvers<void>();
    points.passed.length = 0;
    points.plan["checkout:paid"] = { until: paying.promise };
    const reached = points.reached("checkout:paid");
    const run = auto("2026-11-25T05:59:00Z");
    await reached;
    delete points.plan["checkout:paid"];
    await closeOverdueRuns(context(CUTOFF));
    const { done_at } = await db.auto_checkout_result.findFirstOrThrow({ where: { customer_id: who.customer.id } });
    expect([done_at, await mailsTo(who)]).toEqual([null, []]);
    paying.resolve();
    await run;
    // The bank responded after the cutoff: nothing is ordered, and the customer gets one email.
    expect(await ordersOf(who)).toEqual([]);
    await closeOverdueRuns(context("2026-11-25T06:05:00Z"));
    await closeOverdueRuns(context("2026-11-25T06:06:00Z"));
    expect([await outcomeOf(hub, who), await mailsTo(who)]).toEqual(["missed", ["auto-checkout-missed"]]);
    expect((await db.payment.findMany({ where: { customer_id: who.customer.id } })).map(({ state }) => state)).toEqual([
      "voided",
    ]);
  });
});
