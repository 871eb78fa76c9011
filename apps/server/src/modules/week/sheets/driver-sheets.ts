import type { DriverRoute, DriverStop } from "@marketday/domain/loads";
import { STORAGES } from "@marketday/domain/sheets";

import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";
import { counted, formatAmountToCollect, formatPhone, STORAGE_LABELS } from "./storage.ts";

const KM_PER_MILE = 1.609344;
const LEFT = 56;
const RIGHT = 150;
const NOTES = { size: 12 };

/**
 * One stop: name, address and notes at the left, tote and amount to collect at the right. The notes of this order come before the
 * lasting directions; what the page has no room for is on the next one.
 */
function drawStop(pdf: PdfDocument, { place, box, door, units }: DriverStop): void {
  const x = PAGE.margin + LEFT;
  const width = INNER - LEFT - RIGHT;
  const right = PAGE.width - PAGE.margin - RIGHT + 8;
  const parts: [text: string, style: { size: number; bold?: boolean }][] = [
    [box.name || "Account deleted", { size: 15, bold: true }],
    [[door.address, door.address2].filter(Boolean).join(", "), { size: 15 }],
    [`${door.city}, ${door.state} ${door.zipCode}`, { size: 13 }],
  ];
  const number = String(place);
  const phone = formatPhone(box.phone);
  const phoneHeight = Math.max(17, pdf.height(phone, RIGHT - 8, { size: 13 }) + 1);
  const least = 59 + phoneHeight + (box.dueCents > 0 ? 18 : 0);
  const address = parts.reduce((sum, [text, style]) => sum + pdf.height(text, width, style), 0);
  pdf.need(Math.max(least, address + 20 + 2 * NOTES.size));
  const { y: top } = pdf;
  pdf.text(number, PAGE.margin, top + 2, LEFT - 12, { size: 24, bold: true, align: "right" });
  pdf.y = top + 4;
  for (const [text, style] of parts) pdf.y += pdf.text(text, x, pdf.y, width, style);
  pdf.text("Tote", right, top + 6, 34, { size: 11, color: "#444" });
  pdf.text(String(box.tote), right + 30, top - 1, RIGHT - 66, { size: 24, bold: true });
  pdf.checkbox(PAGE.width - PAGE.margin - 24, top + 4, 22);
  const packed = STORAGES.filter((storage) => units[storage] > 0).map((storage) =>
    STORAGE_LABELS[storage].toLowerCase(),
  );
  pdf.text(packed.join(" + "), right, top + 31, RIGHT - 8, { size: 12, bold: packed.length > 1 });
  if (box.phone) pdf.text(phone, right, top + 48, RIGHT - 8, { size: 13 });
  if (box.dueCents > 0)
    pdf.text(formatAmountToCollect(box), right, top + 48 + phoneHeight, RIGHT - 8, { size: 15, bold: true, lines: 1 });
  let bottom = top + least;
  pdf.onNextPage(() => {
    bottom = 0;
    pdf.y += pdf.text(`Stop ${number}, tote ${box.tote}, continued`, PAGE.margin, pdf.y, INNER, { bold: true }) + 6;
  });
  pdf.y += 4;
  if (box.notes) pdf.flow(box.notes, x, width, { ...NOTES, bold: true });
  if (door.instructions) pdf.flow(door.instructions, x, width, NOTES);
  pdf.head(null);
  pdf.y = Math.max(pdf.y + 8, bottom);
  pdf.rule(pdf.y - 4);
}

/** A stop number without a delivery, printed so that no one looks for a missing page. */
function drawGap(pdf: PdfDocument, place: number): void {
  pdf.need(24);
  pdf.text(String(place), PAGE.margin, pdf.y, LEFT - 12, { size: 15, color: "#444", align: "right" });
  pdf.text("Nothing to deliver: canceled or moved.", PAGE.margin + LEFT, pdf.y + 2, INNER - LEFT, {
    size: 12,
    color: "#444",
  });
  pdf.y += 24;
  pdf.rule(pdf.y - 4);
}

function introOf(route: DriverRoute): string {
  const miles = Math.round(route.km / KM_PER_MILE);
  const way = miles === 0 ? "within a mile" : `about ${counted(miles, "mile")} from zip to zip, without the trip back`;
  return `${counted(route.stops.length, "stop")}, ${way}. Check off each delivery.`;
}

/**
 * The stops of each driver in driving order, with contact, notes and amount to collect. `formatIntro`: the line below the driver's
 * number.
 */
export function drawDriverSheets(
  pdf: PdfDocument,
  routes: readonly DriverRoute[],
  formatIntro: (route: DriverRoute) => string = introOf,
): void {
  for (const route of routes) {
    pdf.section(`Driver ${route.driver}`);
    pdf.y += pdf.text(formatIntro(route), PAGE.margin, pdf.y, INNER, { size: 13 }) + 10;
    const stops = new Map(route.stops.map((stop) => [stop.place, stop]));
    for (const place of [...stops.keys(), ...route.gaps].toSorted((a, b) => a - b)) {
      const delivery = stops.get(place);
      if (delivery) drawStop(pdf, delivery);
      else drawGap(pdf, place);
    }
  }
}
