import type { GridOffer } from "@marketday/contracts/admin/offers";
import { describe, expect, test } from "vitest";

import {
  changeColumn,
  changedText,
  clearRange,
  copyBlock,
  fillDown,
  pasteBlock,
  readBlock,
  type Sheet,
} from "./block.ts";
import {
  besideOf,
  cellKey,
  countDraft,
  type Draft,
  dropCells,
  indexRows,
  keepMine,
  NO_CHANGES,
  type Notes,
  settle,
  settleSaved,
  shownCell,
  takeBack,
  typeCell,
} from "./draft.ts";
import { itemsOf } from "./use-grid.ts";

const row = (id: number, cells: Partial<GridOffer["cells"]> = {}, more: Partial<GridOffer> = {}): GridOffer => ({
  id,
  variantId: id,
  hub: { id: 1, slug: "carmel", name: "Carmel" },
  vendor: { id: 1, slug: "cluck-co", name: "Cluck & Co." },
  product: { id, slug: `product-${id}` },
  picture: null,
  variant: "Dozen",
  cells: {
    title: `Eggs ${id}`,
    price: "7.00",
    sale_price: "",
    inventory: "20",
    weekly_inventory: "10",
    offered: "yes",
    unit: "",
    storage: "cold",
    tags: "",
    published: "yes",
    ...cells,
  },
  sold: 0,
  watching: 0,
  canChange: true,
  canChangeAll: true,
  ...more,
});

const rows = [row(1), row(2), row(3)];
const sheet: Sheet = {
  rows,
  columns: [
    { field: "price" },
    { field: "sale_price" },
    { field: "inventory" },
    { field: null, read: ({ sold }) => String(sold) },
    { field: "storage" },
  ],
};
/** The counts of a draft, with how many keys there are. */
function countsOf(draft: Draft, list: readonly GridOffer[], notes: Notes = new Map()) {
  const { cells, rows: of, invalid, conflicts, elsewhere } = countDraft(draft, indexRows(list), notes);
  return { cells, rows: of, invalid: invalid.size, conflicts: conflicts.size, elsewhere: elsewhere.size };
}
const texts = (draft: ReturnType<typeof typeCell>, field: "price" | "sale_price" | "inventory" = "price") =>
  rows.map((one) => shownCell(draft, one, field).text);

describe("draft", () => {
  test("a typed cell is edited, in the form in which it is stored; what is there already is no change", () => {
    const draft = typeCell(NO_CHANGES, rows[0]!, "price", "$7.5");
    expect(shownCell(draft, rows[0]!, "price")).toMatchObject({ text: "7.50", state: "edited" });
    expect(shownCell(draft, rows[1]!, "price")).toMatchObject({ text: "7.00", state: "plain" });
    expect(typeCell(draft, rows[0]!, "price", "7").size).toBe(0);
  });

  test.each([
    ["price", "cheap", "Write an amount in dollars, like 4.50."],
    ["price", "6,50", "Write 6.50, with a point instead of the comma."],
    ["price", "none", "Write an amount in dollars, like 4.50."],
    ["inventory", "4.5", "Write a whole number from 0 to 1,000,000."],
    ["inventory", "none", "Write 0 if nothing is left."],
    ["storage", "warm", "Write dry, cold or frozen."],
    ["offered", "maybe", "Write yes or no."],
    ["title", " ", "Write the title of the product."],
  ] as const)("a wrong %s, %j, stays as it was typed, with what to write", (field, typed, message) => {
    const draft = typeCell(NO_CHANGES, rows[0]!, field, typed);
    expect(shownCell(draft, rows[0]!, field)).toMatchObject({ text: typed, state: "invalid", message });
    expect(countsOf(draft, rows)).toMatchObject({ cells: 1, invalid: 1 });
  });

  test("a sale price is wrong by the price beside it, also when that was changed; with what was probably meant", () => {
    const sale = typeCell(NO_CHANGES, row(1, { price: "11.00" }), "sale_price", "1050");
    expect(shownCell(sale, row(1, { price: "11.00" }), "sale_price")).toMatchObject({
      state: "invalid",
      message: "A sale price must be below $11.00. For $10.50, type 10.50.",
    });
    const onSale = row(1, { sale_price: "6.00" });
    const lower = typeCell(NO_CHANGES, onSale, "price", "5");
    expect(shownCell(lower, onSale, "sale_price").state).toBe("invalid");
    expect(countsOf(lower, [onSale])).toMatchObject({ cells: 1, invalid: 1 });
    expect(shownCell(typeCell(lower, onSale, "sale_price", "none"), onSale, "sale_price")).toMatchObject({
      text: "",
      state: "edited",
    });
  });

  test("what someone else stored meanwhile is a conflict, which is decided for theirs or mine; the same value is none", () => {
    const draft = typeCell(NO_CHANGES, rows[0]!, "price", "8.50");
    const now = row(1, { price: "8.75" });
    expect(shownCell(draft, now, "price")).toMatchObject({ text: "8.50", state: "conflict", edit: { from: "7.00" } });
    expect(countsOf(draft, [now])).toMatchObject({ conflicts: 1 });
    expect(shownCell(keepMine(draft, now, "price"), now, "price").state).toBe("edited");
    expect(dropCells(draft, [cellKey(now, "price")]).size).toBe(0);
    expect(settle(draft, indexRows([row(1, { price: "8.50" })])).size).toBe(0);
    expect(settle(draft, indexRows(rows))).toBe(draft);
  });

  test("what is of a product is one cell in all its rows, and what a person may not change stays", () => {
    const [here, there] = [
      row(1, {}, { product: { id: 9, slug: "p" } }),
      row(2, {}, { product: { id: 9, slug: "p" } }),
    ];
    const draft = typeCell(NO_CHANGES, here, "storage", "frozen");
    expect(shownCell(draft, there, "storage")).toMatchObject({ text: "frozen", state: "edited" });
    expect(countsOf(draft, [here, there])).toMatchObject({ cells: 1, rows: 1 });
    expect(typeCell(NO_CHANGES, row(1, {}, { canChangeAll: false }), "storage", "dry").size).toBe(0);
    expect(typeCell(NO_CHANGES, row(1, {}, { canChange: false }), "price", "9").size).toBe(0);
  });

  test("cells of rows that the filter does not show are counted", () => {
    const draft = typeCell(typeCell(NO_CHANGES, rows[0]!, "price", "9"), rows[1]!, "price", "x");
    expect(countsOf(draft, [rows[0]!])).toMatchObject({ cells: 2, elsewhere: 1, invalid: 1 });
  });
});

