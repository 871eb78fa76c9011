import { expect, test } from "vitest";

import { AmountComparison, LargeChangesRefused } from "./amount-changes.ts";

const price = (subject: string, before: number | null, after: number | null) =>
  ({ subject, field: "price", unit: "cents", before, after }) as const;
const WRITE = { dryRun: false, accepted: null } as const;
/** The refusal of these changes. */
function refusalOf(...changes: ReturnType<typeof price>[]): LargeChangesRefused {
  const comparison = new AmountComparison();
  for (const change of changes) comparison.add(change);
  try {
    comparison.finish(WRITE);
  } catch (error) {
    if (error instanceof LargeChangesRefused) return error;
  }
  throw new Error("not refused");
}

test("amount changes: one by exactly three times is written, one by more is refused unless it is accepted", () => {
  const small = new AmountComparison();
  small.add(price("eggs", 100, 300));
  expect(small.finish(WRITE)).toEqual({
    changes: [{ ...price("eggs", 100, 300), isLarge: false }],
    count: 1,
    largeCount: 0,
  });
  const refused = refusalOf(price("eggs", 100, 301));
  expect([refused.message, refused.amounts.largeCount]).toEqual(["1 large changes of amounts", 1]);
  for (const accepted of ["all", { fingerprint: refused.fingerprint }] as const) {
    const comparison = new AmountComparison();
    comparison.add(price("eggs", 100, 301));
    expect(comparison.finish({ dryRun: false, accepted }).largeCount).toBe(1);
  }
});

test("amount changes: an acceptance of some large changes is not one of others, and a dry run lists them all", () => {
  const eggs = refusalOf(price("eggs", 100, 1000));
  const other = refusalOf(price("eggs", 100, 1001));
  const both = refusalOf(price("eggs", 100, 1000), price("milk", 200, 0));
  expect(new Set([eggs, other, both].map(({ fingerprint }) => fingerprint)).size).toBe(3);
  // Changes that are not large belong to no fingerprint.
  expect(refusalOf(price("jam", 100, 101), price("eggs", 100, 1000)).fingerprint).toBe(eggs.fingerprint);
  const comparison = new AmountComparison();
  comparison.add(price("jam", 100, 101));
  comparison.add(price("eggs", 100, 1000));
  comparison.add(price("milk", 200, 0));
  expect(() => comparison.finish({ dryRun: false, accepted: { fingerprint: eggs.fingerprint } })).toThrow(
    LargeChangesRefused,
  );
  const again = new AmountComparison();
  for (const change of [price("jam", 100, 101), price("eggs", 100, 1000), price("milk", 200, 0)]) again.add(change);
  const { changes, count, largeCount } = again.finish({ dryRun: true, accepted: null });
  expect([changes.map(({ subject }) => subject), count, largeCount]).toEqual([["eggs", "milk", "jam"], 3, 2]);
});

test("amount changes: a new item is listed only when it is far from what it is compared with", () => {
  const comparison = new AmountComparison();
  comparison.add(price("eggs", null, 500), { isNew: true });
  comparison.add(price("milk", null, 500), { isNew: true, reference: 400 });
  comparison.add(price("jam", null, 50_000), { isNew: true, reference: 500 });
  comparison.add(price("pie", null, 700));
  const { changes, count, largeCount } = comparison.finish({ dryRun: true, accepted: null });
  expect([changes.map(({ subject, isLarge }) => [subject, isLarge]), count, largeCount]).toEqual([
    [
      ["jam", true],
      ["pie", false],
    ],
    2,
    1,
  ]);
});

test("amount changes: of each sort a thousand are listed, all are counted, and each large one is part of the fingerprint", () => {
  const comparison = new AmountComparison();
  const large = Array.from({ length: 1001 }, (_, n) => price(`item ${n}`, 100, 1000));
  for (const change of large) comparison.add(change);
  for (let n = 0; n < 1001; n += 1) comparison.add(price(`other ${n}`, 100, 101));
  const { changes, count, largeCount } = comparison.finish({ dryRun: true, accepted: null });
  expect([changes.length, count, largeCount]).toEqual([2000, 2002, 1001]);
  expect(refusalOf(...large).fingerprint).not.toBe(refusalOf(...large.slice(0, 1000)).fingerprint);
});
