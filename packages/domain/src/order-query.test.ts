import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { printQuery } from "./list-query.ts";
import { dayRange, ORDER_TOKENS, owedCents, parseOrderQuery } from "./order-query.ts";

describe("order query: text is read as tokens and words", () => {
  test.each([
    ["", [], []],
    ["   ", [], []],
    ["hub:carmel day:2026-11-26", ["hub:carmel", "day:2026-11-26"], []],
    ["HUB:Carmel Status:OPEN", ["hub:carmel", "status:open"], []],
    ["status:open status:packing status:open", ["status:open", "status:packing"], []],
    ["money:back-failed money:to_charge", ["money:back_failed", "money:to_charge"], []],
    ['vendor:"Oak Farm" eggs', ["vendor:Oak Farm"], ["eggs"]],
    ["vendor:“Oak Farm” eggs", ["vendor:Oak Farm"], ["eggs"]],
    ['vendor:"Oak Farm', ["vendor:Oak Farm"], []],
    [String.raw`product:"7\" pizza"`, ['product:7" pizza'], []],
    ["day:2026-11-20..2026-11-26", ["day:2026-11-20..2026-11-26"], []],
    ["day:2026-11-20.. day:..2026-11-01", ["day:2026-11-20..", "day:..2026-11-01"], []],
    ["day:2026-11-20..2026-11-20", ["day:2026-11-20"], []],
    ["owes:>0 owes:yes owes:>$20.50", ["owes:yes", "owes:>20.5"], []],
    ["customer:0012 tote:14 driver:1", ["customer:12", "tote:14", "driver:1"], []],
    ["rosa RIVERA rosa", [], ["rosa", "RIVERA"]],
    ['"12 Main Street"', [], ["12 Main Street"]],
    ["12 Main Street", [], ["12", "Main", "Street"]],
    ["rosa@little-wagon.example", [], ["rosa@little-wagon.example"]],
    ["https://example.com/a", [], ["https://example.com/a"]],
    ["50% a_b '; drop table orders", [], ["50%", "a_b", "';", "drop", "table", "orders"]],
    ['"vendor:oak"', [], ["vendor:oak"]],
  ])("%j", (text, tokens, words) => {
    const query = parseOrderQuery(text);
    expect(query.problems).toEqual([]);
    expect([query.tokens.map(({ name, value }) => `${name}:${value}`), query.words]).toEqual([tokens, words]);
  });
});

describe("order query: a number in groups is one word", () => {
  test.each([
    ["123 456 789", ["123456789"]],
    ["123 45", ["12345"]],
    ["(317) 555-0142", ["3175550142"]],
    ["317.555.0142", ["3175550142"]],
    ["+1 317 555 0142", ["3175550142"]],
    ["1-317-555-0142", ["3175550142"]],
    ["555-0142", ["5550142"]],
    ["rivera 317 555", ["rivera", "317555"]],
    ["3175550142", ["3175550142"]],
    ["14", ["14"]],
    ["12 14", ["12", "14"]],
    ["46032 12", ["46032", "12"]],
    ["123 456 789 123", ["123", "456", "789"]],
    ['"123" "456"', ["123", "456"]],
  ])("%j", (text, words) => expect(parseOrderQuery(text).words).toEqual(words));
});

describe("order query: what is not understood is left out and named", () => {
  test.each([
    ["fruit:apple eggs", "fruit:apple", null, "There is no filter “fruit”. There are hub, day, vendor,"],
    ["vendor: eggs", "vendor:", "vendor", "Write a value after “vendor:”."],
    ['vendor:"" eggs', "vendor:", "vendor", "Write a value after “vendor:”."],
    ["status:lost eggs", "status:lost", "status", "is one of open, packing, delivered, cancelled, not “lost”"],
    ["day:2026-02-30 eggs", "day:2026-02-30", "day", "“2026-02-30” is not a date."],
    ["day:tomorrow eggs", "day:tomorrow", "day", "“tomorrow” is not a date."],
    ["day:.. eggs", "day:..", "day", "Write a day like"],
    ["day:2026-11-26..2026-11-20 eggs", "day:2026-11-26..2026-11-20", "day", "Write it as 2026-11-20..2026-11-26."],
    ["owes:20 eggs", "owes:20", "owes", "like owes:>20"],
    ["owes:>-1 eggs", "owes:>-1", "owes", "like owes:>20"],
    ["tote:x eggs", "tote:x", "tote", "Write the number of the tote"],
    ["customer:99999999999 eggs", "customer:99999999999", "customer", "Write the number of the customer"],
    ["driver:0 eggs", "driver:0", "driver", "Write the number of the driver"],
  ])("%j", (text, part, name, message) => {
    const query = parseOrderQuery(text);
    expect(query).toMatchObject({ tokens: [], words: ["eggs"] });
    expect(query.problems).toEqual([{ part, name, message: expect.stringContaining(message) }]);
  });

  test("501 characters, and an eleventh word", () => {
    expect(parseOrderQuery("a".repeat(501))).toMatchObject({ words: [], problems: [{ part: "" }] });
    const { words, problems } = parseOrderQuery("a b c d e f g h i j k l");
    expect([words.length, problems.map(({ part }) => part)]).toEqual([10, ["k l"]]);
  });
});

test("order query: any text is read, and what it prints is read as the same filter", () => {
  const pieces = fc.constantFrom(
    "day:2026-11-26",
    'vendor:"',
    "123",
    "456",
    "7890",
    '"',
    "\\",
    ":",
    "owes:>3",
    "“",
    "é",
    "+1",
  );
  const typed = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.array(fc.oneof(pieces, fc.string({ maxLength: 6 })), { maxLength: 12 }).map((parts) => parts.join(" ")),
  );
  fc.assert(
    fc.property(typed, (text) => {
      const { tokens, words } = parseOrderQuery(text);
      const printed = printQuery({ tokens, words });
      fc.pre(printed.length <= 500);
      expect(parseOrderQuery(printed)).toEqual({ tokens, words, problems: [] });
    }),
    { numRuns: 2000 },
  );
});

test("order query: values are read as ranges and amounts", () => {
  expect(dayRange("2026-11-26")).toEqual({ from: "2026-11-26", to: "2026-11-26" });
  expect(dayRange("..2026-11-26")).toEqual({ from: null, to: "2026-11-26" });
  expect(dayRange("2026-11-26..")).toEqual({ from: "2026-11-26", to: null });
  expect([owedCents("yes"), owedCents(">20.55")]).toEqual([0, 2055]);
  expect(ORDER_TOKENS).toHaveLength(13);
});