describe("draft and server", () => {
  const typed = (...texts: readonly string[]) =>
    texts.reduce((draft, text, at) => typeCell(draft, rows[at]!, "price", text), NO_CHANGES);

  test("what was saved is no change any more, and what was typed meanwhile is a change of what is stored now", () => {
    const sent = typed("8", "9");
    const draft = typeCell(sent, rows[1]!, "price", "9.50");
    const stored = [row(1, { price: "8.00" }), row(2, { price: "9.00" })];
    const after = settleSaved(draft, sent, stored);
    expect([...after.values()]).toEqual([{ offerId: 2, field: "price", from: "9.00", typed: "9.50" }]);
    expect(shownCell(after, stored[1]!, "price").state).toBe("edited");
  });

  test("what the server refused is wrong until its cell is another", () => {
    const draft = typed("8");
    const [key, edit] = [...draft][0]!;
    const notes: Notes = new Map([[key, { edit, beside: besideOf(draft, 1), problem: "Write less.", conflict: null }]]);
    expect(countsOf(draft, rows, notes)).toMatchObject({ invalid: 1 });
    expect(countsOf(typeCell(draft, rows[0]!, "price", "8.10"), rows, notes)).toMatchObject({ invalid: 0 });
    expect(countsOf(typeCell(draft, rows[0]!, "sale_price", "6"), rows, notes)).toMatchObject({ invalid: 0 });
    expect(countsOf(NO_CHANGES, rows, notes)).toMatchObject({ invalid: 0 });
  });

  test("a step that is taken back leaves what was typed or saved since", () => {
    const before = typed("8");
    const after = typeCell(typeCell(before, rows[0]!, "price", "9"), rows[1]!, "price", "10");
    const since = typeCell(dropCells(after, [cellKey(rows[1]!, "price")]), rows[2]!, "price", "11");
    expect(texts(takeBack(since, before, after))).toEqual(["8.00", "7.00", "11.00"]);
  });

  test("the same text typed again is no step", () => {
    const draft = typed("8");
    expect(typeCell(draft, rows[0]!, "price", "8")).toBe(draft);
    expect(typeCell(draft, rows[1]!, "price", "7")).toBe(draft);
  });
});

