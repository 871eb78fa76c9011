import { itemTitle, type SheetItem, type VendorSheet } from "@marketday/domain/sheets";

import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";
import { counted, storageBand } from "./storage.ts";

const QTY = 64;
const SHORT = 96;

function drawColumnHeads(pdf: PdfDocument): void {
  const head = { size: 10, color: "#444" } as const;
  pdf.text("Quantity", PAGE.margin + 24, pdf.y, QTY, { ...head, align: "right" });
  pdf.text("Item", PAGE.margin + 24 + QTY + 16, pdf.y, 200, head);
  pdf.text("For totes", PAGE.width - PAGE.margin - SHORT - 70, pdf.y, 60, { ...head, align: "right" });
  pdf.text("Short by", PAGE.width - PAGE.margin - SHORT + 6, pdf.y, SHORT, head);
  pdf.y += 16;
}

/** The quantities that each vendor brings. Contains no data of shoppers. */
export function drawPickSheets(pdf: PdfDocument, sheets: readonly VendorSheet[]): void {
  for (const { vendor, quantity, items } of sheets) {
    pdf.section(vendor);
    const titleWidth = INNER - 24 - QTY - 16 - 76 - SHORT;
    pdf.text(
      `Please bring ${counted(quantity, "unit")}, ${counted(items.length, "item")}.`,
      PAGE.margin,
      pdf.y,
      INNER,
      {
        size: 14,
      },
    );
    pdf.y += 24;
    pdf.head(() => drawColumnHeads(pdf));
    const style = { size: 14 };
    const heightOf = (item: SheetItem) => Math.max(30, pdf.height(itemTitle(item), titleWidth, style) + 12);
    for (const [storage, storageItems] of Map.groupBy(items, (item) => item.storage)) {
      storageBand(
        pdf,
        storage,
        counted(
          storageItems.reduce((sum, item) => sum + item.quantity, 0),
          "unit",
        ),
        Math.max(0, ...storageItems.slice(0, 1).map(heightOf)),
      );
      for (const item of storageItems) {
        const height = heightOf(item);
        pdf.need(height);
        const y = pdf.y;
        pdf.checkbox(PAGE.margin + 2, y + 5, 16);
        pdf.text(String(item.quantity), PAGE.margin + 24, y + 1, QTY, { size: 21, bold: true, align: "right" });
        pdf.text(itemTitle(item), PAGE.margin + 24 + QTY + 16, y + 5, titleWidth, style);
        pdf.text(String(item.totes.length), PAGE.width - PAGE.margin - SHORT - 70, y + 5, 60, {
          size: 14,
          align: "right",
        });
        pdf.rule(y + 22, { x: PAGE.width - PAGE.margin - SHORT + 6, width: SHORT - 6, color: "#000" });
        pdf.y += height;
        pdf.rule(pdf.y - 2);
      }
      pdf.y += 4;
    }
    pdf.head(null);
    pdf.need(44);
    pdf.y += 24;
    for (const [index, label] of ["Brought by", "Checked by"].entries()) {
      const x = PAGE.margin + index * (INNER / 2);
      pdf.text(label, x, pdf.y, 80, { size: 12 });
      pdf.rule(pdf.y + 14, { x: x + 72, width: INNER / 2 - 92, color: "#000" });
    }
  }
}
