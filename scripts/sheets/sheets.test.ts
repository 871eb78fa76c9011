import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";

import { planStops } from "@marketday/domain/loads";
import { type Box, compareDays, type FrozenDay, labelsOf, packLists, vendorSheets } from "@marketday/domain/sheets";
import { parse } from "csv-parse/sync";
import { afterAll, expect, test, vi } from "vitest";

import { benchDay } from "../bench/sheet-day.ts";
import { AVERY_5160, drawLabels, zplLabels } from "./labels.ts";
import { DRAWN, legible } from "./legible.ts";
import { makeSheets, type SheetInput, stampOf } from "./make.ts";
import { drawPackLists } from "./pack-lists.ts";
import { PAGE, Paper } from "./paper.ts";

const folder = mkdtempSync(join(tmpdir(), "marketday-sheets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const zips = ["46030", "46031", "46032", "46033"];
const pointOf = (zipCode: string) => ({ lat: 40 + Number(zipCode.slice(-1)) / 10, lng: -86 });
const start = { lat: 39.97, lng: -86.13 };
const input = (
  day: FrozenDay,
  { drivers = 2, changes = [] }: { drivers?: number; changes?: SheetInput["changes"] } = {},
): SheetInput => ({
  day: { ...day, plan: planStops(day.boxes, { start, pointOf, drivers, previous: null }) },
  changes,
  start,
  pointOf,
});
const day = benchDay(25, 5, zips);
const withBox = (change: Partial<Box>): FrozenDay => ({ ...day, boxes: [{ ...day.boxes[0]!, ...change }] });
const hashes = (path: string) =>
  Object.fromEntries(
    readdirSync(path).map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(path, name)))
        .digest("hex"),
    ]),
  );
/** A CSV file as a spreadsheet reads it. */
const rowsOf = (path: string): Record<string, string>[] => parse(readFileSync(path), { bom: true, columns: true });
const units = (rows: readonly Record<string, string>[]) => rows.reduce((all, row) => all + Number(row["quantity"]), 0);

/** What is written on each page of a paper, by its drawing. */
async function pagesOf(draw: (paper: Paper) => void, of: FrozenDay = day): Promise<string[][]> {
  const paper = new Paper("Sheet", stampOf(of), new PassThrough().resume());
  const pages: string[][] = [];
  let current = -1;
  const { doc } = paper;
  const addPage = doc.addPage.bind(doc);
  const switchToPage = doc.switchToPage.bind(doc);
  vi.spyOn(doc, "addPage").mockImplementation((options) => {
    current = pages.push([]) - 1;
    return addPage(options);
  });
  vi.spyOn(doc, "switchToPage").mockImplementation((place) => {
    current = place ?? current;
    return switchToPage(place);
  });
  const text = doc.text.bind(doc) as (words: string, x: number, y: number, style: object) => typeof doc;
  vi.spyOn(doc, "text").mockImplementation(((words: string, x: number, y: number, style: object) => {
    pages[current]?.push(words);
    return text(words, x, y, style);
  }) as typeof doc.text);
  draw(paper);
  await paper.finish();
  return pages;
}

test("the same version gives the same bytes, whoever asks and when; other drivers change only who carries", async () => {
  const [one, two, three] = ["one", "two", "three"].map((name) => join(folder, name));
  const files = await makeSheets(input(day), one!);
  await makeSheets(input({ ...day, boxes: day.boxes.toReversed() }), two!);
  await makeSheets(input(day, { drivers: 3 }), three!);
  expect(hashes(two!)).toEqual(hashes(one!));
  expect(files.map(({ name }) => name)).toEqual(readdirSync(one!).toSorted());
  for (const { name, bytes } of files) expect(readFileSync(join(one!, name)).length).toBe(bytes);
  const [before, after] = [hashes(one!), hashes(three!)];
  expect(Object.keys(before).filter((name) => before[name] === after[name])).toEqual([
    "fill-sheets.csv",
    "fill-sheets.pdf",
    "pack-lists.csv",
    "pick-sheets.csv",
    "pick-sheets.pdf",
  ]);
});

