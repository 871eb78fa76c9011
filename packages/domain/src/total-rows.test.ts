import { expect, test } from "vitest";

import { formatTotalRow, totalRows } from "./total-rows.ts";

const parts = { type: "delivery", items: 2175, discount: 0, delivery: 895, tip: 0, processing: 59, tax: 0, waived: 0 };
const texts = (change: object) =>
  totalRows({ ...parts, type: "delivery", ...change }).map((row) => formatTotalRow(row).join(" "));

test("a total has delivery and processing as two lines, and no line for what is not in it", () => {
  expect(texts({})).toEqual(["Items $21.75", "Home delivery $8.95", "Processing fee $0.59", "Tax $0.00"]);
  expect(texts({ discount: 200, delivery: 0, tip: 218, tax: 138, waived: 37 })).toEqual([
    "Items $21.75",
    "Discount −$2.00",
    "Home delivery Free",
    "Tip for the driver $2.18",
    "Processing fee $0.59",
    "Tax $1.38",
    "Waived, under $0.50 −$0.37",
  ]);
  expect(texts({ discount: 1, tip: 1, waived: 1 }).filter((text) => text.endsWith("$0.01"))).toHaveLength(3);
  expect(texts({ type: "pickup", delivery: 895 })[1]).toBe("Pickup Free");
});
