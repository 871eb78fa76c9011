import { PassThrough } from "node:stream";

import { type FrozenDay, labelsOf, packLists, toteAddress } from "@marketday/domain/sheets";
import jsqr from "jsqr";
import { create } from "qrcode";
import { expect, test, vi } from "vitest";

import { benchDay } from "../../../../test/sheet-day.ts";
import { AVERY_5160, drawLabels, zplLabels } from "./labels.ts";
import { stampOf } from "./make.ts";
import { PdfDocument } from "./pdf-document.ts";

const { left, top, width, height, across, down, columns, rows } = AVERY_5160;
const made = benchDay(14, 5, ["46032", "46033"]);
/** More labels than a page has, of a market at this address. */
const dayAt = (market: string): FrozenDay & { dayShort: string } => ({ ...made, market, dayShort: "Thu, Nov 26" });
const labels = labelsOf(packLists(made.boxes));
const goesTo = () => "Driver 2, stop 14";

interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** The rectangles of each page of labels, in points: the dots of the codes, and the frames that say how a tote is packed. */
async function drawnRects(day: FrozenDay & { dayShort: string }): Promise<Rect[][]> {
  const pdf = new PdfDocument("Labels", stampOf(day), new PassThrough().resume());
  const pages: Rect[][] = [];
  const { doc } = pdf;
  const addPage = doc.addPage.bind(doc);
  vi.spyOn(doc, "addPage").mockImplementation((options) => {
    pages.push([]);
    return addPage(options);
  });
  const rect = doc.rect.bind(doc);
  vi.spyOn(doc, "rect").mockImplementation((x, y, w, h) => {
    pages.at(-1)!.push({ x, y, w, h });
    return rect(x, y, w, h);
  });
  drawLabels(pdf, labels, day, goesTo);
  await pdf.finish();
  return pages;
}

/** What a camera reads on a label that is printed at 300 dots an inch, its rectangles in black. */
function scan(rects: readonly Rect[], slot: number) {
  const scale = 300 / 72;
  const [x0, y0] = [left + (slot % columns) * across, top + Math.floor(slot / columns) * down];
  const [wide, high] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  const pixels = new Uint8ClampedArray(wide * high * 4).fill(255);
  for (const { x, y, w, h } of rects)
    for (let row = Math.round((y - y0) * scale); row < Math.round((y + h - y0) * scale); row += 1)
      for (let column = Math.round((x - x0) * scale); column < Math.round((x + w - x0) * scale); column += 1)
        if (row >= 0 && row < high && column >= 0 && column < wide)
          pixels.fill(0, (row * wide + column) * 4, (row * wide + column) * 4 + 3);
  const code = jsqr.default(pixels, wide, high);
  // Bytes, for small letters, would make the square a third larger.
  return code && { text: code.data, hasBytes: code.chunks.some(({ type }) => (type as string) === "byte") };
}

test.for([
  "https://market.example",
  "http://192.168.0.14:3000",
  "https://the-greater-northern-hamilton-and-boone-county-growers-market.example",
])(
  "labels: a scanner reads the address of each tote on the printed sheet of a market at %s, in capitals",
  async (market) => {
    const day = dayAt(market);
    const pages = await drawnRects(day);
    expect(pages.length).toBeGreaterThan(1);
    for (const [index, { box }] of labels.entries()) {
      const page = pages[Math.floor(index / (columns * rows))]!;
      const address = `${market.toUpperCase()}/T/${box.orderId}`;
      expect([index, scan(page, index % (columns * rows))]).toEqual([index, { text: address, hasBytes: false }]);
      expect(new URL(address).href).toBe(`${market}/T/${box.orderId}`);
    }
  },
);

test("labels: a dot of the code of a usual address is half a millimeter wide", async () => {
  const [page] = await drawnRects(dayAt("https://little-wagon.example"));
  const dots = page!.filter(({ x, w, h }) => x > left + width / 2 && x < left + width && h < 5 && w > 0);
  expect(Math.min(...dots.map(({ w }) => w)) * (25.4 / 72)).toBeGreaterThan(0.5);
});

test.for<[market: string, dot: number]>([
  ["https://market.example", 8],
  ["https://little-wagon.example", 7],
  // Its smallest code is a mix of modes; in one mode it has more dots.
  ["https://green-farms.example", 7],
  ["https://the-greater-northern-hamilton-and-boone-county-growers-market.example", 6],
])("labels.zpl: the code of a market at %s is on the label, with its quiet zone", ([market, dot]) => {
  const day = dayAt(market);
  const zpl = zplLabels(labels, day, goesTo);
  const codes = [...zpl.matchAll(/\^FO(\d+),(\d+)\^BQN,2,(\d+)\^FH_\^FDMA,([^^]+)\^FS/g)];
  expect(codes.map(([, , , size, text]) => [Number(size), text])).toEqual(
    labels.map(({ box }) => [dot, toteAddress(market, box)]),
  );
  const [, wide, high] = /\^PW(\d+)\^LL(\d+)/.exec(zpl)!.map(Number);
  const texts = [...zpl.matchAll(/\^FO(\d+),\d+\^A0N.*?\^FB(\d+),/g)];
  const textEnd = Math.max(...texts.map(([, x, width]) => Number(x) + Number(width)));
  for (const [, x, y, size, text] of codes) {
    // The largest code that a printer may make of the address: in one mode.
    const { modules } = create([{ data: text!, mode: "alphanumeric" }], { errorCorrectionLevel: "M" });
    expect(Number(x)).toBeGreaterThan(textEnd);
    expect(Number(x) + Number(size) * (modules.size + 4)).toBeLessThanOrEqual(wide!);
    expect(Number(y) + Number(size) * (modules.size + 4)).toBeLessThanOrEqual(high!);
  }
});