test("pick, fill and pack sheets in CSV add up to what was ordered", async () => {
  const path = join(folder, "sums");
  await makeSheets(input(day), path);
  const ordered = day.boxes.flatMap(({ lines }) => lines).reduce((all, { quantity }) => all + quantity, 0);
  for (const name of ["pick-sheets", "fill-sheets", "pack-lists"])
    expect([name, units(rowsOf(join(path, `${name}.csv`)))]).toEqual([name, ordered]);
  const carried = rowsOf(join(path, "load-lists.csv"));
  expect(carried.map(({ tote }) => Number(tote)).toSorted((a, b) => a - b)).toEqual(day.boxes.map(({ tote }) => tote));
  expect(rowsOf(join(path, "labels.csv"))).toHaveLength(labelsOf(packLists(day.boxes)).length);
});

test("every page says hub, day, version and which of how many it is", async () => {
  const long = withBox({ lines: Array.from({ length: 70 }, (_, n) => ({ ...day.boxes[0]!.lines[0]!, variantId: n })) });
  const version = { ...long, version: 3, boxes: [...long.boxes, ...day.boxes.slice(1, 3)] };
  const pages = await pagesOf(
    (paper) => drawPackLists(paper, packLists(version.boxes), () => "Driver 1, stop 1"),
    version,
  );
  expect(pages.length).toBeGreaterThan(4);
  const of = pages.length - 2;
  for (const [place, words] of pages.entries()) {
    const page = place < of ? `Page ${place + 1} of ${of}` : "Page 1 of 1";
    expect(words).toEqual(
      expect.arrayContaining([
        "Thu, Nov 26",
        "Carmel · VERSION 3",
        "Carmel · Thursday, November 26, 2026",
        "version 3, frozen Wed, Nov 25, 1AM",
        `${page} · sheet ${place + 1}`,
      ]),
    );
  }
  const labels = await pagesOf((paper) =>
    drawLabels(paper, labelsOf(packLists(day.boxes)), { ...day, dayShort: "Thu, Nov 26" }, () => "Driver 1, stop 1"),
  );
  for (const [place, words] of labels.entries())
    expect(words).toContain(`Sheet · Carmel · Thu, Nov 26 · version 1 · page ${place + 1} of ${labels.length}`);
});

