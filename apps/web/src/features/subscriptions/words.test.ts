import type { NextBox } from "@marketday/contracts/subscriptions";
import { expect, test } from "vitest";

import { boxWords, reasonWords } from "./words.ts";

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
  tax: 0.46,
  orderTotal: 16.41,
};

test.each([
  [{}, false, "Ordered by itself Monday, November 23, at 1PM."],
  [{ orderIds: [7] }, false, "Ordered by itself Monday, November 23, at 1PM. It joins what you ordered."],
  [{}, true, "Comes into your cart. Check out by 1AM Wednesday."],
  // Nothing is ordered by itself, and nothing joins.
  [{ lines: [] }, false, "Nothing is due for this delivery."],
  [{ lines: [] }, true, "Nothing is due for this delivery."],
  [{ lines: [], orderIds: [7] }, false, "What you ordered comes. Nothing more is due."],
  [{ state: "skipped", lines: [] }, false, "Skipped: nothing comes, and what you subscribe to moves on."],
  [{ state: "ordered", lines: [], orderIds: [7] }, false, "Ordered. You can take things off until 1AM Wednesday."],
  [
    { state: "closed", lines: [] },
    false,
    "Automatic checkout is over for this day. Check out yourself by 1AM Wednesday.",
  ],
] as const)("a box that is %j, automatic checkout off: %s", (change, isOff, words) => {
  expect(boxWords({ ...box, ...change } as NextBox, isOff)).toBe(words);
});

test("why a line is in a box", () => {
  expect(reasonWords(line)).toBe("Every 2 weeks");
  expect(reasonWords({ ...line, bundleTitle: "Breakfast Kit" })).toBe("Every 2 weeks, from Breakfast Kit");
  expect(reasonWords({ ...line, reason: "cart", subscription_interval: null })).toBe("In your cart");
});
