import { itemTitle, type SheetItem, type VendorSheet } from "@marketday/domain/sheets";

import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";
import { counted, storageBand } from "./storage.ts";

const QTY = 64;
const SHORT = 96;

function columns(paper: PdfDocument): void {
  const head = { size: 10, color: "#444" } as const;
  paper.text("Quantity", PAGE.margin + 24, paper.y, QTY, { ...head, align: "right" });
  paper.text("Item", PAGE.margin + 24 + QTY + 16, paper.y, 200, head);
  paper.text("For totes", PAGE.width - PAGE.margin - SHORT - 70, paper.y, 60, { ...head, align: "right" });
  paper.text("Came short by", PAGE.width - PAGE.margin - SHORT + 6, paper.y, SHORT, head);
  paper.y += 16;
}

/** What each vendor brings: nothing of the shoppers is on it. */
export function drawPickSheets(paper: PdfDocument, sheets: readonly VendorSheet[]): void {
  for (const { vendor, quantity, items } of sheets) {
    paper.section(vendor);
    const titleWidth = INNER - 24 - QTY - 16 - 76 - SHORT;
    paper.text(
      `Please bring ${counted(quantity, "unit")}, ${counted(items.length, "item")}.`,
      PAGE.margin,
      paper.y,
      INNER,
      {
        size: 14,
      },
    );
    paper.y += 24;
    paper.head(() => columns(paper));
    const style = { size: 14, lines: 12 };
    const heightOf = (item: SheetItem) => Math.max(30, paper.height(itemTitle(item), titleWidth, style) + 12);
    for (const [storage, here] of Map.groupBy(items, (item) => item.storage)) {
      storageBand(
        paper,
        storage,
        counted(
          here.reduce((all, item) => all + item.quantity, 0),
          "unit",
        ),
        Math.max(0, ...here.slice(0, 1).map(heightOf)),
      );
      for (const item of here) {
        const height = heightOf(item);
        paper.need(height);
        const y = paper.y;
        paper.tick(PAGE.margin + 2, y + 5, 16);
        paper.text(String(item.quantity), PAGE.margin + 24, y + 1, QTY, { size: 21, bold: true, align: "right" });
        paper.text(itemTitle(item), PAGE.margin + 24 + QTY + 16, y + 5, titleWidth, style);
        paper.text(String(item.totes.length), PAGE.width - PAGE.margin - SHORT - 70, y + 5, 60, {
          size: 14,
          align: "right",
        });
        paper.rule(y + 22, { x: PAGE.width - PAGE.margin - SHORT + 6, width: SHORT - 6, color: "#000" });
        paper.y += height;
        paper.rule(paper.y - 2);
      }
      paper.y += 4;
    }
    paper.head(null);
    paper.need(44);
    paper.y += 24;
    for (const [place, words] of ["Brought by", "Checked by"].entries()) {
      const x = PAGE.margin + place * (INNER / 2);
      paper.text(words, x, paper.y, 80, { size: 12 });
      paper.rule(paper.y + 14, { x: x + 72, width: INNER / 2 - 92, color: "#000" });
    }
  }
}
