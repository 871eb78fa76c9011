import { expect, test } from "vitest";

import { cents, zeroCents } from "./money.ts";
import { priceBundle, priceCart } from "./price-cart.ts";

test("a bundle costs its lines less the saving on each", () => {
  const lines = [
    { quantity: 2, unitCents: cents(725) },
    { quantity: 1, unitCents: cents(950) },
  ];
  expect(priceBundle(lines, 100_000)).toEqual({ totalCents: 2160, savingCents: 240 });
  expect(priceBundle(lines, 0)).toEqual({ totalCents: 2400, savingCents: 0 });
  expect(priceBundle(lines, 1_000_000)).toEqual({ totalCents: 0, savingCents: 2400 });
  expect(priceBundle([], 100_000)).toEqual({ totalCents: 0, savingCents: 0 });
});

test("the cart with exactly these lines comes to the same, odd cents and all", () => {
  for (let discountPpm = 0; discountPpm <= 300_000; discountPpm += 33_333) {
    const lines = [1, 3, 7].map((quantity, n) => ({ quantity, unitCents: cents(333 + n * 111) }));
    const pricedCart = priceCart({
      lines: lines.map((line, n) => ({
        ...line,
        id: n,
        variantId: n,
        bundleId: 1,
        bundleDiscountPpm: discountPpm,
        bundleParts: lines.map(({ quantity }, part) => ({ variantId: part, quantity, isAvailable: true })),
        inventory: 99,
        isPublished: true,
      })),
      code: null,
      referralCents: zeroCents,
      hubId: 1,
      now: new Date("2026-11-23T17:00:00Z"),
    });
    const { totalCents, savingCents } = priceBundle(lines, discountPpm);
    expect([discountPpm, pricedCart.subtotalCents, pricedCart.bundleDiscountCents]).toEqual([
      discountPpm,
      totalCents,
      savingCents,
    ]);
  }
});
