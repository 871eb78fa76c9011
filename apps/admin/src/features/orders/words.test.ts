import type { CancelPlan } from "@marketday/contracts/admin/orders";
import { expect, test } from "vitest";

import * as bulk from "#messages/bulk";
import * as orders from "#messages/orders";

import { effectOf } from "./effect.ts";
import { moneyStatus } from "./format.ts";
import { eventTitle, personName } from "./history-words.ts";
import { formatEntry } from "./ledger-table.tsx";

test("keys: the selected orders and the order that is open beside them share none, nor one with their list", () => {
  const ofList = ["E", "F", "J", "K", "X", "G"];
  const all = [...Object.values(bulk.verbKeys), ...Object.values(orders.verbKeys), ...ofList];
  expect(all.filter((key, at) => all.indexOf(key) !== at)).toEqual([]);
});

test.each([
  [{ kind: "mail", what: "order-confirmation" }, "Email “Order confirmation”"],
  [{ kind: "mail", what: "a-new-template" }, "Email “a-new-template”"],
  [{ kind: "audit", what: "orders short" }, "Short"],
  [{ kind: "audit", what: "orders <b>new</b>" }, "orders <b>new</b>"],
  [{ kind: "order", what: "frozen" }, "On the sheets"],
  [{ kind: "money", what: "charged" }, "Card charged"],
  [{ kind: "money", what: " " }, "money"],
] as const)("history: %j is shown as %j", (event, title) => {
  expect(eventTitle(event)).toBe(title);
});

test.each([
  ["staff:ada@example.com", "ada@example.com"],
  ["customer:12", "the customer"],
  ["system:week", "automatic"],
  ["robot:7", "robot:7"],
  [null, null],
])("history: who did it, %j, is shown as %j", (who, name) => {
  expect(personName(who)).toBe(name);
});

const plan: CancelPlan = {
  orderIds: [1],
  back: 0,
  credit: 0,
  uncharged: 0,
  uncollected: 0,
  bank: 0,
  earlier: 0,
  mails: 0,
};

test("cancellation: its effect names every place of the money and the emails", () => {
  expect(effectOf({ ...plan, back: 70.3, mails: 2 }, "card")).toBe("$70.30 back to the card, 2 emails");
  expect(effectOf({ ...plan, back: 70.3, credit: 80.3, mails: 1 }, "credit")).toBe("$80.30 to store credit, 1 email");
  expect(effectOf({ ...plan, credit: 10, uncollected: 31.2, earlier: 5 }, "card")).toBe(
    "$10.00 to store credit, $31.20 isn’t collected at the door, $5.00 was given back before, no emails",
  );
  expect(effectOf(plan, "card")).toBe("No money moves, no emails");
});

test("money of a box: what a person should act on has the amount in its word", () => {
  expect(moneyStatus({ state: "due", amount: 31.2 })).toEqual({ shape: "due", word: "Collect $31.20" });
  expect(moneyStatus({ state: "back_failed", amount: 4 })).toEqual({ shape: "late", word: "Refund $4.00 failed" });
});

test("ledger: an amount has a real minus and two decimals", () => {
  expect([formatEntry(-5.94), formatEntry(1234.5), formatEntry(0)]).toEqual(["−5.94", "1,234.50", "0.00"]);
});
