import type { Order, OrderItem } from "@marketday/contracts/orders";
import { expect, test } from "vitest";

import { explain, formatAdded, formatAddOn, formatDay, formatItemCount, groupOrders, whyNotAgain } from "./format.ts";

const order = (id: number, status: Order["status"], deliveryDate: string) => ({ id, status, deliveryDate });

test(
  "open and pending orders are open ones, then future, then completed, the next one first",
  { tags: ["spec:4-27"] },
  () => {
    const groups = groupOrders([
      order(1, "closed", "2026-10-01"),
      order(2, "future", "2026-12-24"),
      order(3, "open", "2026-12-03"),
      order(4, "closed", "2026-10-08"),
      order(5, "pending", "2026-11-26"),
      order(6, "cancelled", "2026-09-03"),
    ]);
    expect(groups.map(({ title, orders }) => [title, orders.map(({ id }) => id)])).toEqual([
      ["Open orders", [5, 3]],
      ["Future orders", [2]],
      ["Completed orders", [4, 1, 6]],
    ]);
    expect(groupOrders([])).toEqual([]);
  },
);

test("an open order says how long it can be added to, a pending one when it arrives", () => {
  const open = {
    status: "open",
    type: "delivery",
    deliveryDate: "2026-11-26",
    cutoff: "2026-11-25T06:00:00Z",
    timeZone: "America/Indiana/Indianapolis",
  } as Order;
  expect(formatAddOn(open, new Date("2026-11-23T05:00:00Z"))).toBe("2 days left to add");
  expect(formatAddOn(open, new Date("2026-11-25T00:00:00Z"))).toBe("6 hours left");
  expect(formatAddOn(open, new Date("2026-11-25T06:00:00Z"))).toBeNull();
  expect(formatAddOn({ ...open, status: "pending" }, new Date("2026-11-23T05:00:00Z"))).toBeNull();
  const now = new Date("2026-11-23T05:00:00Z");
  expect(formatDay(open, now)).toBe("Arrives Thursday, November 26");
  expect(formatDay({ ...open, status: "closed" }, now)).toBe("Delivered Thursday, November 26");
  expect(formatDay({ ...open, type: "pickup" }, now)).toBe("Ready Thursday, November 26");
  // The new year begins in the market's zone.
  const eve = new Date("2027-01-01T04:59:59Z");
  expect(formatDay({ ...open, status: "closed" }, eve)).toBe("Delivered Thursday, November 26");
  expect(formatDay({ ...open, status: "closed" }, new Date("2027-01-01T05:00:00Z"))).toBe(
    "Delivered Thursday, November 26, 2026",
  );
});

test("an order says what its state means, with the amounts of its whole box", () => {
  const box = {
    status: "pending",
    type: "pickup",
    deliveryDate: "2026-11-26",
    cutoff: "2026-11-25T06:00:00Z",
    timeZone: "America/Indiana/Indianapolis",
    pickupAddress: { name: "Depot Barn" },
    paymentProblem: null,
    packed: "all",
    isPaidAtDoor: false,
    missing: ["2 × Duck Eggs"],
    refunds: { done: 4.5, underway: 0, byHand: 0, failed: 0 },
    waived: 0.3,
    addOnOrders: [{ waived: 0.07 }],
  } as Order;
  expect(explain(box, new Date("2026-11-26T15:00:00Z"))).toEqual([
    "Ready today at Depot Barn.",
    "2 × Duck Eggs didn’t come. You don’t pay for what’s missing.",
    "$4.50 was returned to you.",
    "You don’t pay $0.37 of it: that’s too little for a card.",
  ]);
  // From a server of the version before, which knows no more than where it is.
  const { paymentProblem: _1, packed: _2, isPaidAtDoor: _3, missing: _4, refunds: _5, ...older } = box;
  expect(explain({ ...older, waived: 0, addOnOrders: [] }, new Date("2026-11-26T15:00:00Z"))).toEqual([
    "Ready today at Depot Barn.",
  ]);
});

test("a line that cannot be ordered again says why", { tags: ["spec:4-30"] }, () => {
  const item = (isPublished: boolean, inventory: number) =>
    ({ isPublished, product: { variant: { inventory } } }) as OrderItem;
  expect([whyNotAgain(item(true, 2)), whyNotAgain(item(true, 0)), whyNotAgain(item(false, 9))]).toEqual([
    null,
    "Out of stock",
    "Unavailable",
  ]);
});

test("orders of one day are listed in the same order, whichever the server sends first", () => {
  const same = [order(3, "open", "2026-12-03"), order(5, "open", "2026-12-03"), order(4, "closed", "2026-10-01")];
  const both = [...same, order(6, "closed", "2026-10-01")];
  expect(groupOrders(both)).toEqual(groupOrders(both.toReversed()));
  expect(groupOrders(both)[0]?.orders.map(({ id }) => id)).toEqual([5, 3]);
});

test("of two add-ons each has its own day, the box's first order has none", () => {
  const box = {
    timeZone: "America/Indiana/Indianapolis",
    addOnOrders: [
      { id: 8, created: "2026-11-23T17:00:00Z" },
      { id: 9, created: "2026-11-25T04:30:00Z" },
    ],
  } as unknown as Order;
  const now = new Date("2026-11-25T05:30:00Z");
  expect(formatAdded(box, 8, now)).toBe("Added on Monday, November 23");
  // Still Tuesday in the market's zone.
  expect(formatAdded(box, 9, now)).toBe("Added on Tuesday, November 24");
  expect(formatAdded(box, 7, now)).toBeNull();
});

test("a canceled order was scheduled, a closed pickup was picked up", () => {
  const base = { type: "pickup", deliveryDate: "2026-11-26", timeZone: "America/Indiana/Indianapolis" } as const;
  const now = new Date("2026-11-27T12:00:00Z");
  expect(formatDay({ ...base, status: "cancelled" }, now)).toBe("Was scheduled for Thursday, November 26");
  expect(formatDay({ ...base, status: "closed" }, now)).toBe("Picked up Thursday, November 26");
});

test("each amount that is given back is named by where it stands", () => {
  const box = {
    status: "cancelled",
    type: "delivery",
    deliveryDate: "2026-11-26",
    cutoff: "2026-11-25T06:00:00Z",
    timeZone: "America/Indiana/Indianapolis",
    pickupAddress: null,
    refunds: { done: 1, underway: 2, byHand: 3, failed: 4 },
    waived: 0,
    addOnOrders: [],
  } as unknown as Order;
  const words = explain(box, new Date("2026-11-24T15:00:00Z")).join(" ");
  expect(words).toContain("$1.00 was returned to you.");
  expect(words).toContain("$2.00 is on its way back to you.");
  expect(words).toContain("the $3.00 that you paid at pickup");
  expect(words).toContain("return $4.00 to your card");
});

test("a box's items are counted by their quantities", () => {
  const of = (...quantities: number[]) => formatItemCount(quantities.map((quantity) => ({ quantity })));
  expect([of(), of(1), of(2), of(1, 3)]).toEqual(["0 items", "1 item", "2 items", "4 items"]);
});
