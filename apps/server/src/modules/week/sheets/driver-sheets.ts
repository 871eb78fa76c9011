import type { DriverRoute, DriverStop } from "@marketday/domain/loads";
import { STORAGES } from "@marketday/domain/sheets";

import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";
import { counted, formatAmountToCollect, formatPhone, STORAGE_LABELS } from "./storage.ts";

const KM_PER_MILE = 1.609344;
const LEFT = 56;
const RIGHT = 150;

/** One stop: name, address and notes at the left, tote and amount to collect at the right. */
function drawStop(pdf: PdfDocument, { place, box, door, units }: DriverStop): void {
  const x = PAGE.margin + LEFT;
  const width = INNER - LEFT - RIGHT;
  const street = [door.address, door.address2].filter(Boolean).join(", ");
  const notes = [door.instructions, box.notes].filter(Boolean).join(" · ");
  const style = { size: 12, lines: 6 };
  const heights = [
    pdf.height(box.name || "Account deleted", width, { size: 15, bold: true, lines: 2 }),
    pdf.height(street, width, { size: 15, lines: 3 }),
    18,
    notes ? pdf.height(notes, width, style) + 4 : 0,
  ];
  const height = Math.max(box.dueCents > 0 ? 94 : 76, heights.reduce((sum, each) => sum + each, 0) + 16);
  pdf.need(height);
  const top = pdf.y;
  pdf.text(String(place), PAGE.margin, top + 2, LEFT - 12, { size: 24, bold: true, align: "right" });
  let y = top + 4;
  y += pdf.text(box.name || "Account deleted", x, y, width, { size: 15, bold: true, lines: 2 });
  y += pdf.text(street, x, y, width, { size: 15, lines: 3 });
  y += pdf.text(`${door.city}, ${door.state} ${door.zipCode}`, x, y, width, { size: 13, lines: 1 });
  if (notes) pdf.text(notes, x, y + 4, width, style);
  const right = PAGE.width - PAGE.margin - RIGHT + 8;
  pdf.text("Tote", right, top + 6, 34, { size: 11, color: "#444" });
  pdf.text(String(box.tote), right + 30, top - 1, RIGHT - 66, { size: 24, bold: true });
  pdf.checkbox(PAGE.width - PAGE.margin - 24, top + 4, 22);
  const parts = STORAGES.filter((storage) => units[storage] > 0).map((storage) =>
    STORAGE_LABELS[storage].toLowerCase(),
  );
  pdf.text(parts.join(" + "), right, top + 31, RIGHT - 8, { size: 12, bold: parts.length > 1 });
  if (box.phone) pdf.text(formatPhone(box.phone), right, top + 48, RIGHT - 8, { size: 13, lines: 1 });
  if (box.dueCents > 0)
    pdf.text(formatAmountToCollect(box), right, top + 65, RIGHT - 8, { size: 15, bold: true, lines: 1 });
  pdf.y = top + height;
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

/** The stops of each driver in driving order, with contact, notes and amount to collect. */
export function drawDriverSheets(pdf: PdfDocument, routes: readonly DriverRoute[]): void {
  for (const route of routes) {
    pdf.section(`Driver ${route.driver}`);
    const miles = Math.round(route.km / KM_PER_MILE);
    const way =
      miles === 0 ? "within a mile" : `about ${counted(miles, "mile")} from zip to zip, without the trip back`;
    const intro = `${counted(route.stops.length, "stop")}, ${way}. Check off each delivery.`;
    pdf.y += pdf.text(intro, PAGE.margin, pdf.y, INNER, { size: 13 }) + 10;
    const last = Math.max(...route.stops.map(({ place }) => place), ...route.gaps);
    for (let place = 1; place <= last; place += 1) {
      const delivery = route.stops.find((each) => each.place === place);
      if (delivery) drawStop(pdf, delivery);
      else drawGap(pdf, place);
    }
  }
}
