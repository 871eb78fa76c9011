import { AUTO_CHECKOUT } from "@marketday/domain/subscription";
import { expect, test } from "vitest";

import { newClient, setUpHooks } from "../../../test/open-hook.tsx";
import { pause, setStatus, setTip, skip, subscribe, subscriptionKeys, unsubscribe } from "./api.ts";

const page = setUpHooks();
const others = { cart: ["cart"], ...subscriptionKeys };

/** A browser that has read everything about subscriptions. */
function haveAll() {
  const client = newClient({ customerId: 1, hubId: 4 });
  for (const key of [others.list, others.status, others.tip, others.boxes, others.bundles, others.recommended])
    client.setQueryData(key, ["before"]);
  /** What has to be read again. */
  const outdated = () =>
    Object.entries(others).flatMap(([name, key]) => (client.getQueryState(key)?.isInvalidated ? [name] : []));
  return { client, outdated };
}

test.each([
  [
    "a subscription",
    "POST /subscriptions",
    { productId: 1, variantId: 2, qty: 3, subscription_interval: 4 },
    (client) => subscribe(client, { productId: 1, variantId: 2, qty: 3, subscription_interval: 4 }),
  ],
  ["its end", "DELETE /subscriptions", { productId: 1, variantId: 2 }, (client) => unsubscribe(client, 1, 2)],
  [
    "a pause",
    "POST /subscriptions/pause",
    { variantId: 2, until: "2027-01-07" },
    (client) => pause(client, 2, "2027-01-07"),
  ],
  [
    "the end of a pause",
    "POST /subscriptions/pause",
    { variantId: 2, until: null },
    (client) => pause(client, 2, null),
  ],
  [
    "a skipped delivery",
    "POST /subscriptions/skip",
    { deliveryDate: "2027-01-07", skip: true },
    (client) => skip(client, "2027-01-07", true),
  ],
] satisfies [string, string, object, (client: ReturnType<typeof newClient>) => Promise<void>][])(
  "subscriptions: after %s the list is the answer, and cart, boxes and recommendations are read again",
  async (_, call, body, change) => {
    const { client, outdated } = haveAll();
    page.answer(call, { body: ["after"] });
    await change(client);
    expect(page.sent).toMatchObject([{ call, body }]);
    expect(client.getQueryData(subscriptionKeys.list)).toEqual(["after"]);
    expect(outdated()).toEqual(["cart", "boxes", "recommended"]);
  },
);

test("subscriptions: a refused change leaves the list and everything beside it as it was", async () => {
  const { client, outdated } = haveAll();
  page.refuse("POST /subscriptions", 409, "Your cart is full.");
  await expect(subscribe(client, { productId: 1, variantId: 2, qty: 3, subscription_interval: 4 })).rejects.toThrow(
    "Your cart is full.",
  );
  expect(client.getQueryData(subscriptionKeys.list)).toEqual(["before"]);
  expect(outdated()).toEqual([]);
});

test.each([
  [AUTO_CHECKOUT.off, false],
  [AUTO_CHECKOUT.fullCart, true],
  [AUTO_CHECKOUT.subscribedOnly, true],
])(
  "automatic checkout: choice %i is sent as enabled %s, and cart and boxes are read again",
  async (status, enabled) => {
    const { client, outdated } = haveAll();
    page.answer("PUT /subscriptions/status", { body: { status, enabled, runsAt: null } });
    await setStatus(client, status);
    expect(page.sent).toMatchObject([{ body: { status, enabled } }]);
    expect(client.getQueryData(subscriptionKeys.status)).toMatchObject({ status });
    expect(outdated()).toEqual(["cart", "boxes", "recommended"]);
  },
);

test("the default tip: the sums of the next boxes are read again", async () => {
  const { client, outdated } = haveAll();
  page.answer("PUT /subscriptions/tip", { body: { percentage: 20 } });
  await setTip(client, 20);
  expect(page.sent).toMatchObject([{ body: { percentage: 20 } }]);
  expect(client.getQueryData(subscriptionKeys.tip)).toEqual({ percentage: 20 });
  expect(outdated()).toEqual(["boxes"]);
});
