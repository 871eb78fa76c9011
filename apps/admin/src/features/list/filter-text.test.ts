import { ORDER_TOKEN_VALUES, ORDER_VOCABULARY, type OrderToken } from "@marketday/domain/order-query";
import { expect, test } from "vitest";

import {
  beginToken,
  draftOf,
  finishText,
  fixedValues,
  namesFor,
  searchedQuery,
  takeToken,
  takeValue,
  typedPart,
} from "./filter-text.ts";

const ORDERS = { vocabulary: ORDER_VOCABULARY, fixed: { ...ORDER_TOKEN_VALUES, owes: ["yes", ">20"] } };

const names = (draft: { chips: readonly { name: string; value: string }[] }) =>
  draft.chips.map(({ name, value }) => `${name}:${value}`);

test("filter box: an address is shown as chips and words, with what is not understood as it was typed", () => {
  const draft = draftOf(ORDERS, 'day:2026-11-26 vendor:"Oak Farm" eggs fruit:apple');
  expect(names(draft)).toEqual(["day:2026-11-26", "vendor:Oak Farm"]);
  expect(draft.text).toBe("eggs fruit:apple");
});

test.each([
  ["ven", { kind: "word", text: "ven" }],
  ["eggs ven", { kind: "word", text: "ven" }],
  ["vendor:", { kind: "value", name: "vendor", text: "" }],
  ["eggs Vendor:clu", { kind: "value", name: "vendor", text: "clu" }],
  ['vendor:"Oak F', { kind: "value", name: "vendor", text: "Oak F" }],
  ["eggs ", null],
  ["", null],
  ["https://example", null],
])("filter box: of %j is typed %j", (text, part) => {
  expect(typedPart(text)).toEqual(part);
});

test("filter box: a token is searched for when it is finished, words at once", () => {
  expect(searchedQuery(ORDERS, { chips: [], text: "eggs vendor:clu" })).toBe("eggs");
  expect(searchedQuery(ORDERS, { chips: [{ name: "status", value: "open" }], text: "has:note flora" })).toBe(
    "status:open has:note flora",
  );
});

test("filter box: a space makes a chip of a finished token, not within quotes and not of a wrong one", () => {
  expect(takeToken(ORDERS, { chips: [], text: "eggs has:note " })).toEqual({
    chips: [{ name: "has", value: "note" }],
    text: "eggs ",
  });
  expect(takeToken(ORDERS, { chips: [], text: 'vendor:"Oak ' }).chips).toEqual([]);
  expect(takeToken(ORDERS, { chips: [], text: "day:tomorrow " })).toEqual({ chips: [], text: "day:tomorrow " });
});

test("filter box: finished text becomes chips; with a wrong token it stays, and the token is named", () => {
  expect(finishText(ORDERS, { chips: [], text: "flora owes:>0" })).toEqual({
    chips: [{ name: "owes", value: "yes" }],
    text: "flora",
    problem: null,
  });
  const wrong = finishText(ORDERS, { chips: [], text: "flora fruit:apple" });
  expect(wrong).toMatchObject({ chips: [], text: "flora fruit:apple", problem: { part: "fruit:apple" } });
});

test("filter box: a suggestion takes the place of what is being typed, and is no second chip", () => {
  const token: OrderToken = { name: "vendor", value: "cluck-co" };
  expect(takeValue(ORDERS, { chips: [], text: "eggs vendor:clu" }, token)).toEqual({ chips: [token], text: "eggs" });
  expect(takeValue(ORDERS, { chips: [token], text: 'vendor:"clu' }, token)).toEqual({ chips: [token], text: "" });
  expect(beginToken({ chips: [], text: "eggs ven" }, "vendor").text).toBe("eggs vendor:");
  expect(beginToken({ chips: [], text: "" }, "day").text).toBe("day:");
});

test("filter box: names and fixed values are suggested by what is typed", () => {
  expect(namesFor(ORDERS, "d")).toEqual(["day", "driver"]);
  expect(fixedValues(ORDERS, "status", "ed")).toEqual(["delivered", "cancelled"]);
  expect(fixedValues(ORDERS, "vendor", "x")).toBeNull();
});

test.each(["flora 397 120 862", 'vendor:"Oak Farm" eggs', '"day:x" has:note', "day:tomorrow x", '"', "317 555-0142"])(
  "filter box: the search of %j opened again is the same search",
  (text) => {
    const query = searchedQuery(ORDERS, finishText(ORDERS, { chips: [], text }));
    const again = draftOf(ORDERS, query);
    expect(searchedQuery(ORDERS, { ...again, text: `${again.text} ` })).toBe(query);
  },
);
