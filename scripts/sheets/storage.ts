import { type Cents, formatUsd } from "@marketday/domain/money";
import type { Destination, Storage } from "@marketday/domain/sheets";

import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";

export const STORAGE_WORDS: Record<Storage, string> = { dry: "Dry", cold: "Cold", frozen: "Frozen" };

/** Dry is outlined, cold is grey, frozen is black: told apart on a copy of a copy, too. */
const LOOKS: Record<Storage, { fill: string; text: string }> = {
  dry: { fill: "#fff", text: "#000" },
  cold: { fill: "#d0d0d0", text: "#000" },
  frozen: { fill: "#000", text: "#fff" },
};

/** A band across the page that begins a part: "COLD", and at its end how much. */
export function storageBand(paper: PdfDocument, storage: Storage, words: string, rest: number): void {
  paper.need(24 + rest);
  const { fill, text } = LOOKS[storage];
  paper.doc.lineWidth(1).strokeColor("#000").rect(PAGE.margin, paper.y, INNER, 20).fillAndStroke(fill, "#000");
  const y = paper.y + 2.5;
  paper.text(STORAGE_WORDS[storage].toUpperCase(), PAGE.margin + 8, y, 200, { size: 13, bold: true, color: text });
  paper.text(words, PAGE.margin + 208, y, INNER - 216, { size: 13, align: "right", color: text });
  paper.y += 26;
}

/** A small tag "COLD"; nothing for dry unless asked for. */
export function storageTag(
  paper: PdfDocument,
  storage: Storage,
  x: number,
  y: number,
  width: number,
  dryToo = false,
): void {
  if (storage === "dry" && !dryToo) return;
  const { fill, text } = LOOKS[storage];
  paper.doc
    .lineWidth(0.75)
    .rect(x, y, width, 13)
    .fillAndStroke(fill, fill === "#fff" ? "#000" : fill);
  const style = { size: 9.5, bold: true, align: "center", color: text } as const;
  paper.text(STORAGE_WORDS[storage].toUpperCase(), x, y + 1, width, style);
}

/** "Collect $34.20". */
export const collectWords = ({ dueCents }: { dueCents: Cents }): string => `Collect ${formatUsd(dueCents)}`;

/** "Driver 2, stop 14", "Pickup: Depot". */
export const destinationWords = (place: Destination): string => {
  if (place === null) return "Set aside: no address";
  return "pickup" in place ? `Pickup: ${place.pickup}` : `Driver ${place.driver}, stop ${place.stop}`;
};

/** "1 item", "3 items". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
