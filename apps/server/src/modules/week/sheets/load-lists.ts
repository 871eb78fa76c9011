import type { DriverRoute, Loads } from "@marketday/domain/loads";
import { type Box, STORAGES, type Storage } from "@marketday/domain/sheets";

import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";
import { formatAmountToCollect, counted, STORAGE_LABELS } from "./storage.ts";

interface Row {
  box: Box;
  units: Record<Storage, number>;
  /** The stop number; empty at a pickup point. */
  place: string;
}
const PART = 62;
const PLACE = 62;

function drawColumnHeads(pdf: PdfDocument, last: string): void {
  const head = { size: 10, color: "#444" } as const;
  pdf.text("Tote", PAGE.margin, pdf.y, 62, { ...head, align: "right" });
  for (const [index, storage] of STORAGES.entries())
    pdf.text(STORAGE_LABELS[storage], PAGE.margin + 80 + index * PART, pdf.y, PART, head);
  pdf.text("For", PAGE.margin + 80 + 3 * PART, pdf.y, 200, head);
  pdf.text(last, PAGE.width - PAGE.margin - PLACE, pdf.y, PLACE, { ...head, align: "right" });
  pdf.y += 16;
}

function drawRows(pdf: PdfDocument, list: readonly Row[], last: string): void {
  pdf.head(() => drawColumnHeads(pdf, last));
  for (const { box, units, place } of list) {
    const width = INNER - 80 - 3 * PART - PLACE - 8;
    const collect = place === "" && box.dueCents > 0 ? formatAmountToCollect(box) : "";
    const amountStyle = { size: 14, bold: true };
    const nameWidth = collect === "" ? width : width - pdf.width(collect, amountStyle) - 8;
    const name = box.name || "Account deleted";
    // The last name must be readable: a long name is printed on small lines.
    const isLong = pdf.width(name, { size: 14 }) > nameWidth;
    const style = { size: isLong ? 10.5 : 14 };
    const height = isLong ? Math.max(30, pdf.height(name, nameWidth, style) + 5) : 30;
    pdf.need(height);
    const { y } = pdf;
    pdf.text(String(box.tote), PAGE.margin, y, 62, { size: 22, bold: true, align: "right" });
    for (const [column, storage] of STORAGES.entries()) {
      if (units[storage] === 0) continue;
      const x = PAGE.margin + 80 + column * PART;
      pdf.checkbox(x, y + 5, 16);
      pdf.text(String(units[storage]), x + 22, y + 5, PART - 22, { size: 13 });
    }
    pdf.text(name, PAGE.margin + 80 + 3 * PART, isLong ? y : y + 4, nameWidth, style);
    if (collect !== "")
      pdf.text(collect, PAGE.margin + 80 + 3 * PART, y + 4, width, { ...amountStyle, align: "right" });
    const x = PAGE.width - PAGE.margin - PLACE;
    if (place === "") pdf.checkbox(x + PLACE - 18, y + 5, 16);
    else pdf.text(place, x, y + 4, PLACE, { size: 14, bold: true, align: "right" });
    pdf.y += height;
    // A driver has the notes on the driver sheet, a pickup point has only this list.
    if (place === "" && box.notes) {
      pdf.flow(box.notes, PAGE.margin + 80, INNER - 80 - PLACE, { size: 11 });
      pdf.y += 6;
    }
    pdf.rule(pdf.y - 2);
  }
  pdf.head(null);
}

function formatContents(list: readonly Row[]): string {
  const units = STORAGES.map((storage) => list.reduce((sum, row) => sum + row.units[storage], 0));
  const parts = STORAGES.map((storage, index) => `${units[index]} ${STORAGE_LABELS[storage].toLowerCase()}`);
  return `${counted(list.length, "tote")}: ${parts.join(", ")}.`;
}

function drawIntro(pdf: PdfDocument, lines: readonly string[]): void {
  for (const line of lines) pdf.y += pdf.text(line, PAGE.margin, pdf.y, INNER, { size: 13 }) + 2;
  pdf.y += 8;
}

const loadingOrder = ({ stops }: DriverRoute): Row[] =>
  stops.toReversed().map(({ box, units, place }) => ({ box, units, place: String(place) }));

/** The totes of each driver in loading order (last stop first), and of each pickup point. */
export function drawLoadLists(pdf: PdfDocument, { routes, pickups, unknown }: Loads): void {
  for (const route of routes) {
    const list = loadingOrder(route);
    pdf.section(`Driver ${route.driver}`);
    drawIntro(pdf, [
      formatContents(list),
      "In loading order: the last delivery goes in first. Check off each part as you load it.",
    ]);
    drawRows(pdf, list, "Stop");
  }
  for (const { point, boxes } of pickups) {
    const list = boxes.map((row) => ({ ...row, place: "" }));
    pdf.section(`Pickup: ${point.name}`);
    const where = `${point.address}, ${point.city}, ${point.state} ${point.zipCode}`;
    drawIntro(pdf, [point.hours ? `${where} · ${point.hours}` : where, `${formatContents(list)} By last name.`]);
    drawRows(pdf, list, "Picked up");
  }
  if (unknown.length > 0) {
    pdf.section("Without an address");
    drawIntro(pdf, ["These accounts were deleted after the cutoff. Set the totes aside and ask the market."]);
    drawRows(
      pdf,
      unknown.map((box) => ({ box, units: { dry: 0, cold: 0, frozen: 0 }, place: "" })),
      "Set aside",
    );
  }
}
