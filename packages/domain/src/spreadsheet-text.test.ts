import { describe, expect, test } from "vitest";

import { errorValueSentence, spreadsheetSentence, spreadsheetSlugSentence } from "./spreadsheet-text.ts";

const was = (text: string): string[] =>
  [...(spreadsheetSentence(text) ?? "").matchAll(/(?:was it|Or) ([^?]+)\?/g)].map(([, meant]) => meant!);

describe("spreadsheetSentence", () => {
  test("a size as a date: what it looks like, and both that it may have been", () => {
    expect(spreadsheetSentence("2-Jan")).toBe('"2-Jan" looks like a date that a spreadsheet made; was it 1/2? Or 1-2?');
    expect(spreadsheetSentence("########")).toBe(
      '"########" is what a spreadsheet shows when a column is too narrow. Make it wider, and save the file again',
    );
  });

  test.each([
    ["2-Jan", "1/2"],
    ["4-Feb", "2/4"],
    ["10-Mar", "3/10"],
    ["02-Jan", "1/2"],
    ["2-JAN", "1/2"],
    ["02-JAN-26", "1/2"],
    ["2-Jan-2026", "1/2"],
    ["Jan-02", "1/2"],
    ["Jan-32", "1/32"],
    ["Jan-2026", "1/26"],
    ["dec-24", "12/24"],
    ["02. Jan", "1/2"],
    ["2/ene", "1/2"],
    ["02-ene", "1/2"],
    ["2-janv", "1/2"],
    ["2-janv.", "1/2"],
    ["02-févr", "2/2"],
    ["2. Mrz", "3/2"],
    ["02-gen", "1/2"],
    ["2-mrt", "3/2"],
    ["04-фев", "2/4"],
    ["1/2/2026", "1/2"],
    ["1/2/26", "1/2"],
    ["02/01/2026", "2/1"],
    ["13/1/2026", "13/1"],
    ["02.01.2026", "2/1"],
    ["02-01-2026", "2/1"],
    ["2026-01-02", "1/2"],
    ["2026/01/02", "1/2"],
    ["2026-01-02 00:00:00", "1/2"],
    ["2026-01-02T00:00:00.000Z", "1/2"],
    ["1/2/2026 0:00", "1/2"],
    ["45323", "2/1"],
    ["1.00E+05", "100000"],
    ["1E5", "100000"],
    ["1E+05", "100000"],
    ["1,00E+05", "100000"],
    ["3.17556E+09", "3175560000"],
    ["6.0", "6"],
    ["12.00", "12"],
    ["1,200.0", "1200"],
    ["50.00%", "50%"],
    ["2.50%", "2.5%"],
    ["$4.50", undefined],
    ["$25.00", "$25"],
    ["1:02:00", "1:2"],
    ["TRUE", undefined],
    ["False", undefined],
    ["WAHR", undefined],
    ["#N/A", undefined],
    ["#NAME?", undefined],
    ["#REF!", undefined],
    ["#VALUE!", undefined],
    ["#DIV/0!", undefined],
    ["#¿NOMBRE?", undefined],
    ["#NV", undefined],
    ["Err:502", undefined],
    ["###", undefined],
  ])("%j: doubtful, was %j", (text, first) => {
    expect(spreadsheetSentence(text)).not.toBeNull();
    expect(was(text)[0]).toBe(first);
  });

  test.each([
    "1/2",
    "2-4",
    "5/8",
    "10-12 lb",
    "16/20/24",
    "1/32/2026",
    "32-Jan",
    "3-Bag",
    "Jan-3",
    "Mar-Bella",
    "Ham-12",
    "10-LB",
    "3-Pack",
    "Dec. pick",
    "May apples",
    "Dozen",
    "6",
    "12",
    "100",
    "1.5",
    "0.5 lb",
    "2%",
    "1.5%",
    "$25",
    "10-10-10",
    "1.2.26",
    "99999",
    "12345678",
    "1e5",
    "#1",
    "#10 can",
    "True North",
    "Nov 25",
    "12:30",
    "-",
    "March 10",
    "2 Marys",
    "A1",
    "E5",
    "5E",
    "IN",
    "24 ct.",
    "40 2-inch",
  ])("%j: a name", (text) => {
    expect(spreadsheetSentence(text)).toBeNull();
  });

  test("five digits are a name where they need not be a day", () => {
    expect(spreadsheetSentence("45323", false)).toBeNull();
  });
});

test("errorValueSentence: only what spreadsheets show in place of a value", () => {
  expect(errorValueSentence("#NAME?")).toContain("cannot calculate");
  expect(errorValueSentence("2-Jan")).toBeNull();
  expect(errorValueSentence("#1!")).toBeNull();
});

test.each([
  ["10-Mar", '"10-Mar" looks like a date that a spreadsheet made; was it mar-10? Or 3-10?'],
  ["1-Dec", '"1-Dec" looks like a date that a spreadsheet made; was it dec-1? Or 12-1?'],
  ["2026-03-10", '"2026-03-10" looks like a date that a spreadsheet made; was it mar-10? Or 3-10?'],
  ["45323", '"45323" looks like a date that a spreadsheet counts in days (2024-02-01)'],
  ["1.00E+05", '"1.00E+05" looks like a number that a spreadsheet shortened'],
  ["mar-10", null],
  ["10-mar", null],
  ["3-10", null],
  ["brown-eggs", null],
  ["12345", null],
])("spreadsheetSlugSentence: %j", (text, sentence) => {
  expect(spreadsheetSlugSentence(text)).toBe(sentence);
});
