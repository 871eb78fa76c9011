import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { type OrderLine, planEdit } from "./order-edit.ts";

describe("planEdit", () => {
  const line = (variantId: number, quantity: number, isPublished = true) => ({ variantId, quantity, isPublished });
  const current = [line(1, 3), line(2, 1), line(3, 2, false)];

  test("lowers, removes what is left out, and returns the units that go back to stock", { tags: ["spec:4-28"] }, () => {
    expect(
      planEdit(current, [
        { variantId: 1, quantity: 2 },
        { variantId: 3, quantity: 2 },
      ]),
    ).toEqual({
      ok: true,
      lines: [line(1, 2), line(3, 2, false)],
      removed: [line(1, 1), line(2, 1)],
    });
  });

  test("the same again changes nothing", () => {
    expect(planEdit(current, current)).toEqual({ ok: true, lines: current, removed: [] });
  });

  test.each([[[]], [[{ variantId: 1, quantity: 0 }]], [[{ variantId: 99, quantity: 0 }]]])(
    "nothing left: %j",
    { tags: ["spec:4-29"] },
    (wanted) => {
      expect(planEdit(current, wanted)).toEqual({ ok: true, lines: [], removed: current });
    },
  );

  test.each([
    [[{ variantId: 1, quantity: 4 }], { reason: "raised", variantId: 1 }],
    [[{ variantId: 9, quantity: 1 }], { reason: "added", variantId: 9 }],
    [[{ variantId: 3, quantity: 3 }], { reason: "unpublished", variantId: 3 }],
    // twice the same variant is the sum
    [
      [
        { variantId: 1, quantity: 2 },
        { variantId: 1, quantity: 2 },
      ],
      { reason: "raised", variantId: 1 },
    ],
  ])("refuses %j", { tags: ["fail:A12", "spec:4-28"] }, (wanted, refusal) => {
    expect(planEdit(current, wanted)).toEqual({ ok: false, ...refusal });
  });

  const twice = [
    { ...line(1, 2), bundleId: null },
    { ...line(1, 3), bundleId: 7 },
  ];

  test.each([
    [
      [1, 3],
      [1, 3],
    ],
    [
      [2, 0],
      [2, 0],
    ],
    [
      [0, 3],
      [0, 3],
    ],
    [[4], [2, 2]], // one sum: earlier lines first
    [
      [3, 1],
      [2, 2],
    ], // does not fit in place
    [[1], [1, 0]],
  ])("a variant alone and from a bundle, wanted as %j", (wanted, quantities) => {
    const plan = planEdit(
      twice,
      wanted.map((quantity) => ({ variantId: 1, quantity })),
    );
    if (!plan.ok) throw new Error(plan.reason);
    const quantityIn = (bundleId: number | null) =>
      plan.lines.find((kept) => kept.bundleId === bundleId)?.quantity ?? 0;
    expect([quantityIn(null), quantityIn(7)]).toEqual(quantities);
  });

  test.each([-1, 0.5, Number.NaN])("a quantity of %d throws", (quantity) => {
    expect(() => planEdit(current, [{ variantId: 1, quantity }])).toThrow(RangeError);
  });

  test("kept and removed make up the order, and no variant ends with more than requested", () => {
    const lines = fc.array(
      fc.record({ variantId: fc.nat({ max: 4 }), quantity: fc.integer({ min: 1, max: 9 }), isPublished: fc.boolean() }),
      { maxLength: 8 },
    );
    const wants = fc.array(fc.record({ variantId: fc.nat({ max: 5 }), quantity: fc.nat({ max: 9 }) }), {
      maxLength: 8,
    });
    const units = (of: readonly { variantId: number; quantity: number }[], id: number) =>
      of.filter(({ variantId }) => variantId === id).reduce((all, { quantity }) => all + quantity, 0);
    fc.assert(
      fc.property(lines, wants, (order: OrderLine[], wanted) => {
        const plan = planEdit(order, wanted);
        const ids = [0, 1, 2, 3, 4, 5];
        if (!plan.ok) {
          expect(units(wanted, plan.variantId)).toBeGreaterThan(units(order, plan.variantId));
          return;
        }
        for (const id of ids) {
          expect(units(plan.lines, id)).toBe(units(wanted, id));
          expect(units(plan.lines, id) + units(plan.removed, id)).toBe(units(order, id));
        }
        expect([...plan.lines, ...plan.removed].every(({ quantity }) => quantity > 0)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
