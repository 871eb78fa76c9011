import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";

import { planLoads, planStops } from "@marketday/domain/loads";
import { cents } from "@marketday/domain/money";
import {
  type Box,
  compareDays,
  destinationsOf,
  type FrozenDay,
  labelsOf,
  packLists,
  vendorSheets,
} from "@marketday/domain/sheets";
import { parse } from "csv-parse/sync";
import { afterAll, expect, test, vi } from "vitest";

import { benchDay } from "../../../../test/sheet-day.ts";
import { drawChanges } from "./changes.ts";
import { drawDriverSheets } from "./driver-sheets.ts";
import { drawFillSheets } from "./fill-sheets.ts";
import { AVERY_5160, drawLabels, zplLabels } from "./labels.ts";
import { drawLoadLists } from "./load-lists.ts";
import { makeSheets, type SheetInput, stampOf } from "./make.ts";
import { drawPackLists } from "./pack-lists.ts";
import { PAGE, PdfDocument } from "./pdf-document.ts";
import { drawPickSheets } from "./pick-sheets.ts";
import { BASIC, DRAWABLE, sanitizeText } from "./sanitize-text.ts";
import { formatDestination } from "./storage.ts";

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
/** The rows of a CSV file. */
const rowsOf = (path: string): Record<string, string>[] => parse(readFileSync(path), { bom: true, columns: true });
const units = (rows: readonly Record<string, string>[]) => rows.reduce((all, row) => all + Number(row["quantity"]), 0);

