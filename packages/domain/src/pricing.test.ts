import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { getOrThrow } from "./get-or-throw.ts";
import { CARD_MINIMUM } from "./limits.ts";
import { addCents, cents, type Cents } from "./money.ts";
import { displayPrice, itemsTotal, orderTotal, priceOrder, type PriceInput, splitPayment } from "./pricing.ts";

const base: PriceInput = {
  lines: [
    { quantity: 2, unitCents: cents(650) },
    { quantity: 1, unitCents: cents(725) },
  ],
  tipPercentage: 10,
  taxRatePpm: 70_000,
  processing: { ppm: 29_000, fixedCents: cents(30) },
  deliveryFeeCents: cents(895),
  discountCents: cents(200),
  creditCents: cents(500),
  leastDueCents: cents(50),
};

describe("priceOrder", () => {
  test("a whole receipt", { tags: ["spec:3-20"] }, () => {
    expect(priceOrder(base)).toEqual({
      itemsCents: 2025,
      tipCents: 203, // 202.5 up
      taxCents: 128, // 7 % of 1825 = 127.75
      cardFeeCents: 89, // 58.725 + 30
      deliveryFeeCents: 895,
      processingFeeCents: 984,
      discountCents: 200,
      waivedCents: 0,
      orderTotalCents: 3140,
      creditUsedCents: 500,
      amountDueCents: 2640,
      lineShares: [
        { discountCents: 128, taxCents: 82 },
        { discountCents: 72, taxCents: 46 },
      ],
    });
  });

  test("price: three times $0.333 is rejected, three times $0.33 is exact", { tags: ["fail:K8"] }, () => {
    expect(itemsTotal([{ quantity: 3, unitCents: cents(33) }])).toBe(99);
    expect(() => itemsTotal([{ quantity: 3, unitCents: 33.3 as Cents }])).toThrow(RangeError);
  });

  test("a line that its discount makes free bears no tax", () => {
    const lines = Array.from({ length: 10 }, () => ({ quantity: 1, unitCents: cents(1) }));
    const { lineShares } = priceOrder({ ...base, lines, discountCents: cents(9), taxRatePpm: 500_000 });
    const taxed = lineShares.filter(({ taxCents }) => taxCents > 0);
    expect(taxed).toEqual([{ discountCents: 0, taxCents: 1 }]);
  });

  test.each([
    [{ lines: [] }, "an empty order"],
    [{ lines: [{ quantity: 3, unitCents: cents(0) }] }, "an order of gifts"],
    [{ lines: [{ quantity: 0, unitCents: cents(500) }] }, "nothing of something"],
  ])("%# costs nothing, fixed fee and delivery included", (change) => {
    const { lineShares, ...amounts } = priceOrder({ ...base, ...change });
    expect(new Set(Object.values(amounts))).toEqual(new Set([0]));
    expect(lineShares.every((share) => share.discountCents === 0 && share.taxCents === 0)).toBe(true);
  });

  test("a discount above the items is cut to them; tip and fees remain", { tags: ["fail:K7"] }, () => {
    const price = priceOrder({ ...base, discountCents: cents(99_999), creditCents: cents(0) });
    expect(price.discountCents).toBe(2025);
    expect(price.taxCents).toBe(0);
    expect(price.orderTotalCents).toBe(203 + 984);
  });

  test("a negative discount or credit is none", () => {
    const price = priceOrder({ ...base, discountCents: cents(-1), creditCents: cents(-1) });
    expect([price.discountCents, price.creditUsedCents]).toEqual([0, 0]);
  });

  test("more credit than the order leaves nothing due and changes no total", () => {
    const price = priceOrder({ ...base, creditCents: cents(1_000_000) });
    expect([price.orderTotalCents, price.creditUsedCents, price.amountDueCents]).toEqual([3140, 3140, 0]);
  });

  test.each([-1, 0.5, Number.NaN])("refuses a quantity of %d", (quantity) => {
    expect(() => priceOrder({ ...base, lines: [{ quantity, unitCents: cents(100) }] })).toThrow(RangeError);
  });

  test("refuses a negative price", () => {
    expect(() => priceOrder({ ...base, lines: [{ quantity: 1, unitCents: cents(-100) }] })).toThrow(RangeError);
    const lines = [
      { quantity: 1, unitCents: cents(-100) },
      { quantity: 1, unitCents: cents(500) },
    ];
    expect(() => itemsTotal(lines)).toThrow(RangeError);
    expect(() => priceOrder({ ...base, lines })).toThrow(RangeError);
  });

  const line = fc.record({
    quantity: fc.integer({ min: 0, max: 999 }),
    unitCents: fc.nat({ max: 100_000 }).map(cents),
  });
  const input = fc.record({
    lines: fc.array(line, { maxLength: 30 }),
    tipPercentage: fc.constantFrom(0, 5, 10, 20),
    taxRatePpm: fc.nat({ max: 200_000 }),
    processing: fc.record({ ppm: fc.nat({ max: 60_000 }), fixedCents: fc.nat({ max: 100 }).map(cents) }),
    deliveryFeeCents: fc.nat({ max: 2000 }).map(cents),
    discountCents: fc.nat({ max: 1_000_000 }).map(cents),
    creditCents: fc.nat({ max: 1_000_000 }).map(cents),
    leastDueCents: fc.constantFrom(cents(0), CARD_MINIMUM),
  });

  test(
    "parts sum to the whole, and each component is a BigInt oracle's half up",
    { tags: ["fail:K8", "fail:K7"] },
    () => {
      const share = (value: bigint, ppm: number) => Number((value * BigInt(ppm) * 2n + 1_000_000n) / 2_000_000n);
      fc.assert(
        fc.property(input, (order) => {
          const price = priceOrder(order);
          const items = order.lines.reduce(
            (sum, { quantity, unitCents }) => sum + BigInt(quantity) * BigInt(unitCents),
            0n,
          );
          expect(price.itemsCents).toBe(Number(items));
          expect(price.tipCents).toBe(share(items, order.tipPercentage * 10_000));
          expect(price.taxCents).toBe(share(items - BigInt(price.discountCents), order.taxRatePpm));
          const fees = items === 0n ? 0 : share(items, order.processing.ppm) + order.processing.fixedCents;
          expect(price.cardFeeCents).toBe(fees);
          expect(price.processingFeeCents).toBe(price.cardFeeCents + price.deliveryFeeCents);
          expect(price.orderTotalCents).toBe(
            price.itemsCents +
              price.tipCents +
              price.processingFeeCents +
              price.taxCents -
              price.discountCents -
              price.waivedCents,
          );
          expect(price.orderTotalCents).toBe(orderTotal(price) - price.waivedCents);
          expect(price.amountDueCents === 0 || price.amountDueCents >= order.leastDueCents).toBe(true);
          expect(price.waivedCents).toBeLessThan(Math.max(order.leastDueCents, 1));
          expect(price.creditUsedCents).toBeLessThanOrEqual(order.creditCents);
          expect(price.creditUsedCents + price.amountDueCents).toBe(price.orderTotalCents);
          expect(addCents(...price.lineShares.map((part) => part.discountCents))).toBe(price.discountCents);
          expect(addCents(...price.lineShares.map((part) => part.taxCents))).toBe(price.taxCents);
          for (const [place, part] of price.lineShares.entries()) {
            const { quantity, unitCents } = getOrThrow(order.lines, place);
            const total = quantity * unitCents;
            expect(part.discountCents >= 0 && part.discountCents <= total).toBe(true);
            if (part.discountCents === total) expect(part.taxCents).toBe(0);
          }
          expect(price.amountDueCents).toBeGreaterThanOrEqual(0);
          expect(price.discountCents).toBeLessThanOrEqual(price.itemsCents);
        }),
        { numRuns: 2000 },
      );
    },
  );
});

