import { expect, test } from "vitest";

import { cursorOf, filterOf, isFiltered, thingFrom, thingOf, withFilter, withParams, wordsFrom } from "./filter.ts";

test("audit filter: the address holds it, and what it does not know is no part of it", () => {
  const search = "?who=staff&action=orders%20refund&thing=order%3A397120862&entry=7&before=12&q=%20&x=1&hub=carmel";
  expect(filterOf(search)).toEqual({ who: "staff", action: "orders refund", thing: "order:397120862", hub: "carmel" });
  expect([cursorOf(search), cursorOf("?before=x&after=9"), cursorOf("")]).toEqual([
    { before: "12" },
    { after: "9" },
    {},
  ]);
  expect([isFiltered({ hub: "carmel" }), isFiltered({ q: "late" })]).toEqual([false, true]);
});

test("audit filter: another part starts at the first page and closes the entry; an entry keeps the rest", () => {
  const search = "?who=staff&before=12&entry=7&hub=carmel";
  expect(withFilter("/a", search, { action: "short" })).toBe("/a?who=staff&hub=carmel&action=short");
  expect(withFilter("/a", search, { who: null })).toBe("/a?hub=carmel");
  expect(withFilter("/a", "?who=staff", { who: "" })).toBe("/a");
  expect(withParams("/a", search, { entry: null })).toBe("/a?who=staff&before=12&hub=carmel");
});

test("audit filter: words are searched without the spaces around them, and one or two letters leave the filter as it is", () => {
  expect(["door ", " ", "", "do", " d "].map(wordsFrom)).toEqual(["door", "", "", null, null]);
});

test("audit filter: a thing is its kind and what names it, with numbers as people write them", () => {
  expect(thingFrom("order", " 397\u00A0120 862 ")).toBe("order:397120862");
  expect(thingFrom("vendor", "oak-farm")).toBe("vendor:oak-farm");
  expect([thingFrom("order", " "), thingFrom("", "12")]).toEqual(["", ""]);
  expect(thingOf("staff:ada@example.com")).toEqual({ kind: "staff", id: "ada@example.com" });
  expect([thingOf(undefined), thingOf("car:1")]).toEqual([
    { kind: "", id: "" },
    { kind: "", id: "" },
  ]);
});
