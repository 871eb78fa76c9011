import { type Box, type FrozenDay, type Label, toteAddress } from "@marketday/domain/sheets";
import { create, type QRCodeSegment } from "qrcode";

import type { PdfDocument } from "./pdf-document.ts";
import { BASIC, sanitizeText } from "./sanitize-text.ts";
import { storageTag, STORAGE_LABELS } from "./storage.ts";

/** Avery 5160 (and 8160, 8460): thirty labels of 2⅝ × 1 inch on US Letter, in points. */
export const AVERY_5160 = {
  columns: 3,
  rows: 10,
  left: 13.5,
  top: 36,
  width: 189,
  height: 72,
  across: 198,
  down: 72,
} as const;

/** Sizes of a name and of a place on a label with their maximum number of lines, largest first. */
const NAME_SIZES = [
  { size: 11, lines: 1 },
  { size: 9, lines: 1 },
  { size: 8, lines: 2 },
  { size: 6.5, lines: 3 },
];
const PLACE_SIZES = [
  { size: 9, lines: 1 },
  { size: 7, lines: 2 },
];

/** The side of the QR code and its quiet zone, in points. */
const CODE = 47;
const QUIET = 8;

/** The dots of a QR code, row by row, and how many are in a row. */
const codeOf = (text: string) => create(text, { errorCorrectionLevel: "M" }).modules;

/** Draws a QR code into a square of `size` points (quiet zone not included), as one shape of black runs. */
function drawCode(pdf: PdfDocument, text: string, x: number, y: number, size: number): void {
  const { size: count, data } = codeOf(text);
  const dot = size / count;
  for (let row = 0; row < count; row += 1) {
    for (let from = 0; from < count;) {
      let to = from;
      while (to < count && data[row * count + to]) to += 1;
      // 2% overlap, so that printers leave no white lines between the rows.
      if (to > from) pdf.doc.rect(x + from * dot, y + row * dot, (to - from) * dot, dot * 1.02);
      from = Math.max(to, from + 1);
    }
  }
  pdf.doc.fill("#000");
}

/** Labels for every part of every box, thirty per page; `goesTo` returns "Driver 2, stop 14" or the pickup point. */
export function drawLabels(
  pdf: PdfDocument,
  labels: readonly Label[],
  day: FrozenDay & { dayShort: string },
  goesTo: (box: Box) => string,
): void {
  const { columns, rows, left, top, width, height, across, down } = AVERY_5160;
  for (const [index, label] of labels.entries()) {
    const slot = index % (columns * rows);
    if (index === 0) pdf.section("Labels", true);
    else if (slot === 0) pdf.nextPage();
    const x = left + (slot % columns) * across;
    const y = top + Math.floor(slot / columns) * down;
    const { box, storage, part, parts } = label;
    const codeX = x + width - CODE - 8;
    const middle = codeX - QUIET - x - 8;
    const name = box.name || "Account deleted";
    const place = goesTo(box);
    const nameStyle = { ...pdf.fitted(name, middle, NAME_SIZES, true), lines: 3 };
    const placeStyle = { ...pdf.fitted(place, middle, PLACE_SIZES, false), lines: 2 };
    const placeTop = y + 61.5 - pdf.height(place, middle, placeStyle);
    const nameTop = placeTop - 1 + 0.22 * nameStyle.size - pdf.height(name, middle, nameStyle);
    const digits = String(box.tote);
    const size = Math.min(42, (42 * middle) / pdf.width(digits, { size: 42, bold: true }), (nameTop - y + 2) * 1.037);
    const number = { size, bold: true };
    pdf.text(digits, x + 8, y - 2, middle + QUIET, number);
    if (parts > 1 || storage !== "dry") storageTag(pdf, storage, codeX, y + 3, CODE, true);
    drawCode(pdf, toteAddress(day.market, box), codeX, y + height - CODE - 4, CODE);
    pdf.text(name, x + 8, nameTop, middle, nameStyle);
    pdf.text(place, x + 8, placeTop, middle, placeStyle);
    const footer = [...(parts > 1 ? [`${part} of ${parts}`] : []), day.dayShort, `v${day.version}`].join(" · ");
    pdf.text(footer, x + 8, y + 60.5, middle, { size: 8, lines: 1 });
  }
}

/** Escapes ZPL's control characters (^ ~ _) as hexadecimal bytes after "_" (^FH_). */
const zplText = (text: string): string =>
  text.replaceAll(
    /[\^~_\\]/g,
    (character) => `_${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );

/** The width of a text on a Zebra label, dots. A printer writes what does not fit over the last line. */
const ZPL_WIDTH = 540;

/** A text of the characters of a QR code's alphanumeric mode (ISO/IEC 18004). */
const ALPHANUMERIC = /^[\dA-Z $%*+\-./:]*$/;
/** The width of a Zebra label's QR code with the quiet zone to its right, dots. */
const ZPL_CODE = 236;
/** How many of the printer's dots are as wide as one of the code: as many as fit, because a printer cuts off what leaves the label. */
function zplDot(text: string): number {
  // A printer may encode the whole text in one mode, which can take more dots than the mix of modes that is smallest.
  const segment: QRCodeSegment = ALPHANUMERIC.test(text)
    ? { data: text, mode: "alphanumeric" }
    : { data: Buffer.from(text), mode: "byte" };
  const { size } = create([segment], { errorCorrectionLevel: "M" }).modules;
  return Math.max(1, Math.floor(ZPL_CODE / (size + 4)));
}

/** A text in the height of one line: a long one is smaller, on up to three lines, and ends in "…" where that is not enough. */
function fitZpl(text: string, height: number): { size: number; lines: number; fitting: string } {
  const characters = [...text];
  for (let lines = 1; ; lines += 1) {
    const size = lines === 1 ? height : Math.floor((height * 1.1) / lines);
    // A letter of the printer's font is about 0.6 of its height; lines break between words.
    const most = Math.floor(ZPL_WIDTH / (0.6 * size)) * lines - (lines - 1) * 8;
    if (characters.length <= most) return { size, lines, fitting: text };
    if (lines === 3) return { size, lines, fitting: `${characters.slice(0, most - 1).join("")}…` };
  }
}

/** The same labels for a Zebra printer: 4 × 2 inches at 203 dpi, UTF-8. */
export function zplLabels(
  labels: readonly Label[],
  day: FrozenDay & { dayShort: string },
  goesTo: (box: Box) => string,
): string {
  const field = (x: number, y: number, height: number, text: string) => {
    const { size, lines, fitting } = fitZpl(text, height);
    return `^FO${x},${y}^A0N,${size},${size}^FB${ZPL_WIDTH},${lines},0,L^FH_^FD${zplText(fitting)}^FS`;
  };
  return labels
    .map((label) => {
      const { box, storage, part, parts } = label;
      const storageLabel = STORAGE_LABELS[storage].toUpperCase();
      const address = toteAddress(day.market, box);
      return [
        "^XA^CI28^PW812^LL406",
        field(24, 20, 150, String(box.tote)),
        field(24, 180, 50, parts > 1 ? `${storageLabel}, ${part} of ${parts}` : storageLabel),
        field(24, 240, 44, sanitizeText(box.name || "Account deleted", BASIC)),
        field(24, 292, 34, sanitizeText(goesTo(box), BASIC)),
        field(24, 348, 28, sanitizeText(`${day.hub}, ${day.dayShort}, version ${day.version}`, BASIC)),
        `^FO576,70^BQN,2,${zplDot(address)}^FH_^FDMA,${zplText(address)}^FS`,
        "^XZ",
      ].join("\n");
    })
    .join("\n");
}
