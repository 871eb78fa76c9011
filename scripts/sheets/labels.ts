import { type Box, type FrozenDay, type Label, labelCode } from "@marketday/domain/sheets";
import { create } from "qrcode";

import type { PdfDocument } from "./pdf-document.ts";
import { sanitizeText } from "./sanitize-text.ts";
import { storageTag, STORAGE_WORDS } from "./storage.ts";

/** Avery 5160 (and 8160, 8460): thirty stickers of 2⅝ × 1 inch on US Letter, in points. */
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

/** The square's side, and what must stay white beside it. */
const CODE = 47;
const QUIET = 8;

/** Draws a QR code (quiet zone outside) into a square of `size` points: black runs, row by row, as one shape. */
function drawCode(paper: PdfDocument, words: string, x: number, y: number, size: number): void {
  const { size: count, data } = create(words, { errorCorrectionLevel: "M" }).modules;
  const dot = size / count;
  for (let row = 0; row < count; row += 1) {
    for (let from = 0; from < count;) {
      let to = from;
      while (to < count && data[row * count + to]) to += 1;
      // A hair over, so that no printer leaves white lines between the rows.
      if (to > from) paper.doc.rect(x + from * dot, y + row * dot, (to - from) * dot, dot * 1.02);
      from = Math.max(to, from + 1);
    }
  }
  paper.doc.fill("#000");
}

/** Where a box goes, short: "Carmel 46032" or the pickup point. */
export const shortDestination = ({ door, pickup }: Label["box"]): string =>
  door ? `${door.city} ${door.zipCode}` : (pickup?.name ?? "Set aside");

/** Stickers for every part of every box, thirty a page; `goesTo` says "Driver 2, stop 14" or the pickup point. */
export function drawLabels(
  paper: PdfDocument,
  labels: readonly Label[],
  day: FrozenDay & { dayShort: string },
  goesTo: (box: Box) => string,
): void {
  const { columns, rows, left, top, width, height, across, down } = AVERY_5160;
  for (const [place, label] of labels.entries()) {
    const spot = place % (columns * rows);
    if (place === 0) paper.section("Labels", true);
    else if (spot === 0) paper.overleaf();
    const x = left + (spot % columns) * across;
    const y = top + Math.floor(spot / columns) * down;
    const { box, storage, part, parts } = label;
    const side = x + width - CODE - 8;
    const middle = side - QUIET - x - 8;
    const digits = String(box.tote);
    const number = { size: Math.min(42, (42 * middle) / paper.width(digits, { size: 42, bold: true })), bold: true };
    paper.text(digits, x + 8, y - 2, middle + QUIET, number);
    if (parts > 1 || storage !== "dry") storageTag(paper, storage, side, y + 3, CODE, true);
    drawCode(paper, labelCode(label, day), side, y + height - CODE - 4, CODE);
    const name = box.name || "Account deleted";
    const style = { size: paper.width(name, { size: 11, bold: true }) > middle ? 9 : 11, bold: true, lines: 1 };
    paper.text(name, x + 8, y + 49.5 - style.size, middle, style);
    paper.text(goesTo(box), x + 8, y + 50.5, middle, { size: 9, lines: 1 });
    const under = [...(parts > 1 ? [`${part} of ${parts}`] : []), day.dayShort, `v${day.version}`].join(" · ");
    paper.text(under, x + 8, y + 60.5, middle, { size: 8, lines: 1 });
  }
}

/** A field's text for ZPL: its own signs (^ ~ _) as hexadecimal bytes after "_" (^FH_). */
const zplText = (text: string): string =>
  text.replaceAll(/[\^~_\\]/g, (sign) => `_${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);

/** The same stickers for a Zebra printer: 4 × 2 inches at 203 dots to the inch, UTF-8. */
export function zplLabels(
  labels: readonly Label[],
  day: FrozenDay & { dayShort: string },
  goesTo: (box: Box) => string,
): string {
  const field = (x: number, y: number, height: number, text: string) =>
    `^FO${x},${y}^A0N,${height},${height}^FB540,1,0,L^FH_^FD${zplText(text)}^FS`;
  return labels
    .map((label) => {
      const { box, storage, part, parts } = label;
      const words = STORAGE_WORDS[storage].toUpperCase();
      return [
        "^XA^CI28^PW812^LL406",
        field(24, 20, 150, String(box.tote)),
        field(24, 180, 50, parts > 1 ? `${words}, ${part} of ${parts}` : words),
        field(24, 240, 44, sanitizeText(box.name || "Account deleted")),
        field(24, 292, 34, sanitizeText(goesTo(box))),
        field(24, 348, 28, sanitizeText(`${day.hub}, ${day.dayShort}, version ${day.version}`)),
        `^FO576,70^BQN,2,8^FH_^FDMA,${zplText(labelCode(label, day))}^FS`,
        "^XZ",
      ].join("\n");
    })
    .join("\n");
}