test(
  "a spreadsheet takes no cell for a formula, and reads back what was written",
  { tags: ["spec:1-01"] },
  async () => {
    const evil = ["=1+2", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", 'a "b", c', "line\nbreak"];
    for (const name of evil) {
      const path = join(folder, "formula");
      await makeSheets(input(withBox({ name, notes: name })), path);
      const [row] = rowsOf(join(path, "pack-lists.csv"));
      expect(row!["name"]).toMatch(/^[^=+\-@\t\r]/);
      expect(row!["name"]!.replace(/^'/, "")).toBe(name);
      const raw = readFileSync(join(path, "pack-lists.csv"), "utf8");
      expect([raw.charCodeAt(0), raw.endsWith("\r\n")]).toEqual([0xfeff, true]);
    }
  },
);

test("a name cannot command a label printer", () => {
  const evil = withBox({ name: "^XZ^XA~JR_5E\\", notes: "" });
  const labels = labelsOf(packLists(evil.boxes));
  const zpl = zplLabels(labels, { ...evil, dayShort: "Thu, Nov 26" }, () => "Driver 1, stop 1");
  expect(zpl.match(/\^XA/g)).toHaveLength(labels.length);
  expect(zpl.match(/\^XZ/g)).toHaveLength(labels.length);
  expect(zpl).not.toContain("~");
  expect(zpl).toContain("^FH_^FD_5EXZ_5EXA_7EJR_5F5E_5C^FS");
});

test("what the fonts cannot draw is spelled in Latin letters, and nothing hides in a name", async () => {
  expect(legible("Zoë Żeleński – “Ő” €5…")).toBe("Zoë Żeleński – “Ő” €5…");
  expect(legible("Мария Ελένη Nguyễn")).toMatch(/^Mariya Eleni Nguyen$/);
  expect(legible("Anna\n\u202Erebma\u0000 \u200B Li 🥕 王")).toBe("Anna rebma Li ? ?");
  expect(legible("Zoe\u0308 e\u0323")).toBe("Zoë e");
  const paper = new Paper("Sheet", stampOf(day), new PassThrough().resume());
  for (const weight of ["plain", "bold"]) {
    const { font } = (paper.doc.font(weight) as unknown as { _font: { font: { characterSet: number[] } } })._font;
    const has = new Set(font.characterSet);
    const missing = Array.from({ length: 0x2200 }, (_, code) => code).filter(
      (code) => DRAWN.test(String.fromCodePoint(code)) && !has.has(code),
    );
    expect(missing).toEqual([]);
  }
});

test("thirty labels fill a page of Avery 5160 and stay inside it", () => {
  const { left, top, across, down, columns, rows, width, height } = AVERY_5160;
  expect(left + (columns - 1) * across + width).toBeCloseTo(PAGE.width - left);
  expect(top + (rows - 1) * down + height).toBe(PAGE.height - top);
  expect([width / 72, height / 72]).toEqual([2.625, 1]);
});

test("names and titles of any length stay on the paper", async () => {
  const long = "Featherstonehaugh".repeat(20);
  const lines = day.boxes[0]!.lines.map((line) => ({ ...line, product: long, vendor: long, variant: long }));
  const huge = withBox({ tote: 123_456, name: long, notes: `${long} ${long}`, lines });
  const files = await makeSheets(input(huge), join(folder, "long"));
  expect(files.every(({ bytes }) => bytes > 0)).toBe(true);
  const pages = await pagesOf((paper) => drawPackLists(paper, packLists(huge.boxes), () => long), huge);
  const paper = new Paper("Sheet", stampOf(day), new PassThrough().resume());
  for (const line of paper.wrap(long, 100, { size: 12 }))
    expect(paper.width(line, { size: 12 })).toBeLessThanOrEqual(100);
  expect(paper.wrap(long, 100, { size: 12, lines: 2 })).toHaveLength(2);
  expect(paper.wrap("Anna Featherstonehaugh", 100, { size: 12, lines: 1 })[0]).toMatch(/^Anna Feath\w*…$/);
  expect(pages.length).toBeGreaterThan(0);
});

test("a change has a sheet of its own; a day where all was cancelled has no other", async () => {
  const after = { ...day, version: 2, boxes: day.boxes.slice(1) };
  const changes = [{ version: 2, changes: compareDays(day, after) }];
  const path = join(folder, "changed");
  await makeSheets(input(after, { changes }), path);
  const rows = rowsOf(join(path, "changes.csv"));
  expect(rows).toHaveLength(new Set(day.boxes[0]!.lines.map(({ variantId }) => variantId)).size);
  for (const row of rows)
    expect(row).toMatchObject({ version: "2", against: "1", tote: "1", change: "cancelled", after: "0" });
  const none = { ...day, version: 2, boxes: [] };
  const all = [{ version: 2, changes: compareDays(day, none) }];
  expect((await makeSheets(input(none, { changes: all }), path)).map(({ name }) => name)).toEqual([
    "changes.csv",
    "changes.pdf",
  ]);
  expect(readdirSync(path).toSorted()).toEqual(["changes.csv", "changes.pdf"]);
  expect(await makeSheets(input({ ...day, boxes: [] }), join(folder, "empty"))).toEqual([]);
  expect(existsSync(join(folder, "empty"))).toBe(false);
});

test("stopped in the middle, the sheets that were there are still there and nothing else is", async () => {
  const path = join(folder, "stopped");
  await makeSheets(input(day), path);
  const before = hashes(path);
  const stop = new AbortController();
  const told = (_name: string, done: number) => {
    if (done === 5) stop.abort(new Error("stopped"));
  };
  await expect(makeSheets(input(benchDay(3, 2, zips)), path, { told, signal: stop.signal })).rejects.toThrow("stopped");
  expect(hashes(path)).toEqual(before);
  writeFileSync(join(folder, "file"), "");
  await expect(makeSheets(input(day), join(folder, "file", "below"))).rejects.toThrow(/ENOTDIR/);
  expect(readdirSync(folder).filter((name) => name.includes(".tmp"))).toEqual([]);
});

test("two at once leave one whole set of sheets", async () => {
  const path = join(folder, "race");
  await Promise.all([makeSheets(input(day), path), makeSheets(input(day), path)]);
  expect(readdirSync(path)).toEqual(Object.keys(hashes(join(folder, "one"))));
});

test("nothing of the shoppers is on a pick sheet", async () => {
  const path = join(folder, "private");
  await makeSheets(input(day), path);
  const text = readFileSync(join(path, "pick-sheets.csv"), "utf8");
  for (const { name } of day.boxes) expect(text.includes(name)).toBe(false);
  expect(vendorSheets(day.boxes).length).toBe(5);
});
