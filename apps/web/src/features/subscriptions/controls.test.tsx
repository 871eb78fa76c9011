import { useAction } from "@marketday/client/forms/use-action.ts";
import type { Variant } from "@marketday/contracts/products";
import type { NextBox, Subscription } from "@marketday/contracts/subscriptions";
import { expect, test, vi } from "vitest";

import { newClient, propsOf, run, textOf, setUpHooks } from "../../../test/open-hook.tsx";
import { product } from "../products/product.fixture.ts";
import { AutoProblem } from "./auto-problem.tsx";
import { BoxLine } from "./box-line.tsx";
import { BoxPlace } from "./box-place.tsx";
import { BoxTotals } from "./box-totals.tsx";
import { NextBoxCard } from "./next-box-card.tsx";
import { NextBoxRow } from "./next-box-row.tsx";
import { Recommendations } from "./recommendations.tsx";
import { SubscribeLine } from "./subscribe-line.tsx";

const page = setUpHooks();
const member = () => newClient({ customerId: 1, hubId: 4 });
const variant = (id: number, change: Partial<Variant> = {}): Variant => ({
  id,
  title: "",
  size: "",
  unitPrice: null,
  inventory: 9,
  price: 5,
  salePrice: null,
  isSubscribed: false,
  preOrderDate: null,
  ...change,
});
const subscription = (variantId: number, change: object = {}) =>
  ({ quantity: 2, subscription_interval: 3, product: { variant: { id: variantId } }, ...change }) as Subscription;

test("subscribe: for members, on what is no pre-order; the other size's subscription is not this one's", () => {
  const shown = (of: Variant, client = member()) => {
    client.setQueryData(["subscriptions", "list"], [subscription(2)]);
    const line = page.open(() => SubscribeLine({ product: product(1, [of]), variant: of }), client).now();
    return line && textOf(line);
  };
  expect(shown(variant(1))).toBe("Get it regularlySubscribe");
  expect(shown(variant(1, { isSubscribed: true }))).toBe("Ordered automaticallySubscribed");
  expect(shown(variant(2))).toBe("2 every 3 weeksSubscribed");
  expect(shown(variant(1, { preOrderDate: "2027-01-07" }))).toBeNull();
  expect(shown(variant(1), newClient({ customerId: 1, hubId: 4, isGuest: true }))).toBeNull();
});

test("subscribe: one a week to begin with, and my subscriptions open; a refusal is shown and nothing opens", async () => {
  const press = async (of: Variant) => {
    const client = member();
    client.setQueryData(["subscriptions", "list"], []);
    const line = page.open(() => SubscribeLine({ product: product(1, [of]), variant: of }), client);
    await run(() => propsOf(line.now(), (props) => "aria-pressed" in props).onClick());
    return { at: line.at(), text: textOf(line.now()) };
  };
  page.answer("POST /subscriptions", { body: [] });
  expect((await press(variant(1))).at).toContain("/subscription");
  expect(page.sent[0]?.body).toEqual({ productId: 1, variantId: 1, qty: 1, subscription_interval: 1 });
  page.refuse("POST /subscriptions", 500, "No.");
  const refused = await press(variant(1));
  expect(refused.at).toMatch(/^\/shop /);
  expect(refused.text.length).toBeGreaterThan("Get it regularlySubscribe".length);
  const sent = page.sent.length;
  expect((await press(variant(1, { isSubscribed: true }))).at).toContain("/subscription");
  expect(page.sent).toHaveLength(sent);
});

const box = {
  deliveryDate: "2026-11-26",
  cutoff: "2026-11-25T06:00:00.000Z",
  autoCheckoutAt: "2026-11-23T18:00:00.000Z",
  timeZone: "America/Indiana/Indianapolis",
  state: "planned",
  isSkipped: false,
  orderIds: [],
  lines: [],
  subtotal: 11,
  tip: 0,
  fees: 9.45,
  waived: 0,
  tax: 0.46,
  orderTotal: 20.91,
  deliveryFee: 8.95,
  fulfillment: null,
  card: null,
} as unknown as NextBox;
const boxLine = (change: object = {}) =>
  ({
    productId: 1,
    variantId: 1,
    slug: "eggs",
    title: "Eggs",
    vendor: "Oak Farm",
    image: null,
    quantity: 2,
    inventory: 7,
    price: 6.5,
    reason: "subscription",
    subscription_interval: 3,
    fromBundleId: null,
    bundleTitle: null,
    ...change,
  }) as NextBox["lines"][number];
const cartItem = (change: object = {}) => ({
  quantity: 4,
  watching: false,
  isPublished: true,
  fromBundleId: null,
  price: 6.5,
  product: { id: 1, title: "Eggs", variant: { id: 1, size: "" } },
  ...change,
});

