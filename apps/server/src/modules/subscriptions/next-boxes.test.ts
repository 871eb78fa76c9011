import type { NextBox } from "@marketday/contracts/subscriptions";
import { isLarge, size } from "@marketday/db/testing";
import { CART_LINES_MAX } from "@marketday/domain/limits";
import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  ADDRESS,
  createAddress,
  createBundle,
  createCustomer,
  createHub,
  createProduct,
  newCard,
  setCard,
  setInventory,
} from "../../../test/factories.ts";
import { randomness } from "../../../test/randomness.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { runWeek } from "../../jobs/week.ts";

const market = await buildTestApp();
const { db, deps } = market;
/** The instants of auto-checkout for the next three deliveries. */
const RUNS = ["2026-11-23T18:00:00Z", "2026-11-30T18:00:00Z", "2026-12-07T18:00:00Z"] as const;
const SEED = 20_261_126;
/** Together these shoppers have every trait. */
const PLACES = isLarge
  ? Array.from({ length: size(24, 300) }, (_, place) => place)
  : [0, 2, 4, 6, 8, 10, 12, 14, 16, 17, 20, 22];

const context = (at: string) => {
  market.clock.set(at);
  return { now: market.clock.now(), actor: { type: "system" as const, job: "test" }, deps };
};
const cents = (dollars: number) => Math.round(dollars * 100);
const day = (date: string) => new Date(`${date}T00:00:00Z`);
type Hub = Awaited<ReturnType<typeof createHub>>;