/** A text on a page, from the top of its capitals to the bottom of its descenders, in points. */
interface DrawnText {
  words: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The selected font of a document. */
const fontOf = (doc: PDFKit.PDFDocument) =>
  (doc as unknown as { _font: { font: { characterSet: number[] } } })._font.font;

/** The texts on each page of a PDF and their positions, recorded while it is drawn; each font has all characters of its texts. */
async function drawnTexts(draw: (pdf: PdfDocument) => void, of: FrozenDay = day): Promise<DrawnText[][]> {
  const pdf = new PdfDocument("Sheet", stampOf(of), new PassThrough().resume());
  const pages: DrawnText[][] = [];
  let current = -1;
  let size = 12;
  const { doc } = pdf;
  const addPage = doc.addPage.bind(doc);
  const switchToPage = doc.switchToPage.bind(doc);
  const fontSize = doc.fontSize.bind(doc);
  vi.spyOn(doc, "addPage").mockImplementation((options) => {
    current = pages.push([]) - 1;
    return addPage(options);
  });
  vi.spyOn(doc, "switchToPage").mockImplementation((page) => {
    current = page ?? current;
    return switchToPage(page);
  });
  vi.spyOn(doc, "fontSize").mockImplementation((points) => {
    size = points;
    return fontSize(points);
  });
  const text = doc.text.bind(doc) as (words: string, x: number, y: number, style: object) => typeof doc;
  vi.spyOn(doc, "text").mockImplementation(((words: string, x: number, y: number, style: object) => {
    const characters = new Set(fontOf(doc).characterSet);
    expect(
      [...words].filter((character) => !characters.has(character.codePointAt(0)!)),
      words,
    ).toEqual([]);
    const right = x + doc.widthOfString(words);
    // Digits have no descenders.
    const bottom = y + size * (/^\d+$/.test(words) ? 0.97 : 1.15);
    pages[current]?.push({ words, left: x, right, top: y + size * 0.25, bottom });
    return text(words, x, y, style);
  }) as typeof doc.text);
  draw(pdf);
  await pdf.finish();
  return pages;
}
const pagesOf = async (draw: (pdf: PdfDocument) => void, of?: FrozenDay) =>
  (await drawnTexts(draw, of)).map((page) => page.map(({ words }) => words));

test("sheets: the same version always gives the same bytes; another number of drivers changes only the sheets with drivers", async () => {
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

test("CSV: the quantities of pick, fill and pack sheets add up to the ordered quantity", async () => {
  const path = join(folder, "sums");
  await makeSheets(input(day), path);
  const ordered = day.boxes.flatMap(({ lines }) => lines).reduce((all, { quantity }) => all + quantity, 0);
  for (const name of ["pick-sheets", "fill-sheets", "pack-lists"])
    expect([name, units(rowsOf(join(path, `${name}.csv`)))]).toEqual([name, ordered]);
  const carried = rowsOf(join(path, "load-lists.csv"));
  expect(carried.map(({ tote }) => Number(tote)).toSorted((a, b) => a - b)).toEqual(day.boxes.map(({ tote }) => tote));
  expect(rowsOf(join(path, "labels.csv"))).toHaveLength(labelsOf(packLists(day.boxes)).length);
});

test("sheets: every page has hub, day, version and page number", async () => {
  const long = withBox({ lines: Array.from({ length: 70 }, (_, n) => ({ ...day.boxes[0]!.lines[0]!, variantId: n })) });
  const version = { ...long, version: 3, boxes: [...long.boxes, ...day.boxes.slice(1, 3)] };
  const pages = await pagesOf((pdf) => drawPackLists(pdf, packLists(version.boxes), () => "Driver 1, stop 1"), version);
  expect(pages.length).toBeGreaterThan(4);
  const of = pages.length - 2;
  for (const [index, words] of pages.entries()) {
    const page = index < of ? `Page ${index + 1} of ${of}` : "Page 1 of 1";
    expect(words).toEqual(
      expect.arrayContaining([
        "Thu, Nov 26",
        "Sheet · Carmel",
        "Version 3",
        "Carmel · Thursday, November 26, 2026",
        "Version 3, frozen Wed, Nov 25, 1AM",
        `${page} · sheet ${index + 1}`,
      ]),
    );
  }
  const labels = await pagesOf((pdf) =>
    drawLabels(pdf, labelsOf(packLists(day.boxes)), { ...day, dayShort: "Thu, Nov 26" }, () => "Driver 1, stop 1"),
  );
  for (const [index, words] of labels.entries())
    expect(words).toContain(`Sheet · Thu, Nov 26 · version 1 · page ${index + 1} of ${labels.length} · Carmel`);
});

test("CSV: formulas are escaped, and the text can be read back", { tags: ["spec:1-01"] }, async () => {
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
});

test("labels.zpl: control characters in a name are escaped", () => {
  const evil = withBox({ name: "^XZ^XA~JR_5E\\", notes: "" });
  const labels = labelsOf(packLists(evil.boxes));
  const zpl = zplLabels(labels, { ...evil, dayShort: "Thu, Nov 26" }, () => "Driver 1, stop 1");
  expect(zpl.match(/\^XA/g)).toHaveLength(labels.length);
  expect(zpl.match(/\^XZ/g)).toHaveLength(labels.length);
  expect(zpl).not.toContain("~");
  expect(zpl).toContain("^FH_^FD_5EXZ_5EXA_7EJR_5F5E_5C^FS");
});

test("sanitizeText: Latin letters with any accent stay, other letters are transliterated, and invisible characters are removed", () => {
  expect(sanitizeText("Zoë Żeleński – “Ő” €5…")).toBe("Zoë Żeleński – “Ő” €5…");
  const names = "Ngọc Ánh Nguyễn, Şükrü Işık, Łukasz Źrebię, Žofie Řeháčková, Ștefan Țăranu, Ɓala Ḥasan";
  expect(sanitizeText(names.normalize("NFD"))).toBe(names);
  expect(sanitizeText(names, BASIC)).toBe(
    "Ngoc Ánh Nguyen, Şükrü Işık, Łukasz Źrebię, Žofie Řeháčková, Ștefan Țăranu, ?ala Hasan",
  );
  expect(sanitizeText("Мария Ελένη")).toBe("Mariya Eleni");
  expect(sanitizeText("Anna\n\u202Erebma\u0000 \u200B Li 🥕 王")).toBe("Anna rebma Li ? ?");
});

test("sheets: each font has the characters that are drawn with it", () => {
  const { doc } = new PdfDocument("Sheet", stampOf(day), new PassThrough().resume());
  for (const [name, drawn] of [
    ["plain", BASIC],
    ["bold", BASIC],
    ["plain extended", DRAWABLE],
    ["bold extended", DRAWABLE],
  ] as const) {
    const has = new Set(fontOf(doc.font(name)).characterSet);
    const missing = Array.from({ length: 0x2200 }, (_, code) => code).filter(
      (code) => drawn.test(String.fromCodePoint(code)) && !has.has(code),
    );
    expect([name, missing]).toEqual([name, []]);
  }
});

test("labels: thirty labels fit a page of Avery 5160", () => {
  const { left, top, across, down, columns, rows, width, height } = AVERY_5160;
  expect(left + (columns - 1) * across + width).toBeCloseTo(PAGE.width - left);
  expect(top + (rows - 1) * down + height).toBe(PAGE.height - top);
  expect([width / 72, height / 72]).toEqual([2.625, 1]);
});

test("sheets: names and titles of any length fit the page", async () => {
  const long = "Featherstonehaugh".repeat(20);
  const lines = day.boxes[0]!.lines.map((line) => ({ ...line, product: long, vendor: long, variant: long }));
  const huge = withBox({ tote: 123_456, name: long, notes: `${long} ${long}`, lines });
  const files = await makeSheets(input(huge), join(folder, "long"));
  expect(files.every(({ bytes }) => bytes > 0)).toBe(true);
  const pages = await pagesOf((pdf) => drawPackLists(pdf, packLists(huge.boxes), () => long), huge);
  const pdf = new PdfDocument("Sheet", stampOf(day), new PassThrough().resume());
  for (const line of pdf.wrap(long, 100, { size: 12 })) expect(pdf.width(line, { size: 12 })).toBeLessThanOrEqual(100);
  expect(pdf.wrap(long, 100, { size: 12, lines: 2 })).toHaveLength(2);
  expect(pdf.wrap("Anna Featherstonehaugh", 100, { size: 12, lines: 1 })[0]).toMatch(/^Anna Feath\w*…$/);
  for (let width = 60; width < 120; width += 1) {
    const [line] = pdf.wrap("Ngọc Nguyễn Featherstonehaugh", width, { size: 12, lines: 1 });
    expect([width, line!.endsWith("…"), pdf.width(line!, { size: 12 }) <= width]).toEqual([width, true, true]);
  }
  expect(pages.length).toBeGreaterThan(0);
});

/** No text leaves the page, and none is drawn over another one. */
function expectReadable(pages: readonly DrawnText[][]): void {
  for (const page of pages)
    for (const [index, text] of page.entries()) {
      const { words, left, right, top, bottom } = text;
      const isOnPage = left >= 8 && right <= PAGE.width - 8 && top >= 8 && bottom <= PAGE.height - 8;
      expect([words, isOnPage], JSON.stringify(text)).toEqual([words, true]);
      for (const other of page.slice(index + 1))
        expect(
          text.right <= other.left + 0.5 ||
            other.right <= text.left + 0.5 ||
            text.bottom <= other.top + 0.5 ||
            other.bottom <= text.top + 0.5,
          `"${text.words}" and "${other.words}" overlap`,
        ).toBe(true);
    }
}

/** 100 characters. */
const LONG_NAME =
  "The Greater Northern Hamilton and Boone County Growers, Bakers and Makers Cooperative Tuesday Market";

/** Every sheet of a day with a canceled, a short and a moved order. */
function sheetsOf(boxes: number, change: (box: Box) => Box): { of: FrozenDay; draw: (pdf: PdfDocument) => void }[] {
  const made = benchDay(boxes, 3, zips, 2);
  const before = input({ ...made, boxes: made.boxes.map(change) }).day;
  const [first, second, ...rest] = before.boxes;
  const short = second && { ...second, lines: second.lines.slice(1) };
  const after = {
    ...before,
    hub: LONG_NAME,
    boxes: [...(boxes === 1 && first ? [first] : []), ...(short ? [short] : []), ...rest],
  };
  const loads = planLoads(after, { start, pointOf });
  const packs = packLists(after.boxes);
  const goesTo = () => `Pickup: ${LONG_NAME}`;
  const changes = [{ version: 2, changes: compareDays(before, after) }];
  const vendors = vendorSheets(after.boxes);
  return [
    (pdf: PdfDocument) => drawPickSheets(pdf, vendors),
    (pdf: PdfDocument) => drawFillSheets(pdf, vendors),
    (pdf: PdfDocument) => drawPackLists(pdf, packs, goesTo),
    (pdf: PdfDocument) => drawLoadLists(pdf, loads),
    (pdf: PdfDocument) => drawDriverSheets(pdf, loads.routes),
    (pdf: PdfDocument) => drawLabels(pdf, labelsOf(packs), { ...after, dayShort: "Thu, Nov 26" }, goesTo),
    (pdf: PdfDocument) => drawChanges(pdf, changes),
  ].map((draw) => ({ of: after, draw }));
}

test("sheets: with hub, vendor and pickup names of 100 letters no texts overlap, leave the page or are cut in head and foot", async () => {
  expect(LONG_NAME).toHaveLength(100);
  const long = (box: Box): Box => ({
    ...box,
    pickup: box.pickup && { ...box.pickup, name: LONG_NAME },
    lines: box.lines.map((line) => ({ ...line, vendor: `${LONG_NAME.slice(0, 98)} ${line.vendorId}` })),
  });
  for (const boxes of [1, 40]) {
    for (const { of, draw } of sheetsOf(boxes, long)) {
      const pages = await drawnTexts(draw, of);
      for (const page of pages) {
        const shown = page.map(({ words }) => words).join(" ");
        expect(shown).toContain(LONG_NAME);
        expect(shown).toMatch(/version 2\b/i);
        expect(shown).toMatch(/page \d+ of \d+/i);
        // Section names and vendor names are not cut.
        for (const { words } of page) if (words.startsWith("The Greater")) expect(words).not.toContain("…");
      }
      expectReadable(pages);
    }
  }
});

/** Every text of a sheet, in reading order, without the heads of its pages. */
const textOf = async (draw: (pdf: PdfDocument) => void, of: FrozenDay) => (await pagesOf(draw, of)).flat().join(" ");
test("sheets: names with Vietnamese letters are printed as typed on every sheet, and without their accents on Zebra labels", async () => {
  const [person, vendor] = ["Ngọc Nguyễn", "Trại Đậu Phụ"];
  const named = sheetsOf(2, (box) => ({ ...box, name: person, lines: box.lines.map((line) => ({ ...line, vendor })) }));
  const [picks, fills, packs, loads, drivers, labels] = await Promise.all(
    named.map(async ({ draw, of }) => textOf(draw, of)),
  );
  for (const text of [picks, fills, packs]) expect(text).toContain(vendor);
  for (const text of [packs, loads, drivers, labels]) expect(text).toContain(person);
  const { of } = named[0]!;
  const zpl = zplLabels(labelsOf(packLists(of.boxes)), { ...of, dayShort: "Thu, Nov 26" }, () => "Driver 1, stop 1");
  expect(zpl).toContain("^FDNgoc Nguyen^FS");
});

/** The boxes of a day that go home with a driver, or wait at the pickup point. */
const loadsOf = (of: FrozenDay) => planLoads(input(of).day, { start, pointOf });

const atDoor = day.boxes.find((box) => box.door !== null)!;

test("driver sheets: this order's notes are whole, before the lasting directions", async () => {
  const instructions = `${"Past the barn. ".repeat(26)}END390`;
  const of = { ...day, boxes: [{ ...atDoor, notes: "Gate code 4471#", door: { ...atDoor.door!, instructions } }] };
  const text = await textOf((pdf) => drawDriverSheets(pdf, loadsOf(of).routes), of);
  expect(text).toMatch(/Gate code 4471#.*Past the barn\..*END390/);
  expect(text).not.toContain("…");
});

test.each([
  ["on one line", `${"Ring twice. ".repeat(40)}ENDNOTE`],
  ["on 240 lines", `${Array.from({ length: 240 }, (_, line) => line).join("\n")}\nENDNOTE`],
])(
  "sheets: long notes %s are whole on driver sheets, pack lists and load lists, and go on on the next page",
  async (_, notes) => {
    const { address } = atDoor.door!;
    const door = {
      ...atDoor.door!,
      address: `${address} ${"Very Long Street ".repeat(11)}`,
      instructions: "ENDDIRECTIONS",
    };
    const pickup = {
      name: "Depot",
      address: "1 Road",
      city: "Carmel",
      state: "IN",
      zipCode: "46032",
      hours: "4 to 6 PM",
    };
    const [second, third] = day.boxes.filter(({ orderId }) => orderId !== atDoor.orderId);
    const of: FrozenDay = {
      ...day,
      boxes: [
        { ...atDoor, name: "Winterbottom ".repeat(11), notes, door },
        { ...second!, door: null, pickup, notes },
        { ...third!, door: null, pickup, notes: "" },
      ],
    };
    const loads = loadsOf(of);
    const draws = {
      driver: (pdf: PdfDocument) => drawDriverSheets(pdf, loads.routes),
      load: (pdf: PdfDocument) => drawLoadLists(pdf, loads),
      pack: (pdf: PdfDocument) => drawPackLists(pdf, packLists(of.boxes), () => "Driver 1, stop 1"),
    };
    for (const [name, draw] of Object.entries(draws)) {
      const pages = await drawnTexts(draw, of);
      const text = pages
        .flat()
        .map(({ words }) => words)
        .join(" ");
      expect([name, text.includes("ENDNOTE"), text.includes("…")]).toEqual([name, true, false]);
      expect(text.match(/Winterbottom/g)).toHaveLength(11);
      expectReadable(pages);
    }
    const driver = await textOf(draws.driver, of);
    expect(driver.match(/Very Long Street/g)).toHaveLength(11);
    expect(driver).toMatch(/ENDNOTE.*ENDDIRECTIONS/);
    expect(driver.includes(`tote ${atDoor.tote}, continued`)).toBe(notes.includes("\n"));
  },
);

test("sheets: a note of two lines is two lines in PDF and one row in CSV", async () => {
  const of = { ...day, boxes: [{ ...atDoor, notes: "Gate code 4471\nLeave in the cooler" }] };
  const [page] = await pagesOf((pdf) => drawDriverSheets(pdf, loadsOf(of).routes), of);
  expect(page).toEqual(expect.arrayContaining(["Gate code 4471", "Leave in the cooler"]));
  const path = join(folder, "lines");
  await makeSheets(input(of), path);
  for (const name of ["driver-sheets", "load-lists", "pack-lists", "labels"]) {
    const rows = rowsOf(join(path, `${name}.csv`));
    expect([name, ...new Set(rows.map((row) => row["notes"]))]).toEqual([name, "Gate code 4471 · Leave in the cooler"]);
    const lines = readFileSync(join(path, `${name}.csv`), "utf8")
      .trimEnd()
      .split(/\r?\n/);
    expect([name, lines.length]).toEqual([name, rows.length + 1]);
  }
});

test("labels: a long name and a long pickup point are whole, on smaller lines", async () => {
  const name = "Maximiliana Featherstonehaugh-Cholmondeley";
  const of = { ...day, boxes: [{ ...atDoor, name }] };
  const labels = labelsOf(packLists(of.boxes));
  const place = "Pickup: Depot Barn (rear door, behind the mill)";
  const pages = await drawnTexts((pdf) => drawLabels(pdf, labels, { ...of, dayShort: "Thu, Nov 26" }, () => place), of);
  expectReadable(pages);
  const text = pages.flat().map(({ words }) => words);
  expect(text.join(" ").replaceAll("- ", "-")).toContain("Featherstonehaugh-Cholmondeley");
  expect(text.join(" ")).toContain("(rear door, behind the mill)");
  expect(text.join(" ")).not.toContain("…");
  const zpl = zplLabels(labels, { ...of, dayShort: "Thu, Nov 26" }, () => place);
  expect(zpl).toContain(`^FB540,2,0,L^FH_^FD${name}^FS`);
  const endless = zplLabels(
    labelsOf(packLists([{ ...atDoor, name: "x".repeat(400) }])),
    { ...of, dayShort: "Thu, Nov 26" },
    () => place,
  );
  expect(endless).toMatch(/\^FB540,3,0,L\^FH_\^FDx{100,}…\^FS/);
});

test("sheets: pick, fill and pack sheets have variant and unit, in PDF and CSV", async () => {
  const [box] = day.boxes;
  const lines = [{ ...box!.lines[0]!, product: "Carrots", variant: "Small", unit: "8 oz" }];
  const carrots = withBox({ lines });
  const path = join(folder, "units");
  await makeSheets(input(carrots), path);
  for (const name of ["pick-sheets", "fill-sheets", "pack-lists"])
    expect(rowsOf(join(path, `${name}.csv`))[0]).toMatchObject({ item: "Carrots", variant: "Small", unit: "8 oz" });
  const vendors = vendorSheets(carrots.boxes);
  const packs = packLists(carrots.boxes);
  const changes = compareDays(carrots, { boxes: [], plan: null });
  for (const draw of [
    (pdf: PdfDocument) => drawPickSheets(pdf, vendors),
    (pdf: PdfDocument) => drawFillSheets(pdf, vendors),
    (pdf: PdfDocument) => drawPackLists(pdf, packs, () => "Driver 1, stop 1"),
    (pdf: PdfDocument) => drawChanges(pdf, [{ version: 2, changes }]),
  ])
    expect((await pagesOf(draw, carrots)).flat().join(" ")).toContain("Carrots, Small · 8 oz");
});

test("driver sheets: a route within one zip has no miles, and phone numbers are grouped", async () => {
  const door = {
    address: "12 Main Street",
    address2: "",
    city: "Carmel",
    state: "IN",
    zipCode: zips[0]!,
    instructions: "",
  };
  const shownOf = async (phone: string): Promise<string> => {
    const [box] = withBox({ door, pickup: null, phone }).boxes;
    const stop = { place: 1, box: box!, door, units: { dry: 1, cold: 0, frozen: 0 } };
    const routes = [{ driver: 1, km: 0, stops: [stop], gaps: [] }];
    return (await pagesOf((pdf) => drawDriverSheets(pdf, routes))).flat().join(" ");
  };
  for (const phone of ["3175550100", "317-555-0100", "+1 (317) 555 0100"]) {
    const shown = await shownOf(phone);
    expect(shown).toContain("(317) 555-0100");
    expect(shown).toContain("1 stop, within a mile. Check off each delivery.");
  }
  expect(await shownOf("317-555-0100 x 12")).toContain("317-555-0100 x 12");
});

test("changes: a canceled order of 60 lines has its tote number on each page", async () => {
  const lines = Array.from({ length: 60 }, (_, n) => ({
    ...day.boxes[0]!.lines[0]!,
    variantId: n,
    product: `Item ${n}`,
  }));
  const before = withBox({ tote: 17, lines });
  const changes = compareDays(before, { boxes: [], plan: null });
  const pages = await pagesOf((pdf) => drawChanges(pdf, [{ version: 2, changes }]), before);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.slice(1).map((words) => words.includes("Tote 17, continued"))).toEqual(pages.slice(1).map(() => true));
});

test("changes: against a version without routes, whose sheets were never made, no old place is claimed", async () => {
  const after = input(day, { drivers: 1 }).day;
  const dearer = { ...after, boxes: after.boxes.map((box) => ({ ...box, dueCents: cents(box.dueCents + 100) })) };
  const changes = compareDays({ boxes: after.boxes, plan: null }, dearer);
  expect(changes.map(({ kind }) => kind)).toEqual(after.boxes.map(() => "collect"));
  const shown = (await pagesOf((pdf) => drawChanges(pdf, [{ version: 2, changes }]), after)).flat().join(" ");
  expect(shown).toContain("Amount to collect changed:");
  expect(shown).not.toContain("set aside");
});

test("changes: an order that moves to another stop is listed with its old and new stop", async () => {
  const before = input(day, { drivers: 1 }).day;
  const after = input({ ...day, version: 2 }, { drivers: 2 }).day;
  const changes = compareDays(before, after);
  expect(changes.length).toBeGreaterThan(0);
  const [pages] = [await pagesOf((pdf) => drawChanges(pdf, [{ version: 2, changes }]), after)];
  const shown = pages.flat().join(" ");
  const [was, now] = [destinationsOf(before), destinationsOf(after)].map(
    (place) => new Map(after.boxes.map((box) => [box.tote, place(box)])),
  );
  for (const { tote } of changes)
    expect(shown).toContain(`Was ${formatDestination(was!.get(tote)!)}. Now ${formatDestination(now!.get(tote)!)}.`);
  const path = join(folder, "moved");
  await makeSheets({ ...input(after), day: after, changes: [{ version: 2, changes }] }, path);
  for (const row of rowsOf(join(path, "changes.csv")))
    expect(row).toMatchObject({
      change: "rerouted",
      went_to: formatDestination(was!.get(Number(row["tote"]))!),
      goes_to: formatDestination(now!.get(Number(row["tote"]))!),
    });
});

test("changes: a version with changes has a sheet of changes; a day with only canceled orders has no other sheet", async () => {
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

test("makeSheets: when aborted, the previous sheets stay, and no temporary files and no new folders are left", async () => {
  const path = join(folder, "stopped");
  await makeSheets(input(day), path);
  const before = hashes(path);
  const stop = new AbortController();
  const onProgress = (_name: string, done: number) => {
    if (done === 5) stop.abort(new Error("stopped"));
  };
  await expect(makeSheets(input(benchDay(3, 2, zips)), path, { onProgress, signal: stop.signal })).rejects.toThrow(
    "stopped",
  );
  expect(hashes(path)).toEqual(before);
  writeFileSync(join(folder, "file"), "");
  await expect(makeSheets(input(day), join(folder, "file", "below"))).rejects.toThrow(/ENOTDIR/);
  const within = join(folder, "print", "today", "carmel");
  await expect(makeSheets(input(day), within, { signal: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow(
    "stopped",
  );
  expect(existsSync(join(folder, "print"))).toBe(false);
  expect(readdirSync(folder).filter((name) => name.includes(".tmp"))).toEqual([]);
});

test("makeSheets: two concurrent runs leave one complete set of sheets", async () => {
  const path = join(folder, "race");
  await Promise.all([makeSheets(input(day), path), makeSheets(input(day), path)]);
  expect(readdirSync(path)).toEqual(Object.keys(hashes(join(folder, "one"))));
});

test("pick sheets: contain no data of shoppers", async () => {
  const path = join(folder, "private");
  await makeSheets(input(day), path);
  const text = readFileSync(join(path, "pick-sheets.csv"), "utf8");
  for (const { name } of day.boxes) expect(text.includes(name)).toBe(false);
  expect(vendorSheets(day.boxes).length).toBe(5);
});

test("pick sheets: up to 20 items and the signature are one page; the signature is never on a page without an item", async () => {
  for (let count = 1; count <= 45; count += 1) {
    const lines = Array.from({ length: count }, (_, place) => ({
      ...day.boxes[0]!.lines[0]!,
      variantId: place + 1,
      product: `Kale ${place}`,
      storage: "cold" as const,
    }));
    const pages = await pagesOf((pdf) => drawPickSheets(pdf, vendorSheets(withBox({ lines }).boxes)));
    if (count <= 20) expect({ count, pages: pages.length }).toEqual({ count, pages: 1 });
    const signed = pages.filter((words) => words.includes("Brought by"));
    expect({ count, signed: signed.length, last: signed[0] === pages.at(-1) }).toEqual({
      count,
      signed: 1,
      last: true,
    });
    expect(signed[0]?.some((words) => words.startsWith("Kale "))).toBe(true);
  }
});
