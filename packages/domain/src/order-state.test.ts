import { expect, test } from "vitest";

import { explainOrder, type OrderState } from "./order-state.ts";

const NOTHING = { done: null, underway: null, byHand: null, failed: null };
const order: OrderState = {
  status: "open",
  type: "delivery",
  deliveryDate: "2026-12-03", // Thursday
  cutoff: new Date("2026-12-02T06:00:00Z"), // Wednesday, 1AM
  timeZone: "America/Indiana/Indianapolis",
  pickupPoint: null,
  paymentProblem: null,
  packed: "all",
  isPaidAtDoor: false,
  missing: [],
  refunds: NOTHING,
  waived: null,
};
const pickup = { type: "pickup", pickupPoint: "Depot Barn" } as const;
const BEFORE = "2026-11-30T18:00:00Z";
const AFTER = "2026-12-02T06:00:00Z";
const ON_THE_DAY = "2026-12-03T05:00:00Z";
const DAY_AFTER = "2026-12-04T05:00:00Z";

test.each<[at: string, change: Partial<OrderState>, sentences: string[]]>([
  ["2026-11-25T06:00:00Z", {}, ["You can change this until 1AM Wednesday, December 2."]],
  [BEFORE, {}, ["You can change this until 1AM Wednesday."]],
  ["2026-11-25T06:00:00Z", { status: "future" }, ["Not yet due. You can change this until 1AM Wednesday, December 2."]],
  [BEFORE, { status: "future" }, ["Not yet due. You can change this until 1AM Wednesday, December 2."]],
  // The job of the cutoff has not run yet, then it has.
  [AFTER, {}, ["Being packed. It comes on Thursday."]],
  [AFTER, { status: "future" }, ["Being packed. It comes on Thursday."]],
  [AFTER, { status: "pending" }, ["Being packed. It comes on Thursday."]],
  // Closed ahead of its cutoff.
  [BEFORE, { status: "pending" }, ["Being packed. It comes on Thursday."]],
  [AFTER, { status: "pending", ...pickup }, ["Being packed. Pick it up at Depot Barn on Thursday."]],
  ["2026-12-03T04:59:59Z", { status: "pending" }, ["Being packed. It comes on Thursday."]],
  [ON_THE_DAY, { status: "pending" }, ["On its way to you today."]],
  [ON_THE_DAY, { status: "pending", ...pickup }, ["Ready today at Depot Barn."]],
  [DAY_AFTER, { status: "pending" }, ["Was due on Thursday, December 3. Tell us if it didn’t come."]],
  [
    DAY_AFTER,
    { status: "pending", ...pickup },
    ["Was ready on Thursday, December 3. Call us if you couldn’t pick it up."],
  ],
  [DAY_AFTER, { status: "closed" }, ["Brought to your door."]],
  [DAY_AFTER, { status: "closed", ...pickup }, ["Handed out at Depot Barn."]],
  [DAY_AFTER, { status: "closed", packed: "none" }, ["Was not delivered: it was not paid."]],
  [DAY_AFTER, { status: "closed", packed: "none", ...pickup }, ["Was not handed out: it was not paid."]],
  [BEFORE, { status: "cancelled" }, ["You don’t pay for it."]],
  [DAY_AFTER, { status: "cancelled", refunds: { ...NOTHING, done: "$42.10" } }, ["$42.10 was returned to you."]],
  [
    DAY_AFTER,
    { status: "cancelled", refunds: { ...NOTHING, underway: "$5.00", failed: "$4.00" } },
    ["$5.00 is on its way back to you.", "We couldn’t return $4.00 to your card. See our email about it."],
  ],
  [
    DAY_AFTER,
    { status: "cancelled", refunds: { ...NOTHING, byHand: "$12.00" } },
    ["We will give you back the $12.00 that you paid at pickup or at the door."],
  ],
])("at %s an order that is %j: %j", (at, change, sentences) => {
  expect(explainOrder({ ...order, ...change }, new Date(at))).toEqual(sentences);
});

test.each<[at: string, change: Partial<OrderState>, more: string[]]>([
  [BEFORE, { paymentProblem: "bank" }, ["Your bank needs to confirm this payment. Check your cards by 1AM Wednesday."]],
  [
    BEFORE,
    { paymentProblem: "card" },
    ["Your bank no longer holds the money for it. Check your cards by 1AM Wednesday."],
  ],
  [
    AFTER,
    { status: "pending", paymentProblem: "bank" },
    ["Not paid yet: your bank needs to confirm this payment. Check your cards, or pay at the door."],
  ],
  [
    AFTER,
    { status: "pending", paymentProblem: "card", ...pickup },
    ["Not paid yet: we couldn’t charge your card. Check your cards, or pay when you pick it up."],
  ],
  [
    DAY_AFTER,
    { status: "closed", paymentProblem: "card" },
    ["Not paid yet: we couldn’t charge your card. Check your cards."],
  ],
  [
    ON_THE_DAY,
    { status: "pending", paymentProblem: "card", packed: "part" },
    ["Not paid yet: we couldn’t charge your card. Check your cards.", "What isn’t paid isn’t packed."],
  ],
  [AFTER, { paymentProblem: "card" }, []],
  [AFTER, { status: "pending", packed: "part" }, ["We haven’t charged your card yet."]],
  [AFTER, { status: "pending", packed: "none" }, ["We haven’t charged your card yet."]],
  [DAY_AFTER, { status: "closed", packed: "none" }, []],
  [BEFORE, { isPaidAtDoor: true }, ["You pay at the door."]],
  [BEFORE, { isPaidAtDoor: true, ...pickup }, ["You pay when you pick it up."]],
  [DAY_AFTER, { isPaidAtDoor: true, status: "closed" }, []],
  [
    ON_THE_DAY,
    { status: "pending", missing: ["2 × Duck Eggs", "1 × Leeks"], refunds: { ...NOTHING, done: "$9.00" } },
    ["2 × Duck Eggs, 1 × Leeks didn’t come. You don’t pay for what’s missing.", "$9.00 was returned to you."],
  ],
  [BEFORE, { waived: "$0.37" }, ["You don’t pay $0.37 of it: that’s too little for a card."]],
])("at %s the payment and the items of an order that is %j: %j", (at, change, more) => {
  expect(explainOrder({ ...order, ...change }, new Date(at)).slice(1)).toEqual(more);
});

test.each<[at: string, change: Partial<OrderState>, sentences: string[]]>([
  [AFTER, { paymentProblem: "card" }, ["Not packed until it is paid.", "Not paid yet: we couldn’t charge your card."]],
  [
    ON_THE_DAY,
    { paymentProblem: "bank" },
    ["Not packed until it is paid.", "Not paid yet: your bank needs to confirm"],
  ],
  [DAY_AFTER, { paymentProblem: "card" }, ["Was not delivered: it was not paid.", "Not paid yet: we couldn’t charge"]],
])("at %s a box of which nothing is packed, that is %j: %j, and no payment at the door", (at, change, starts) => {
  const sentences = explainOrder({ ...order, status: "pending", packed: "none", ...change }, new Date(at));
  expect(sentences).toEqual(starts.map((start) => expect.stringContaining(start)));
  expect(sentences.at(-1)).toMatch(/Check your cards\.$/);
});