/** Creates a shopper with auto-checkout and a random set of traits that change the content or price of the boxes. */
async function createShopper(hub: Hub, place: number) {
  const random = randomness(SEED + place);
  const traits = new Set<string>();
  const pick = (trait: string, chance: number) => {
    if (!random.chance(chance)) return false;
    traits.add(trait);
    return true;
  };
  const who = await signIn(market, { hubId: hub.id, creditCents: pick("credit", 0.3) ? 500 : 0 });
  const customer_id = who.customer.id;
  const status = random.pick([1, 2]);
  await createAddress(db, customer_id);
  await setCard(db, customer_id, newCard().number);
  await who.put("/subscriptions/tip", { percentage: random.pick([0, 5, 10, 20]) });
  await who.put("/subscriptions/status", { enabled: true, status });
  traits.add(status === 1 ? "full cart" : "only subscribed");

  const product = () => {
    const priceCents = random.between(101, 2399);
    const salePriceCents = random.chance(0.3) ? random.between(99, priceCents) : null;
    return createProduct(db, hub.id, { priceCents, salePriceCents, inventory: 200 });
  };
  const [both, byHand, weekly] = [await product(), await product(), await product()];
  const [spare, inBundle, scarce] = [await product(), await product(), await product()];
  const subscribe = (target: typeof both, weeks: number) =>
    who.post("/subscriptions", {
      productId: target.id,
      variantId: target.variant.id,
      qty: random.between(1, 3),
      subscription_interval: weeks,
    });

  // An existing order of the first day, at home or at the depot.
  const pickup = { type: "pickup", pickupPointId: hub.pickup_points[0]!.id };
  const elsewhere = { type: "delivery", deliveryAddress: { ...ADDRESS, address: "9 Far Lane" } };
  const buy = async (choice: object) => {
    const payload = { tipPercentage: 5, card: newCard(), savePaymentMethod: false, ...choice };
    const { orderTotal } = (await who.post("/checkout/quote", payload)).body;
    const placed = await who.post("/checkout", { ...payload, expectedTotal: orderTotal });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  };
  if (pick("ordered already", 0.25)) {
    await who.put("/cart", [byHand.line(1)]);
    await buy(random.pick([pickup, elsewhere]));
  }
  // An order of the second day, which opens with its cycle.
  if (pick("a pre-order to come", 0.2)) {
    const later = await createProduct(db, hub.id, { priceCents: 2150, preOrderDate: "2026-12-03" });
    await who.put("/cart", [later.line(1)]);
    await buy({ ...random.pick([pickup, elsewhere]), card: undefined, paymentMethodId: await cardOf(customer_id) });
  }

  if (pick("subscribed by several weeks", 0.8)) await subscribe(weekly, random.between(1, 4));
  if (pick("in the cart by hand and subscribed", 0.4)) {
    await who.put("/cart", [both.line(random.between(2, 5))]);
    await subscribe(both, random.between(1, 4));
  }
  const ofIt = random.between(1, 2);
  const box = await createBundle(db, [hub.id], {
    discountPpm: random.pick([0, 50_000, 125_000]),
    items: [{ product: inBundle, quantity: ofIt }, { product: spare }],
  });
  if (pick("subscribed to a bundle", 0.4))
    await who.post(`/bundles/${box.id}`, { subscription_interval: random.between(1, 3) });
  else if (pick("a bundle by hand", 0.3))
    await who.put("/cart", [
      { ...inBundle.line(ofIt), fromBundleId: box.id },
      { ...spare.line(1), fromBundleId: box.id },
    ]);
  if (pick("something by hand", 0.7)) await who.put("/cart", [byHand.line(random.between(1, 4))]);
  if (pick("not enough of it", 0.3)) {
    await who.put("/cart", [scarce.line(5)]);
    await setInventory(db, scarce.variant.id, hub.id, random.between(0, 3));
  }
  if (pick("a pre-order in the cart", 0.3)) {
    const pie = await createProduct(db, hub.id, {
      priceCents: 1875,
      preOrderDate: random.pick(["2026-11-25", "2026-12-02", "2026-12-09"]),
    });
    await who.put("/cart", [pie.line(1)]);
  }
  if (traits.has("subscribed by several weeks")) {
    if (pick("dropped this week", 0.15)) await who.put("/cart", [weekly.line(0)]);
    else if (pick("changed this week", 0.2)) await who.put("/cart", [weekly.line(random.between(1, 6))]);
    if (pick("paused", 0.2))
      await who.post("/subscriptions/pause", {
        variantId: weekly.variant.id,
        until: random.pick(["2026-11-28", "2026-12-08"]),
      });
  }
  if (pick("a code", 0.35)) {
    const endsSoon = pick("a code that ends", 0.3);
    const code = await db.discount_code.create({
      data: {
        code: `BOX${customer_id}`,
        minimum_cents: random.pick([0, 2000, 6000]),
        ...(random.chance(0.5) ? { percent_ppm: 100_000 } : { amount_cents: 350 }),
        ...(endsSoon && { ends_at: new Date("2026-11-28T00:00:00Z") }),
      },
    });
    await who.put("/cart/discount", { code: code.code });
  } else if (!traits.has("ordered already") && pick("a friend's first order", 0.3)) {
    const referrer = await createCustomer(db, { pepper: deps.env.pepper });
    await db.referral.create({ data: { friend_id: customer_id, referrer_id: referrer.id } });
  }
  if (pick("a wagon pass", 0.3)) {
    const ends = pick("a wagon pass that ends", 0.6) ? random.pick(["2026-11-27", "2026-12-04"]) : null;
    await db.wagon_pass.create({
      data: {
        customer_id,
        plan: "yearly",
        status: ends ? "cancelled" : "active",
        started_on: day("2026-11-01"),
        renews_on: ends ? null : day("2027-11-01"),
        ends_on: ends ? day(ends) : null,
      },
    });
  }
  if (pick("a skip", 0.35))
    await who.post("/subscriptions/skip", { deliveryDate: random.pick(["2026-11-26", "2026-12-03", "2026-12-10"]) });
  return { who, traits, byHand, random };
}

const cardOf = async (customer_id: number) => (await db.payment_method.findFirstOrThrow({ where: { customer_id } })).id;

const shownLines = (box: NextBox) =>
  box.lines
    .map((line) => [line.variantId, line.fromBundleId ?? 0, line.quantity, cents(line.price)] as const)
    .toSorted(byVariant);