test("next box: a line of the first box is the cart's, one of a later box its subscription's, a bundle's neither", async () => {
  const open = (line: NextBox["lines"][number], isFirst: boolean, ...items: object[]) => {
    const client = member();
    const cart = { items, discounts: [], banners: [] } as never;
    client.setQueryData(["cart"], cart);
    return page.open(
      () => BoxLine({ line, isFirst, cart, list: [subscription(2), subscription(1)], saving: useAction() }),
      client,
    );
  };
  const stepper = (shown: unknown) => propsOf(shown, (props) => "onLimit" in props);
  expect(stepper(open(boxLine(), true, cartItem()).now())).toMatchObject({ quantity: 4, min: 0, max: 7 });
  expect(stepper(open(boxLine(), false, cartItem()).now())).toMatchObject({ quantity: 2, min: 1, max: 999 });
  expect(stepper(open(boxLine({ reason: "cart" }), false, cartItem()).now())).toMatchObject({ quantity: 4 });
  // The same thing out of a bundle is another line.
  expect(stepper(open(boxLine(), true, cartItem({ fromBundleId: 9 })).now())).toMatchObject({ quantity: 2, min: 1 });
  const ofBundle = open(boxLine({ fromBundleId: 9 }), false);
  expect([stepper(ofBundle.now()), textOf(ofBundle.now())]).toEqual([undefined, expect.stringContaining("Quantity 2")]);

  page.answer("POST /subscriptions", { body: [] });
  const later = open(boxLine(), false, cartItem());
  await run(() => stepper(later.now()).onChange(5));
  expect(page.sent).toMatchObject([{ body: { productId: 1, variantId: 1, qty: 5, subscription_interval: 3 } }]);
});

test("next box: the sums are of its lines, the discount what they come to more than the subtotal", () => {
  const totals = page.open(() =>
    BoxTotals({ box: { ...box, lines: [boxLine(), boxLine({ price: 0.1, quantity: 3 })], subtotal: 13 }, dim: false }),
  );
  expect(propsOf(totals.now(), (props) => "parts" in props).parts).toMatchObject({
    items: 13.3,
    discountAmount: 0.3,
    fees: { delivery: 8.95, card: 0.5 },
    credit: 0,
    amountDue: 20.91,
    type: "delivery",
  });
});

test("next box: where it goes and what is missing is shown only while it is planned", () => {
  const home = { type: "delivery", pickupPoint: null, deliveryAddress: null, deliveryFee: 0, problem: null };
  const shown = (change: object) => textOf(page.open(() => BoxPlace({ box: { ...box, ...change } })).now());
  expect(shown({})).toContain("Choose home delivery or a pickup point first.");
  expect(shown({ fulfillment: home })).toContain("You have no saved card yet");
  expect(shown({ fulfillment: home, card: { brand: "visa", last4: "4242" } })).toContain(
    "Charged to Visa ending in 4242",
  );
  expect(shown({ fulfillment: { ...home, problem: { message: "We can't deliver there." } } })).toContain(
    "We can't deliver there.",
  );
  expect(shown({ state: "ordered", fulfillment: { ...home, problem: { message: "Gone." } } })).toBe(
    "Home delivery to your address",
  );
});

test("next box: one that was ordered or is closed is not skipped, a skipped one can be taken back", () => {
  const skips = (change: object) => {
    const onSkip = vi.fn();
    const now = new Date("2026-11-22T18:00:00Z");
    const card = page.open(() =>
      NextBoxCard({
        box: { ...box, ...change },
        isFirst: false,
        isOff: false,
        now,
        cart: undefined,
        list: [],
        saving: useAction(),
        isRecalculating: false,
        onSkip,
      }),
    );
    propsOf(card.now(), ({ children }) => children === "Skip this delivery" || children === "Don't skip")?.onClick();
    return onSkip.mock.calls;
  };
  expect(["planned", "skipped", "ordered", "closed"].map((state) => skips({ state }))).toEqual([
    [[true]],
    [[false]],
    [],
    [],
  ]);
});

test("my subscriptions: the next box is the first that is planned, else the first; its sum only when something comes", () => {
  const shown = (...boxes: NextBox[]) => {
    const client = member();
    client.setQueryData(["subscriptions", "boxes"], boxes);
    return propsOf(page.open(NextBoxRow, client).now(), (props) => "note" in props);
  };
  const [skipped, planned] = [{ ...box, state: "skipped" } as NextBox, { ...box, lines: [boxLine()], orderTotal: 30 }];
  expect(shown(skipped, planned)?.note).toBe("$30.00");
  expect(shown(skipped)?.note).toBe(false);
  expect(shown()).toBeUndefined();
});

test("recommendations: a size that is no pre-order is offered, and a product without one is not", async () => {
  const client = member();
  client.setQueryData(
    ["subscriptions", "recommended"],
    [
      product(1, [variant(10, { preOrderDate: "2027-01-07" }), variant(11)]),
      product(2, [variant(20, { preOrderDate: "2027-01-07" })]),
    ],
  );
  const shown = page.open(() => Recommendations({ saving: useAction() }), client);
  page.answer("POST /subscriptions", { body: [] });
  const offers = (label: string) => propsOf(shown.now(), (props) => props["aria-label"] === label);
  expect(offers("Subscribe to Product 2")).toBeUndefined();
  await run(() => offers("Subscribe to Product 1").onClick());
  expect(page.sent[0]).toMatchObject({ body: { productId: 1, variantId: 11, qty: 1, subscription_interval: 1 } });
});

test("automatic checkout that could not order: checking out is offered only with something in the cart to order", () => {
  const shown = (...items: object[]) => {
    const client = member();
    client.setQueryData(["cart"], {
      items,
      banners: [{ id: "other" }, { id: "auto-checkout", title: "It failed", body: "Why" }],
    });
    return propsOf(page.open(AutoProblem, client).now(), (props) => "action" in props);
  };
  expect([shown(cartItem()).title, Boolean(shown(cartItem()).action)]).toEqual(["It failed", true]);
  for (const change of [{ watching: true }, { isPublished: false }]) expect(shown(cartItem(change)).action).toBe(false);
});
