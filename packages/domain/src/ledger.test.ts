import fc from "fast-check";
import { expect, test } from "vitest";

import { allocateReturn, creditEntries, grantEntries, saleEntries, splitReturn, subtractEntries } from "./ledger.ts";
import { cents, zeroCents } from "./money.ts";

const sum = (entries: { amountCents: number }[]) => entries.reduce((total, { amountCents }) => total + amountCents, 0);

test("a sale gives each vendor their lines less commission, and the shopper owes the rest", () => {
  const entries = saleEntries({
    customerId: 7,
    lines: [
      { vendorId: 1, quantity: 2, unitCents: cents(650), commissionPpm: 150_000 },
      { vendorId: 2, quantity: 1, unitCents: cents(725), commissionPpm: 100_000 },
    ],
    tipCents: cents(101),
    taxCents: cents(142),
    cardFeeCents: cents(88),
    deliveryFeeCents: cents(895),
    discountCents: cents(200),
    waivedCents: cents(0),
  });
  expect(entries).toContainEqual({ account: "vendor", customerId: null, vendorId: 1, amountCents: 1105 });
  expect(entries).toContainEqual({ account: "vendor", customerId: null, vendorId: 2, amountCents: 652 });
  expect(entries).toContainEqual({ account: "commission", customerId: null, vendorId: null, amountCents: 268 });
  expect(entries).toContainEqual({ account: "discounts", customerId: null, vendorId: null, amountCents: -200 });
  expect(entries).toContainEqual({
    account: "shopper",
    customerId: 7,
    vendorId: null,
    amountCents: -(2025 + 101 + 142 + 88 + 895 - 200),
  });
  expect(sum(entries)).toBe(0);
});

test("whatever is sold, the entries sum to zero", () => {
  const amount = fc.integer({ min: 0, max: 100_000 }).map(cents);
  fc.assert(
    fc.property(
      fc.record({
        customerId: fc.integer({ min: 1, max: 9 }),
        lines: fc.array(
          fc.record({
            vendorId: fc.integer({ min: 1, max: 4 }),
            quantity: fc.integer({ min: 1, max: 30 }),
            unitCents: amount,
            commissionPpm: fc.integer({ min: 0, max: 1_000_000 }),
          }),
          { maxLength: 12 },
        ),
        tipCents: amount,
        taxCents: amount,
        cardFeeCents: amount,
        deliveryFeeCents: amount,
        discountCents: amount,
        waivedCents: amount,
      }),
      (sale) => sum(saleEntries(sale)) === 0,
    ),
  );
});

test("credit moves from the customer's store credit to what they owe", () => {
  expect(creditEntries(3, cents(500))).toEqual([
    { account: "store_credit", customerId: 3, vendorId: null, amountCents: -500 },
    { account: "shopper", customerId: 3, vendorId: null, amountCents: 500 },
  ]);
  expect(creditEntries(3, cents(0))).toEqual([]);
});

test("what the market gives by hand it bears", () => {
  expect(grantEntries({ customerId: 3 }, cents(500))).toEqual([
    { account: "promotions", customerId: null, vendorId: null, amountCents: -500 },
    { account: "store_credit", customerId: 3, vendorId: null, amountCents: 500 },
  ]);
  expect(grantEntries("gift_cards", cents(2500)).map(({ account, amountCents }) => [account, amountCents])).toEqual([
    ["promotions", -2500],
    ["gift_cards", 2500],
  ]);
});

test("splitReturn: goodwill and what is returned are together at most what was paid, and lowering to nothing returns the rest", () => {
  const amount = fc.nat(20_000).map(cents);
  fc.assert(
    fc.property(amount, amount, amount, fc.option(amount), (credit, charge, given, cardLeftCents) => {
      const paidCents = cents(credit + charge);
      const goodwillCents = cents(Math.min(given, paidCents));
      const money = { paidCents, goodwillCents, creditLoweredCents: credit, chargeLoweredCents: charge, cardLeftCents };
      const split = splitReturn(money);
      expect(split.creditCents + split.chargeCents + split.insteadCents + goodwillCents).toBe(paidCents);
      expect(split.goodwillCents).toBe(goodwillCents);
      expect(split.creditCents).toBeLessThanOrEqual(credit);
      expect(split.chargeCents).toBeLessThanOrEqual(cardLeftCents ?? charge);
      expect(Math.min(...Object.values(split))).toBeGreaterThanOrEqual(0);
    }),
  );
});

test("splitReturn: without goodwill each part comes back to where it came from", () => {
  const money = { paidCents: cents(10_000), goodwillCents: zeroCents, creditLoweredCents: cents(600) };
  expect(splitReturn({ ...money, chargeLoweredCents: cents(400), cardLeftCents: cents(4000) })).toEqual({
    creditCents: 600,
    chargeCents: 400,
    insteadCents: 0,
    goodwillCents: 0,
  });
});

test("a change of a sale with two vendors is booked on each vendor's own account", () => {
  const lines = [
    { vendorId: 1, quantity: 2, unitCents: cents(1000), commissionPpm: 100_000 },
    { vendorId: 2, quantity: 1, unitCents: cents(500), commissionPpm: 100_000 },
  ];
  const none = { tipCents: cents(0), taxCents: cents(0), cardFeeCents: cents(0), deliveryFeeCents: cents(0) };
  const saleOf = (units: readonly number[]) =>
    saleEntries({
      customerId: 7,
      lines: lines.map((line, place) => ({ ...line, quantity: units[place]! })),
      ...none,
      discountCents: cents(0),
      waivedCents: cents(0),
    });
  const vendors = subtractEntries(saleOf([1, 0]), saleOf([2, 1])).flatMap(({ vendorId, amountCents }) =>
    vendorId === null ? [] : [[vendorId, amountCents]],
  );
  expect(vendors).toEqual([
    [1, -900],
    [2, -450],
  ]);
});

test.each([
  [0, []],
  [200, [200]],
  [300, [300]],
  [301, [300, 1]],
  [800, [300, 500]],
  [801, [301, 500]],
])(
  "allocateReturn: of %i cents each order has at most what it has left, and the first what is more",
  (amount, parts) => {
    const orders = [
      { id: 1, leftCents: cents(300) },
      { id: 2, leftCents: cents(500) },
    ];
    expect(allocateReturn(cents(amount), orders)).toEqual(
      parts.map((amountCents, place) => ({ orderId: place + 1, amountCents })),
    );
    // A purchase has no order.
    expect(allocateReturn(cents(amount), [])).toEqual(amount === 0 ? [] : [{ orderId: null, amountCents: amount }]);
  },
);
