import { type Cents, formatUsd } from "@marketday/domain/money";
import type { Destination, Storage } from "@marketday/domain/sheets";
import { cleanPhone } from "@marketday/domain/text";

import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";

export const STORAGE_LABELS: Record<Storage, string> = { dry: "Dry", cold: "Cold", frozen: "Frozen" };

/** Dry is outlined, cold is gray, frozen is black: readable even on a photocopy of a photocopy. */
const STORAGE_COLORS: Record<Storage, { fill: string; text: string }> = {
  dry: { fill: "#fff", text: "#000" },
  cold: { fill: "#d0d0d0", text: "#000" },
  frozen: { fill: "#000", text: "#fff" },
};

/** A band across the page at the start of a part: "COLD" at the left, `detail` at the right. `rest` is kept together with it. */
export function storageBand(pdf: PdfDocument, storage: Storage, detail: string, rest: number): void {
  pdf.need(24 + rest);
  const { fill, text } = STORAGE_COLORS[storage];
  pdf.doc.lineWidth(1).strokeColor("#000").rect(PAGE.margin, pdf.y, INNER, 20).fillAndStroke(fill, "#000");
  const y = pdf.y + 2.5;
  pdf.text(STORAGE_LABELS[storage].toUpperCase(), PAGE.margin + 8, y, 200, { size: 13, bold: true, color: text });
  pdf.text(detail, PAGE.margin + 208, y, INNER - 216, { size: 13, align: "right", color: text });
  pdf.y += 26;
}

/** A small tag "COLD"; dry has no tag unless `dryToo` is set. */
export function storageTag(
  pdf: PdfDocument,
  storage: Storage,
  x: number,
  y: number,
  width: number,
  dryToo = false,
): void {
  if (storage === "dry" && !dryToo) return;
  const { fill, text } = STORAGE_COLORS[storage];
  pdf.doc
    .lineWidth(0.75)
    .rect(x, y, width, 13)
    .fillAndStroke(fill, fill === "#fff" ? "#000" : fill);
  const style = { size: 9.5, bold: true, align: "center", color: text } as const;
  pdf.text(STORAGE_LABELS[storage].toUpperCase(), x, y + 1, width, style);
}

/** "3175550100" and "+1 317 555 0100" → "(317) 555-0100"; any other text as it is. */
export function formatPhone(phone: string): string {
  const [, area, exchange, line] =
    /^1?(\d{3})(\d{3})(\d{4})$/.exec(cleanPhone(phone).replaceAll(/[\s().+-]/g, "")) ?? [];
  return area === undefined ? phone : `(${area}) ${exchange}-${line}`;
}

/** "Collect $34.20". */
export const formatAmountToCollect = ({ dueCents }: { dueCents: Cents }): string => `Collect ${formatUsd(dueCents)}`;

/** "Driver 2, stop 14", "Pickup: Depot". */
export const formatDestination = (destination: Destination): string => {
  if (destination === null) return "Set aside: no address";
  return "pickup" in destination
    ? `Pickup: ${destination.pickup}`
    : `Driver ${destination.driver}, stop ${destination.stop}`;
};

/** "1 item", "3 items". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
