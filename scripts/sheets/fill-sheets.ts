import { itemTitle, type SheetItem, type VendorSheet } from "@marketday/domain/sheets";

import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";
import { counted, storageTag } from "./storage.ts";

const COLUMNS = 6;
const CELL = { width: INNER / COLUMNS, height: 30 };

/** The title beside the quantity, all of it: the unit comes last. */
const TITLE = { size: 14, bold: true };
const TITLE_WIDTH = INNER - 72 - 74;
const titleOf = (item: SheetItem, continued: boolean) => `${itemTitle(item)}${continued ? " (continued)" : ""}`;
const headHeight = (paper: PdfDocument, item: SheetItem) => paper.height(titleOf(item, true), TITLE_WIDTH, TITLE) + 7;

function itemHead(paper: PdfDocument, item: SheetItem, continued: boolean): void {
  const { y } = paper;
  const height = paper.height(titleOf(item, continued), TITLE_WIDTH, TITLE) + 7;
  paper.fill(PAGE.margin, y, INNER, height, "#eee");
  paper.text(String(item.quantity), PAGE.margin + 6, y + 1, 54, { size: 17, bold: true, align: "right" });
  paper.text(titleOf(item, continued), PAGE.margin + 72, y + 3.5, TITLE_WIDTH, TITLE);
  storageTag(paper, item.storage, PAGE.width - PAGE.margin - 66, y + 4.5, 60);
  paper.y += height + 4;
}

/** Which tote each item goes into: one box to tick a tote. */
export function drawFillSheets(paper: PdfDocument, sheets: readonly VendorSheet[]): void {
  for (const { vendor, quantity, items } of sheets) {
    paper.section(vendor);
    const words = `${counted(quantity, "unit")} into the totes below. ×2 beside a tote means two of them.`;
    paper.text(words, PAGE.margin, paper.y, INNER, { size: 12 });
    paper.y += 22;
    for (const item of items) {
      paper.need(headHeight(paper, item) + 4 + CELL.height);
      let continued = false;
      paper.head(() => {
        itemHead(paper, item, continued);
        continued = true;
      });
      for (const [place, { tote, quantity: count }] of item.totes.entries()) {
        const column = place % COLUMNS;
        if (column === 0) paper.need(CELL.height);
        const x = PAGE.margin + column * CELL.width;
        paper.tick(x + 6, paper.y + 4, 15);
        const number = { size: 19, bold: true };
        paper.text(String(tote), x + 27, paper.y, CELL.width - 27, number);
        if (count > 1)
          paper.text(`×${count}`, x + 31 + paper.width(String(tote), number), paper.y + 4, 40, { size: 14 });
        if (column === COLUMNS - 1 || place === item.totes.length - 1) paper.y += CELL.height;
      }
      paper.head(null);
      paper.y += 6;
    }
  }
}
