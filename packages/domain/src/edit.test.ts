import fc from "fast-check";
import { expect, test } from "vitest";

import { priceEdit } from "./edit.ts";
import { CARD_MINIMUM } from "./limits.ts";
import { cents, zeroCents } from "./money.ts";

test("what is taken off lowers tip, tax and discount in proportion; the delivery fee stays", () => {
  const price = priceEdit({
    lines: [
      { quantity: 1, quantityBefore: 3, unitCents: cents(1000), discountCents: cents(301) },
      { quantity: 0, quantityBefore: 1, unitCents: cents(500), discountCents: cents(50) },
    ],
    tipPercentage: 10,
    taxRatePpm: 70_000,
    cardFee: { ppm: 30_000, fixedCents: cents(30), beforeCents: cents(135) },
    deliveryFeeCents: cents(895),
    creditCents: cents(5000),
    waivedCents: zeroCents,
    leastDueCents: zeroCents,
  });
  expect(price).toEqual({
    lines: [
      { discountCents: 100, taxCents: 63 },
      { discountCents: 0, taxCents: 0 },
    ],
    itemsCents: 1000,
    tipCents: 100,
    taxCents: 63,
    cardFeeCents: 60,
    deliveryFeeCents: 895,
    discountCents: 100,
    waivedCents: 0,
    orderTotalCents: 2018,
    creditCents: 2018,
  });
});

test("the card fee after an edit is never more than what was charged, also when the market's fee has risen since", () => {
  const fee = (beforeCents: number, quantity: number) =>
    priceEdit({
      lines: [{ quantity, quantityBefore: 3, unitCents: cents(1000), discountCents: cents(0) }],
      tipPercentage: 0,
      taxRatePpm: 0,
      cardFee: { ppm: 30_000, fixedCents: cents(30), beforeCents: cents(beforeCents) },
      deliveryFeeCents: cents(0),
      creditCents: cents(0),
      waivedCents: zeroCents,
      leastDueCents: zeroCents,
    }).cardFeeCents;
  expect([fee(120, 2), fee(50, 2), fee(0, 2), fee(50, 0)]).toEqual([90, 50, 0, 0]);
});

const money = fc.integer({ min: 0, max: 50_000 }).map(cents);

test(
  "the parts sum to the total, no part is below zero and no discount outgrows its line",
  { tags: ["fail:K7"] },
  () => {
    const line = fc
      .record({
        quantityBefore: fc.integer({ min: 1, max: 40 }),
        unitCents: money,
        kept: fc.double({ min: 0, max: 1, noNaN: true }),
        off: fc.double({ min: 0, max: 1, noNaN: true }),
      })
      .map(({ quantityBefore, unitCents, kept, off }) => ({
        quantity: Math.floor(quantityBefore * kept),
        quantityBefore,
        unitCents,
        discountCents: cents(Math.floor(quantityBefore * unitCents * off)),
      }));
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(0, 5, 10, 20),
        fc.integer({ min: 0, max: 120_000 }),
        money,
        money,
        (lines, tipPercentage, taxRatePpm, deliveryFeeCents, creditCents) => {
          const price = priceEdit({
            lines,
            tipPercentage,
            taxRatePpm,
            cardFee: { ppm: 30_000, fixedCents: cents(30), beforeCents: cents(200) },
            deliveryFeeCents,
            creditCents,
            waivedCents: zeroCents,
            leastDueCents: CARD_MINIMUM,
          });
          const sum = (part: "discountCents" | "taxCents") => price.lines.reduce((all, one) => all + one[part], 0);
          expect(sum("discountCents")).toBe(price.discountCents);
          expect(sum("taxCents")).toBe(price.taxCents);
          expect(price.discountCents).toBeLessThanOrEqual(price.itemsCents);
          const due = price.orderTotalCents - price.creditCents;
          expect(due === 0 || due >= CARD_MINIMUM).toBe(true);
          expect(price.creditCents).toBeLessThanOrEqual(creditCents);
          expect(price.orderTotalCents).toBe(
            price.itemsCents +
              price.tipCents +
              price.taxCents +
              price.cardFeeCents +
              price.deliveryFeeCents -
              price.discountCents -
              price.waivedCents,
          );
        },
      ),
    );
  },
);
