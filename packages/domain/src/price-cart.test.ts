import { expect, test } from "vitest";

import { cents, zeroCents } from "./money.ts";
import { type PriceableLine, priceCart } from "./price-cart.ts";

const now = new Date("2026-11-23T12:00:00Z");
const line = (part: Partial<PriceableLine>): PriceableLine => ({
  id: 1,
  variantId: 1,
  bundleId: null,
  bundleDiscountPpm: 0,
  bundleParts: [],
  quantity: 1,
  unitCents: cents(650),
  inventory: 10,
  isPublished: true,
  ...part,
});
const price = (lines: PriceableLine[], part = {}) =>
  priceCart({ lines, code: null, referralCents: zeroCents, hubId: 1, now, ...part });

test("sold out is watched, unsold here is not counted, too much is cut to the stock", () => {
  const pricedCart = price([
    line({ id: 1, variantId: 1, quantity: 3, inventory: 2 }),
    line({ id: 2, variantId: 2, inventory: 0 }),
    line({ id: 3, variantId: 3, isPublished: false }),
    line({ id: 4, variantId: 4, unitCents: null }),
  ]);
  expect(pricedCart.lines.map(({ quantity, watching, counts }) => [quantity, watching, counts])).toEqual([
    [2, false, true],
    [1, true, false],
    [1, false, false],
    [1, false, false],
  ]);
  expect(pricedCart.itemsCents).toBe(1300);
});

test("lines of one variant share its stock, the first line first", { tags: ["fail:A2"] }, () => {
  const pricedCart = price([
    line({ id: 1, quantity: 4, inventory: 5 }),
    line({ id: 2, bundleId: 9, quantity: 3, inventory: 5 }),
  ]);
  expect(pricedCart.lines.map(({ quantity }) => quantity)).toEqual([4, 1]);
});

const breakfast = {
  bundleId: 3,
  bundleDiscountPpm: 100_000,
  bundleParts: [
    { variantId: 1, quantity: 2, isAvailable: true },
    { variantId: 2, quantity: 1, isAvailable: true },
  ],
};
test.for<[what: string, eggs: number, bread: number | null, saved: number]>([
  ["the whole bundle", 2, 1, 195],
  ["only a part of it", 2, null, 0],
  ["too few of one part", 1, 1, 0],
  ["two of it", 4, 2, 390],
  ["one of it and some more", 5, 1, 195],
])("a bundle's saving is for whole bundles: %s", ([, eggs, bread, saved]) => {
  const lines = [line({ id: 1, variantId: 1, quantity: eggs, ...breakfast })];
  if (bread !== null) lines.push(line({ id: 2, variantId: 2, quantity: bread, ...breakfast }));
  // The same product bought alone completes no bundle.
  lines.push(line({ id: 3, variantId: 2, quantity: 3 }));
  expect(price(lines).bundleDiscountCents).toBe(saved);
});

test("a part that is sold out this week takes the saving from itself alone", () => {
  const pricedCart = price([
    line({ id: 1, variantId: 1, quantity: 2, ...breakfast }),
    line({ id: 2, variantId: 2, quantity: 1, inventory: 0, ...breakfast }),
  ]);
  expect(pricedCart.lines.map(({ bundleDiscountCents }) => bundleDiscountCents)).toEqual([130, 0]);
});

test("bundle: a part that is unavailable is not required", () => {
  const bundleParts = [breakfast.bundleParts[0]!, { variantId: 2, quantity: 1, isAvailable: false }];
  expect(price([line({ quantity: 2, ...breakfast, bundleParts })]).bundleDiscountCents).toBe(130);
});

test("bundle, code and referral together never take more than the items", () => {
  const code = {
    percentPpm: null,
    amountCents: cents(5000),
    minimumCents: zeroCents,
    startsAt: null,
    endsAt: null,
    useLimit: null,
    oncePerCustomer: true,
    hubId: null,
    uses: 0,
    usedByCustomer: false,
  };
  const whole = {
    bundleId: 3,
    bundleDiscountPpm: 100_000,
    bundleParts: [{ variantId: 1, quantity: 2, isAvailable: true }],
  };
  const pricedCart = price([line({ quantity: 2, ...whole })], {
    code,
    referralCents: cents(2000),
  });
  expect(pricedCart.bundleDiscountCents).toBe(130);
  expect(pricedCart.codeDiscountCents).toBe(1170);
  expect(pricedCart.referralDiscountCents).toBe(0);
  expect(pricedCart.subtotalCents).toBe(0);
});

test("a code that does not apply has a reason and deducts nothing", () => {
  const code = {
    percentPpm: 100_000,
    amountCents: null,
    minimumCents: cents(5000),
    startsAt: null,
    endsAt: null,
    useLimit: null,
    oncePerCustomer: true,
    hubId: null,
    uses: 0,
    usedByCustomer: false,
  };
  const pricedCart = price([line({})], { code });
  expect(pricedCart.codeRefusal).toBe("minimum");
  expect(pricedCart.discountCents).toBe(0);
});