describe("block", () => {
  test.each([
    [
      "a\tb\nc\td",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a\tb\r\nc\td\r\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["one", [["one"]]],
    ["", [[""]]],
    [
      '"two\nlines"\t"a ""quote"""\nx\t',
      [
        ["two\nlines", 'a "quote"'],
        ["x", ""],
      ],
    ],
    ['5" pan\t7', [['5" pan', "7"]]],
  ])("%j is read as cells", (text, cells) => {
    expect(readBlock(text)).toEqual(cells);
  });

  test("a pasted block fills cells from its corner; what is beyond the grid, empty or not changed here is counted", () => {
    const one = { top: 1, bottom: 1, left: 0, right: 0 };
    const pasted = pasteBlock(NO_CHANGES, sheet, one, readBlock("8\t6\t5\tx\n9\t\t7\ty\n10\t8\t9\tz"));
    expect(texts(pasted.draft)).toEqual(["7.00", "8.00", "9.00"]);
    expect(texts(pasted.draft, "inventory")).toEqual(["20", "5", "7"]);
    expect(pasted).toMatchObject({
      cells: 5,
      beyond: 4,
      fixed: 2,
      empty: 1,
      range: { top: 1, bottom: 2, left: 0, right: 3 },
    });
  });

  test("one text fills the whole selection, and a block is repeated where the selection holds it several times", () => {
    const all = { top: 0, bottom: 2, left: 0, right: 0 };
    expect(texts(pasteBlock(NO_CHANGES, sheet, all, [["9"]]).draft)).toEqual(["9.00", "9.00", "9.00"]);
    const four = { rows: [...rows, row(4)], columns: sheet.columns };
    const twice = pasteBlock(NO_CHANGES, four, { top: 0, bottom: 3, left: 0, right: 0 }, [["1"], ["2"]]).draft;
    expect(four.rows.map((one) => shownCell(twice, one, "price").text)).toEqual(["1.00", "2.00", "1.00", "2.00"]);
  });

  test("cells of merged cells and another decimal sign: the empty ones stay, the others say what to write", () => {
    const pasted = pasteBlock(NO_CHANGES, sheet, { top: 0, bottom: 0, left: 0, right: 0 }, readBlock("6,50\n\n\n"));
    expect(pasted).toMatchObject({ cells: 1, empty: 2 });
    expect(shownCell(pasted.draft, rows[0]!, "price").message).toBe("Write 6.50, with a point instead of the comma.");
    expect(texts(pasted.draft).slice(1)).toEqual(["7.00", "7.00"]);
  });

  test("the first row is filled down, also an empty cell, and a range is copied and emptied", () => {
    const sale = [row(1), row(2, { sale_price: "5.00" })];
    const range = { top: 0, bottom: 1, left: 0, right: 1 };
    const filled = fillDown(typeCell(NO_CHANGES, sale[0]!, "price", "9"), { ...sheet, rows: sale }, range);
    expect(copyBlock(filled, { ...sheet, rows: sale }, range)).toBe("9.00\t\n9.00\t");
    const cleared = clearRange(NO_CHANGES, { ...sheet, rows: sale }, range);
    expect(copyBlock(cleared, { ...sheet, rows: sale }, range)).toBe("7.00\t\n7.00\t");
    const read = copyBlock(
      NO_CHANGES,
      { ...sheet, rows: [row(1, {}, { sold: 4 })] },
      { ...range, bottom: 0, right: 3 },
    );
    expect(read).toBe("7.00\t\t20\t4");
  });

  test.each([
    ["price", "7.00", { kind: "percent", by: 5, step: 1 }, "7.35"],
    ["price", "6.99", { kind: "percent", by: 5, step: 5 }, "7.35"],
    ["price", "1.15", { kind: "percent", by: 100, step: 1 }, "2.30"],
    ["price", "7.00", { kind: "percent", by: -150, step: 1 }, null],
    ["price", "7.00", { kind: "add", by: 0.5 }, "7.50"],
    ["price", "0.30", { kind: "add", by: -0.5 }, null],
    ["sale_price", "", { kind: "percent", by: 5, step: 1 }, null],
    ["inventory", "20", { kind: "add", by: 5 }, "25"],
    ["inventory", "3", { kind: "percent", by: 50, step: 1 }, "5"],
    ["weekly_inventory", "", { kind: "add", by: 5 }, null],
    ["storage", "dry", { kind: "set", to: "cold" }, "cold"],
  ] as const)("%s %j changed by %j is %j", (field, text, change, after) => {
    expect(changedText(field, text, change)).toBe(after);
  });

  test("a column of rows is changed, counted, and what cannot be changed is left", () => {
    const some = [row(1), row(2, {}, { canChange: false }), row(3, { price: "0.30" })];
    const result = changeColumn(NO_CHANGES, some, "price", { kind: "add", by: -0.5 });
    expect([result.changed, result.left]).toEqual([1, 2]);
    expect(some.map((one) => shownCell(result.draft, one, "price").text)).toEqual(["6.50", "7.00", "0.30"]);
  });
});

test("grid: offers are grouped by vendor, and those of a folded one are left out", () => {
  const other = { vendor: { id: 2, slug: "orchard", name: "Orchard" } };
  const { items, rows: shown, places } = itemsOf([row(1), row(2), row(3, {}, other)], new Set(["cluck-co"]));
  expect(items.map(({ key }) => key)).toEqual(["v:cluck-co", "v:orchard", "o:3"]);
  expect(shown.map(({ id }) => id)).toEqual([3]);
  expect(places).toEqual([2]);
});
