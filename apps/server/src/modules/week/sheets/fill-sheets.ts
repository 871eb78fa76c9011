import { itemTitle, type SheetItem, type VendorSheet } from "@marketday/domain/sheets";

import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";
import { counted, storageTag } from "./storage.ts";

const COLUMNS = 6;
const CELL = { width: INNER / COLUMNS, height: 30 };

/** The style of an item's title. Titles are not cut, because the unit comes last. */
const TITLE = { size: 14, bold: true };
const TITLE_WIDTH = INNER - 72 - 74;
const titleOf = (item: SheetItem, continued: boolean) => `${itemTitle(item)}${continued ? " (continued)" : ""}`;
const headHeight = (pdf: PdfDocument, item: SheetItem) => pdf.height(titleOf(item, true), TITLE_WIDTH, TITLE) + 7;

function drawItemHead(pdf: PdfDocument, item: SheetItem, continued: boolean): void {
  const { y } = pdf;
  const height = pdf.height(titleOf(item, continued), TITLE_WIDTH, TITLE) + 7;
  pdf.fill(PAGE.margin, y, INNER, height, "#eee");
  pdf.text(String(item.quantity), PAGE.margin + 6, y + 1, 54, { size: 17, bold: true, align: "right" });
  pdf.text(titleOf(item, continued), PAGE.margin + 72, y + 3.5, TITLE_WIDTH, TITLE);
  storageTag(pdf, item.storage, PAGE.width - PAGE.margin - 66, y + 4.5, 60);
  pdf.y += height + 4;
}

const introOf = (quantity: number): string =>
  `${counted(quantity, "unit")} for the totes below. ×2 next to a tote means two units.`;

/** The totes of each item, with one checkbox per tote. `formatIntro`: the line below a vendor's name, from the units listed. */
export function drawFillSheets(
  pdf: PdfDocument,
  sheets: readonly VendorSheet[],
  formatIntro: (quantity: number) => string = introOf,
): void {
  for (const { vendor, quantity, items } of sheets) {
    pdf.section(vendor);
    pdf.text(formatIntro(quantity), PAGE.margin, pdf.y, INNER, { size: 12 });
    pdf.y += 22;
    for (const item of items) {
      pdf.need(headHeight(pdf, item) + 4 + CELL.height);
      let continued = false;
      pdf.head(() => {
        drawItemHead(pdf, item, continued);
        continued = true;
      });
      for (const [index, { tote, quantity: count }] of item.totes.entries()) {
        const column = index % COLUMNS;
        if (column === 0) pdf.need(CELL.height);
        const x = PAGE.margin + column * CELL.width;
        pdf.checkbox(x + 6, pdf.y + 4, 15);
        const number = { size: 19, bold: true };
        pdf.text(String(tote), x + 27, pdf.y, CELL.width - 27, number);
        if (count > 1) pdf.text(`×${count}`, x + 31 + pdf.width(String(tote), number), pdf.y + 4, 40, { size: 14 });
        if (column === COLUMNS - 1 || index === item.totes.length - 1) pdf.y += CELL.height;
      }
      pdf.head(null);
      pdf.y += 6;
    }
  }
}
