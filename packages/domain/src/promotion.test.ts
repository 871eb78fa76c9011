import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { cents } from "./money.ts";
import {
  CODE_MESSAGES,
  combineDiscounts,
  evaluateCode,
  moveDiscounts,
  normaliseCode,
  type CodeContext,
  type DiscountCode,
} from "./promotion.ts";

const now = new Date("2026-11-24T12:00:00Z");
const later = new Date(now.getTime() + 1);
const code: DiscountCode = {
  percentPpm: 100_000,
  amountCents: null,
  minimumCents: cents(0),
  startsAt: null,
  endsAt: null,
  useLimit: null,
  oncePerCustomer: true,
  hubId: null,
};
const context: CodeContext = { itemsCents: cents(2025), now, hubId: 3, usedByCustomer: false, uses: 0 };

describe("evaluateCode", () => {
  test.each([
    [{}, {}, 203], // 202.5 up
    [{ percentPpm: null, amountCents: cents(500) }, {}, 500],
    [{ percentPpm: null, amountCents: cents(5000) }, {}, 2025],
    [{ percentPpm: 1_000_000 }, {}, 2025],
    [{ percentPpm: null, amountCents: null }, {}, 0],
    [{ minimumCents: cents(2025) }, {}, 203],
    [{ hubId: 3 }, {}, 203],
    [{ startsAt: now, endsAt: later }, {}, 203],
    [{ useLimit: 2 }, { uses: 1 }, 203],
    [{ oncePerCustomer: false }, { usedByCustomer: true }, 203],
  ])("%j with %j takes %i off", (rule, change, discountCents) => {
    expect(evaluateCode({ ...code, ...rule }, { ...context, ...change })).toEqual({ ok: true, discountCents });
  });

  test.each([
    [{ startsAt: later }, {}, "not_started"],
    [{ endsAt: now }, {}, "ended"],
    [{ hubId: 4 }, {}, "other_hub"],
    [{ hubId: 4 }, { hubId: null }, "other_hub"],
    [{}, { usedByCustomer: true }, "already_used"],
    [{ useLimit: 1 }, { uses: 1 }, "used_up"],
    [{ minimumCents: cents(2026) }, {}, "minimum"],
  ] as const)("%j with %j is refused: %s", (rule, change, reason) => {
    expect(evaluateCode({ ...code, ...rule }, { ...context, ...change })).toEqual({ ok: false, reason });
    expect(CODE_MESSAGES[reason]).not.toBe("");
  });
});

test.each([
  [1000, 300, 2000, 300, 700],
  [5000, 300, 2000, 300, 2000],
  [1000, 1500, 2000, 1000, 0],
  [0, 100, 2000, 0, 0],
  [2500, 0, 2000, 0, 2000],
])(
  "of %i cents a code of %i and a referral of %i take %i and %i",
  { tags: ["fail:K7"] },
  (items, given, referral, codeCents, referralCents) => {
    const parts = { itemsCents: cents(items), codeCents: cents(given), referralCents: cents(referral) };
    expect(combineDiscounts(parts)).toEqual({ codeCents, referralCents, discountCents: codeCents + referralCents });
  },
);

test("never below zero, and the parts sum to the discount", { tags: ["fail:K7"] }, () => {
  const amount = fc.nat({ max: 10_000 }).map(cents);
  fc.assert(
    fc.property(amount, amount, amount, (itemsCents, codeCents, referralCents) => {
      const combined = combineDiscounts({ itemsCents, codeCents, referralCents });
      expect(combined.codeCents + combined.referralCents).toBe(combined.discountCents);
      expect(combined.discountCents).toBe(Math.min(itemsCents, codeCents + referralCents));
    }),
  );
});

test("codes are compared without case and spaces around", () => {
  expect(normaliseCode("  harvest10 ")).toBe("HARVEST10");
});

describe("moveDiscounts", () => {
  test.each([
    [2000, null, 300, { codeCents: 0, referralCents: 300 }],
    [200, null, 300, { codeCents: 0, referralCents: 200 }],
    [2000, { percentPpm: 100_000 }, 300, { codeCents: 200, referralCents: 300 }],
    [2000, { percentPpm: null, amountCents: cents(500) }, 1800, { codeCents: 500, referralCents: 1500 }],
    [2000, { percentPpm: null, amountCents: cents(5000) }, 300, { codeCents: 2000, referralCents: 0 }],
    [2000, { percentPpm: null, amountCents: null }, 0, { codeCents: 0, referralCents: 0 }],
    [2000, { minimumCents: cents(2000) }, 0, { codeCents: 200, referralCents: 0 }],
    [2000, { minimumCents: cents(2001) }, 300, { codeCents: 0, referralCents: 300 }],
  ] as const)("items of %i with the code %j and a referral of %i are worth %j", (items, rule, referral, worth) => {
    const moved = moveDiscounts(cents(items), rule && { ...code, ...rule }, cents(referral));
    expect(moved).toEqual(worth);
  });
});