test.each([
  [cents(800), null, 800],
  [cents(800), cents(650), 650],
  [cents(800), cents(0), 0],
])("of price %i and sale price %s one pays %i", { tags: ["spec:3-08"] }, (priceCents, salePriceCents, pays) => {
  expect(displayPrice({ priceCents, salePriceCents })).toBe(pays);
});

describe("splitPayment", () => {
  test.for<
    [
      name: string,
      total: number,
      credit: number,
      waivedBefore: number,
      expected: [waived: number, credit: number, due: number],
    ]
  >([
    ["credit that leaves 30 cents: 20 cents more remain", 2030, 2000, 0, [0, 1980, 50]],
    ["credit that leaves 49 cents", 2030, 1981, 0, [0, 1980, 50]],
    ["credit that leaves 1 cent", 2030, 2029, 0, [0, 1980, 50]],
    ["credit that leaves 50 cents", 2030, 1980, 0, [0, 1980, 50]],
    ["credit for all of it", 2030, 2030, 0, [0, 2030, 0]],
    ["a total of 50 cents with credit for a part: no credit is used", 50, 20, 0, [0, 0, 50]],
    ["a total of 40 cents without credit is waived", 40, 0, 0, [40, 0, 0]],
    ["a total of 40 cents with credit for a part: the rest is waived", 40, 30, 0, [10, 30, 0]],
    ["a total of 1 cent", 1, 0, 0, [1, 0, 0]],
    ["a total of 50 cents", 50, 0, 0, [0, 0, 50]],
    ["nothing", 0, 100, 0, [0, 0, 0]],
    ["a rest that was waived before stays, though the total is large", 2020, 2000, 30, [20, 2000, 0]],
  ])("%s", ([, totalCents, creditCents, waivedCents, [waived, credit, due]]) => {
    expect(
      splitPayment({
        totalCents: cents(totalCents),
        creditCents: cents(creditCents),
        waivedCents: cents(waivedCents),
        leastDueCents: CARD_MINIMUM,
      }),
    ).toEqual({
      waivedCents: waived,
      orderTotalCents: totalCents - waived,
      creditCents: credit,
      amountDueCents: due,
    });
  });

  test("where no card is charged any amount may be due", () => {
    const total = { totalCents: cents(2030), creditCents: cents(2000), leastDueCents: cents(0) };
    expect(splitPayment(total)).toMatchObject({ waivedCents: 0, creditCents: 2000, amountDueCents: 30 });
  });
});
