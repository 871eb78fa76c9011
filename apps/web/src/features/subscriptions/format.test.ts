import type { Order } from "@marketday/contracts/orders";
import type { NextBox } from "@marketday/contracts/subscriptions";
import { expect, test } from "vitest";

import { formatAddOn } from "../orders/format.ts";
import { formatBox, formatChange, formatReason } from "./format.ts";

const line: NextBox["lines"][number] = {
  productId: 1,
  variantId: 1,
  slug: "eggs",
  title: "Eggs",
  vendor: "Oak Farm",
  image: null,
  quantity: 1,
  inventory: 9,
  price: 6.5,
  reason: "subscription",
  subscription_interval: 2,
  fromBundleId: null,
  bundleTitle: null,
};
const box: NextBox = {
  deliveryDate: "2026-11-26",
  cutoff: "2026-11-25T06:00:00.000Z",
  autoCheckoutAt: "2026-11-23T18:00:00.000Z",
  timeZone: "America/Indiana/Indianapolis",
  state: "planned",
  isSkipped: false,
  orderIds: [],
  lines: [line],
  subtotal: 6.5,
  tip: 0,
  fees: 9.45,
  waived: 0,
  tax: 0.46,
  orderTotal: 16.41,
  deliveryFee: 8.95,
  fulfillment: null,
  card: null,
};

test.each([
  [{}, false, "Ordered automatically Monday, November 23, at 1PM."],
  [
    { orderIds: [7] },
    false,
    "Ordered automatically Monday, November 23, at 1PM. It joins the order you already placed.",
  ],
  [{}, true, "We'll add it to your cart. Check out by 1AM Wednesday."],
  // Nothing is ordered automatically, and nothing joins.
  [{ lines: [] }, false, "Nothing is scheduled for this delivery."],
  [{ lines: [] }, true, "Nothing is scheduled for this delivery."],
  [{ lines: [], orderIds: [7] }, false, "Your order is coming. Nothing else is scheduled."],
  [{ state: "skipped", lines: [] }, false, "Skipped. Your subscriptions move to the next delivery."],
  [{ state: "ordered", lines: [], orderIds: [7] }, false, "Ordered. You can remove items until 1AM Wednesday."],
  [
    { state: "closed", lines: [] },
    false,
    "Automatic checkout has already run for this day. Check out yourself by 1AM Wednesday.",
  ],
] as const)("a box that is %j, automatic checkout off: %s", (change, isOff, words) => {
  expect(formatBox({ ...box, ...change } as NextBox, isOff, new Date("2026-11-20T18:00:00Z"))).toBe(words);
});

test("next boxes: one whose cutoff is more than six days away has its date, and its year when that is another one", () => {
  const until = (now: string) => formatBox(box, true, new Date(now));
  expect(until("2026-11-18T18:00:00Z")).toBe("We'll add it to your cart. Check out by 1AM Wednesday, November 25.");
  const next = { ...box, autoCheckoutAt: "2027-01-04T18:00:00Z" };
  expect(formatBox(next, false, new Date("2026-12-30T18:00:00Z"))).toBe(
    "Ordered automatically Monday, January 4, 2027, at 1PM.",
  );
});

test("why a line is in a box", () => {
  expect(formatReason(line)).toBe("Every 2 weeks");
  expect(formatReason({ ...line, bundleTitle: "Breakfast Kit" })).toBe("Every 2 weeks, from Breakfast Kit");
  expect(formatReason({ ...line, reason: "cart", subscription_interval: null })).toBe("In your cart");
});

test("next boxes: a box that was ordered has the deadline of its order, one that was not the time of automatic checkout", () => {
  const now = new Date("2026-11-22T18:00:00Z");
  const order = {
    status: "open",
    deliveryDate: box.deliveryDate,
    cutoff: box.cutoff,
    timeZone: box.timeZone,
  } as Order;
  expect(formatAddOn(order, now)).toBe("2 days left to add");
  for (const state of ["planned", "ordered"] as const)
    expect(formatChange({ ...box, state, orderIds: [7] }, false, now)).toBe("2 days left to change");
  expect(formatChange(box, true, now)).toBe("2 days left to change");
  expect(formatChange(box, false, now)).toBe("1 day left to change");
  for (const state of ["skipped", "closed"] as const)
    expect(formatChange({ ...box, state, orderIds: [7] }, false, now)).toBeNull();
});
