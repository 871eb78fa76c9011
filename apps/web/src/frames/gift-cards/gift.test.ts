import { expect, test } from "vitest";

import { amountCents, giftControls, giftProblems } from "./gift.ts";

const gift = { amount: "25", recipientEmail: "kim@example.com", message: "", deliverOn: "2026-11-23" };
const fields = (change: object) => giftProblems({ ...gift, ...change }, "2026-11-23").map(({ field }) => field);

test("an amount is read as people type it", () => {
  expect(["25", "$25", " 25.5 ", "25.05", "500.00"].map(amountCents)).toEqual([2500, 2500, 2550, 2505, 50_000]);
  expect(["", "ten", "1,000", "-25", "25.123", "1e3"].map(amountCents)).toEqual([null, null, null, null, null, null]);
});

test(
  "a gift card is worth 10 to 500 dollars, has a recipient, and is not sent in the past",
  { tags: ["spec:1-04"] },
  () => {
    expect(fields({})).toEqual([]);
    expect(fields({ amount: "10" })).toEqual([]);
    expect(fields({ amount: "500" })).toEqual([]);
    for (const amount of ["9.99", "500.01", "", "x"]) expect(fields({ amount })).toEqual([giftControls.amount]);
    expect(fields({ recipientEmail: "kim" })).toEqual([giftControls.recipientEmail]);
    expect(fields({ deliverOn: "2026-11-22" })).toEqual([giftControls.deliverOn]);
    expect(fields({ deliverOn: "2027-11-24" })).toEqual([]);
    expect(fields({ deliverOn: "2027-11-25" })).toEqual([giftControls.deliverOn]);
    expect(fields({ deliverOn: "" })).toEqual([giftControls.deliverOn]);
  },
);