const byVariant = (a: readonly number[], b: readonly number[]) => a[0]! - b[0]! || a[1]! - b[1]!;

/** The order that auto-checkout placed for a delivery, in the form of a box; null: none. */
async function orderedFor(customer_id: number, delivery_id: number) {
  const order = await db.order.findFirst({
    where: { customer_id, delivery_id, source: "auto" },
    include: { items: true },
  });
  return (
    order && {
      lines: order.items
        .map((item) => [item.variant_id, item.bundle_id ?? 0, item.quantity, item.unit_price_cents] as const)
        .toSorted(byVariant),
      subtotal: order.items_cents - order.discount_cents,
      tip: order.tip_cents,
      fees: order.card_fee_cents + order.delivery_fee_cents,
      tax: order.tax_cents,
      orderTotal: order.order_total_cents,
    }
  );
}
const asShown = (box: NextBox) =>
  box.lines.length === 0
    ? null
    : {
        lines: shownLines(box),
        subtotal: cents(box.subtotal),
        tip: cents(box.tip),
        fees: cents(box.fees),
        tax: cents(box.tax),
        orderTotal: cents(box.orderTotal),
      };

test(
  "next boxes: for random shoppers, the next three boxes equal the orders placed later, line by line and cent by cent",
  { tags: ["spec:4-11", "spec:4-13"] },
  async () => {
    market.clock.set(MONDAY);
    const hub = await createHub(db);
    await runWeek(context(MONDAY));
    const manyShoppers: Awaited<ReturnType<typeof createShopper>>[] = [];
    for (const place of PLACES) manyShoppers.push(await createShopper(hub, place));
    // Every trait occurs at least once.
    const seen = new Set(manyShoppers.flatMap(({ traits }) => [...traits]));
    expect(seen.size, [...seen].join(", ")).toBe(21);

    const boxesOf = async ({ who }: (typeof manyShoppers)[0]) =>
      (await who.get("/subscriptions/next-boxes")).body as NextBox[];
    const shown = new Map<(typeof manyShoppers)[0], NextBox[]>();
    for (const shopper of manyShoppers) shown.set(shopper, await boxesOf(shopper));
    for (const [place, at] of RUNS.entries()) {
      await runWeek(context(at));
      await runAutoCheckouts(context(at));
      const { id } = hub.deliveries[place]!;
      const ordered = await Promise.all(manyShoppers.map(({ who }) => orderedFor(who.customer.id, id)));
      const withTraits = (boxes: readonly ReturnType<typeof asShown>[]) =>
        boxes.map((box, n) => ({ box, of: `shopper ${n} with ${[...manyShoppers[n]!.traits].join(", ")}` }));
      const promised = manyShoppers.map((shopper) => asShown(shown.get(shopper)![place]!));
      expect(withTraits(ordered), `box ${place + 1}`).toEqual(withTraits(promised));
      if (place > 0) continue;
      // A line added to the cart is shown in the box in which it will be ordered.
      for (const shopper of manyShoppers) {
        if (shopper.random.chance(0.5))
          await shopper.who.put("/cart", [shopper.byHand.line(shopper.random.between(1, 3))]);
        shown.set(shopper, await boxesOf(shopper));
      }
    }
    expect(await market.audit()).toEqual([]);
  },
);

