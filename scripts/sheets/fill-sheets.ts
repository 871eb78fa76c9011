import { itemTitle, type SheetItem, type VendorSheet } from "@marketday/domain/sheets";

import { INNER, PAGE, type Paper } from "./paper.ts";
import { counted, storageTag } from "./storage.ts";

const COLUMNS = 6;
const CELL = { width: INNER / COLUMNS, height: 30 };

function itemHead(paper: Paper, item: SheetItem, continued: boolean): void {
  const { y } = paper;
  paper.fill(PAGE.margin, y, INNER, 24, "#eee");
  paper.text(String(item.quantity), PAGE.margin + 6, y + 1, 54, { size: 17, bold: true, align: "right" });
  const title = `${itemTitle(item)}${continued ? " (continued)" : ""}`;
  paper.text(title, PAGE.margin + 72, y + 3.5, INNER - 72 - 74, { size: 14, bold: true, lines: 1 });
  storageTag(paper, item.storage, PAGE.width - PAGE.margin - 66, y + 4.5, 60);
  paper.y += 28;
}

/** Which tote each item goes into: one box to tick a tote. */
export function drawFillSheets(paper: Paper, sheets: readonly VendorSheet[]): void {
  for (const { vendor, quantity, items } of sheets) {
    paper.section(vendor);
    const words = `${counted(quantity, "unit")} into the totes below. ×2 beside a tote means two of them.`;
    paper.text(words, PAGE.margin, paper.y, INNER, { size: 12 });
    paper.y += 22;
    for (const item of items) {
      paper.need(28 + CELL.height);
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
