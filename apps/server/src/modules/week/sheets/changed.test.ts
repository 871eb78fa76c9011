import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { createTestFolder } from "@marketday/db/testing";
import { planStops } from "@marketday/domain/loads";
import { cents } from "@marketday/domain/money";
import { type Box, compareDays, type FrozenDay } from "@marketday/domain/sheets";
import { afterEach, expect, test, vi } from "vitest";

import { benchDay } from "../../../../test/sheet-day.ts";
import { makeAllSheets } from "./all-sheets.ts";
import { changedSheetNames, makeChangedSheets, repackedTotes } from "./changed.ts";
import { PdfDocument } from "./pdf-document.ts";

const start = { lat: 39.97, lng: -86.13 };
const pointOf = (zipCode: string) => ({ lat: 40 + Number(zipCode.slice(-1)) / 10, lng: -86 });
const planned = (day: FrozenDay, previous: FrozenDay | null) => ({
  ...day,
  plan: planStops(day.boxes, { start, pointOf, drivers: 2, previous }),
});
/** Twelve boxes to doors. */
const since = planned(benchDay(12, 4, ["46032", "46033"]), null);

/** The next version: these boxes are changed, and cancelled where the change is null. */
const nextVersion = (changes: Record<number, ((box: Box) => Partial<Box>) | null>) =>
  planned(
    {
      ...since,
      version: 2,
      boxes: since.boxes.flatMap((box) => {
        const change = changes[box.tote];
        return change === null ? [] : [{ ...box, ...change?.(box) }];
      }),
    },
    since,
  );
const withoutFirstLine = ({ lines }: Box) => ({ lines: lines.slice(1) });
const oneMore = ({ lines: [first, ...lines] }: Box) => ({
  lines: [{ ...first!, quantity: first!.quantity + 1 }, ...lines],
});

afterEach(() => vi.restoreAllMocks());

/** The sections of all PDF files that `make` writes, by title, each with its texts. */
async function sectionsOf(make: (folder: string) => Promise<unknown>) {
  const sections: { title: string; name: string; texts: string[] }[] = [];
  let title = "";
  const { retitle, section, text } = PdfDocument.prototype;
  vi.spyOn(PdfDocument.prototype, "retitle").mockImplementation(function retitled(this: PdfDocument, next) {
    title = next;
    retitle.call(this, next);
  });
  vi.spyOn(PdfDocument.prototype, "section").mockImplementation(function began(this: PdfDocument, name, bare) {
    section.call(this, name, bare);
    sections.push({ title: bare ? "Labels" : title, name, texts: [] });
  });
  vi.spyOn(PdfDocument.prototype, "text").mockImplementation(function drawn(this: PdfDocument, ...input) {
    sections.at(-1)?.texts.push(input[0]);
    return text.apply(this, input);
  });
  const folder = join(createTestFolder("changed"), "made");
  await make(folder);
  return { folder, sections, of: (wanted: string) => sections.filter((each) => each.title === wanted) };
}

test("only what changed: pack lists, fill lines, stops and labels are those of the totes that differ, and no others", async () => {
  const changed = since.boxes.find(({ lines }) => lines.length > 1)!;
  const [cancelled, moved, collect] = since.boxes.filter((box) => box !== changed && box.door);
  const day = nextVersion({
    [changed.tote]: oneMore,
    [cancelled!.tote]: null,
    [moved!.tote]: ({ door }) => ({ door: { ...door!, address: "1 Elsewhere Lane" } }),
    [collect!.tote]: ({ dueCents }) => ({ dueCents: cents(dueCents + 500) }),
  });
  const { folder, of } = await sectionsOf((to) => makeChangedSheets({ day, since, start, pointOf }, to));
  const repacked = [changed.tote, moved!.tote].toSorted((a, b) => a - b);
  expect(repackedTotes(compareDays(since, day))).toEqual(repacked);
  expect(readdirSync(folder).toSorted()).toEqual(changedSheetNames(1, true).toSorted());
  expect(of("Pack list").map(({ name }) => name)).toEqual(repacked.map((tote) => `Tote ${tote}`));

  // One item of one tote, with what the tote gets now.
  const [fill, ...others] = of("Fill sheet, only changes");
  const [line] = changed.lines;
  expect([fill!.name, others]).toEqual([line!.vendor, []]);
  expect(fill!.texts.filter((words) => /^\d+$/.test(words))).toEqual([
    String(line!.quantity + 1),
    String(changed.tote),
  ]);

  const stops = of("Driver sheet, only changes").flatMap(({ texts }) => texts);
  const totes = [...stops.entries()].flatMap(([place, words]) => (words === "Tote" ? [Number(stops[place + 1])] : []));
  const atDoors = [changed, moved!, collect!].filter(({ door }) => door).map(({ tote }) => tote);
  expect(totes.toSorted((a, b) => a - b)).toEqual(atDoors.toSorted((a, b) => a - b));
  expect(stops).toContain("1 Elsewhere Lane");
  expect(stops.filter((words) => words.startsWith("Nothing to deliver"))).toHaveLength(1);
  expect(stops).toContain(`Collect $${((collect!.dueCents + 500) / 100).toFixed(2)}`);

  const zpl = readFileSync(join(folder, "changed-since-1-labels.zpl"), "utf8");
  const labeled = [...zpl.matchAll(/\^FDMA,HTTPS:\/\/MARKET\.EXAMPLE\/T\/(\d+)\^FS/g)].map(([, order]) =>
    Number(order),
  );
  const ordersOf = repacked.map((tote) => day.boxes.find((box) => box.tote === tote)!.orderId);
  expect([...new Set(labeled)]).toEqual(ordersOf);
});

test("only what changed: an item that is left out is on the list of changes and on no fill sheet, and a cancelled tote needs no label", async () => {
  const [changed, cancelled] = since.boxes.filter(({ lines }) => lines.length > 1);
  const left = await sectionsOf((to) =>
    makeChangedSheets({ day: nextVersion({ [changed!.tote]: withoutFirstLine }), since, start, pointOf }, to),
  );
  expect(left.of("Fill sheet, only changes")).toEqual([]);
  expect(left.of("Changes").flatMap(({ texts }) => texts)).toContain(`none, was ${changed!.lines[0]!.quantity}`);
  vi.restoreAllMocks();
  const gone = await sectionsOf((to) =>
    makeChangedSheets({ day: nextVersion({ [cancelled!.tote]: null }), since, start, pointOf }, to),
  );
  expect(readdirSync(gone.folder)).toEqual(changedSheetNames(1, false));
  expect(gone.of("Pack list")).toEqual([]);
});

test("all sheets: one file has every part in the order of the work, and page numbers go on through it", async () => {
  const { sections, of, folder } = await sectionsOf((to) =>
    makeAllSheets({ day: since, changes: [], start, pointOf }, to),
  );
  expect([...new Set(sections.map(({ title }) => title))]).toEqual([
    "Pick sheet",
    "Fill sheet",
    "Pack list",
    "Load list",
    "Driver sheet",
  ]);
  expect(of("Pack list")).toHaveLength(since.boxes.length);
  expect(readdirSync(folder)).toEqual(["all-sheets.pdf"]);
  const sheets = sections.flatMap(({ texts }) => texts.flatMap((words) => /· sheet (\d+)$/.exec(words)?.[1] ?? []));
  expect(sheets.map(Number)).toEqual(sheets.map((_, place) => place + 1));
});