test("next boxes: after a day's automatic checkouts it is ordered for who had one, closed for who came later, and planned while it is tried again", async () => {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id);
  await runWeek(context(MONDAY));
  const automatic = async () => {
    const who = await signIn(market, { hubId: hub.id });
    await createAddress(db, who.customer.id);
    await setCard(db, who.customer.id);
    await who.put("/subscriptions/status", { enabled: true, status: 1 });
    await who.put("/cart", [eggs.line(1)]);
    return who;
  };
  const early = await automatic();
  await runWeek(context(RUNS[0]));
  await runAutoCheckouts(context(RUNS[0]));
  const late = await automatic();
  const stateOf = async (who: typeof late) =>
    ((await who.get("/subscriptions/next-boxes")).body as NextBox[])[0]!.state;
  expect([await stateOf(early), await stateOf(late)]).toEqual(["ordered", "closed"]);
  // While theirs is tried again, the day is not over.
  await db.auto_checkout_result.updateMany({
    where: { customer_id: early.customer.id },
    data: { done_at: null, outcome: null },
  });
  await db.order.updateMany({ where: { customer_id: early.customer.id }, data: { source: "checkout" } });
  expect(await stateOf(early)).toBe("planned");
});

test("next boxes: a cart with one free line takes one of three due subscriptions, as the cycle will", async () => {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const full = await createProduct(db, hub.id, {
    variants: Array.from({ length: CART_LINES_MAX - 1 }, (_, n) => ({ title: `Size ${n}` })),
  });
  const weekly = [await createProduct(db, hub.id), await createProduct(db, hub.id), await createProduct(db, hub.id)];
  await runWeek(context(MONDAY));
  const who = await signIn(market, { hubId: hub.id });
  await createAddress(db, who.customer.id);
  await setCard(db, who.customer.id);
  // Only what is subscribed is ordered: the other lines stay in the cart.
  await who.put("/subscriptions/status", { enabled: true, status: 2 });
  await who.put(
    "/cart",
    full.variants.map(({ id }) => ({ productId: full.id, variantId: id, quantity: 1 })),
  );
  await db.subscription.createMany({
    data: weekly.map(({ variant }) => ({
      customer_id: who.customer.id,
      variant_id: variant.id,
      quantity: 1,
      interval_weeks: 1,
    })),
  });
  const boxes = (await who.get("/subscriptions/next-boxes")).body as NextBox[];
  await runWeek(context(new Date(hub.deliveries[0]!.cutoff_at).toISOString()));
  await runAutoCheckouts(context(RUNS[1]));
  const ordered = await orderedFor(who.customer.id, hub.deliveries[1]!.id);
  expect(ordered!.lines).toHaveLength(1);
  expect(asShown(boxes[1]!)).toEqual(ordered);
});

test("next boxes: with an order of the first day and another placed ahead for the second, each box goes where its own order goes", async () => {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id);
  const later = await createProduct(db, hub.id, { preOrderDate: "2026-12-03" });
  await runWeek(context(MONDAY));
  const who = await signIn(market, { hubId: hub.id });
  await createAddress(db, who.customer.id);
  await setCard(db, who.customer.id);
  await who.put("/subscriptions/status", { enabled: true, status: 1 });
  const paymentMethodId = await cardOf(who.customer.id);
  const pickup = { type: "pickup", pickupPointId: hub.pickup_points[0]!.id, tipPercentage: 0 };
  const elsewhere = { type: "delivery", deliveryAddress: { ...ADDRESS, address: "9 Far Lane" }, tipPercentage: 0 };
  for (const [product, choice] of [
    [later, elsewhere],
    // The customer's boxes go where this one goes from now on.
    [eggs, pickup],
  ] as const) {
    await who.put("/cart", [product.line(1)]);
    const payload = { ...choice, paymentMethodId };
    const { orderTotal } = (await who.post("/checkout/quote", payload)).body;
    const placed = await who.post("/checkout", { ...payload, expectedTotal: orderTotal });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  }
  await who.post("/subscriptions", {
    productId: eggs.id,
    variantId: eggs.variant.id,
    qty: 1,
    subscription_interval: 1,
  });
  const boxes = (await who.get("/subscriptions/next-boxes")).body as NextBox[];
  expect(boxes.map(({ fulfillment }) => JSON.stringify(fulfillment).includes("9 Far Lane"))).toEqual([
    false,
    true,
    false,
  ]);
  expect(boxes[0]!.fulfillment).toMatchObject({ type: "pickup" });
});
