import { itemTitle, type SheetItem, type VendorSheet } from "@marketday/domain/sheets";

import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";
import { counted, storageBand } from "./storage.ts";

const QTY = 64;
const SHORT = 96;

/** Heights of rows and of the gap above the signature in points, roomiest first; the first that fits one page is taken. */
const LAYOUTS = [
  { row: 30, padding: 12, gap: 24 },
  { row: 30, padding: 12, gap: 8 },
  { row: 27, padding: 9, gap: 8 },
  { row: 26, padding: 8, gap: 4 },
] as const;
const SIGNATURE = 16;
const TITLE = { size: 14 } as const;
const TITLE_WIDTH = INNER - 24 - QTY - 16 - 76 - SHORT;
/** The band of a storage, and the space below its rows. */
const BAND = 30;

type Layout = (typeof LAYOUTS)[number];

const heightOf = (pdf: PdfDocument, item: SheetItem, { row, padding }: Layout): number =>
  Math.max(row, pdf.height(itemTitle(item), TITLE_WIDTH, TITLE) + padding);

/** The roomiest layout in which items and signature fit the room of a page; the first one where none does. */
function chooseLayout(pdf: PdfDocument, items: readonly SheetItem[], room: number): Layout {
  const bands = new Set(items.map(({ storage }) => storage)).size * BAND;
  const fits = (layout: Layout) =>
    items.reduce((sum, item) => sum + heightOf(pdf, item, layout), bands + layout.gap + SIGNATURE) <= room;
  return LAYOUTS.find(fits) ?? LAYOUTS[0];
}

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
    const layout = chooseLayout(pdf, items, pdf.room);
    const grouped = [...Map.groupBy(items, (item) => item.storage)];
    const lastItem = grouped.at(-1)?.[1].at(-1);
    for (const [storage, storageItems] of grouped) {
      storageBand(
        pdf,
        storage,
        counted(
          storageItems.reduce((sum, item) => sum + item.quantity, 0),
          "unit",
        ),
        Math.max(0, ...storageItems.slice(0, 1).map((item) => heightOf(pdf, item, layout))),
      );
      for (const item of storageItems) {
        const height = heightOf(pdf, item, layout);
        // The signature is on a page with an item.
        pdf.need(height + (item === lastItem ? 4 + layout.gap + SIGNATURE : 0));
        const y = pdf.y;
        pdf.checkbox(PAGE.margin + 2, y + 5, 16);
        pdf.text(String(item.quantity), PAGE.margin + 24, y + 1, QTY, { size: 21, bold: true, align: "right" });
        pdf.text(itemTitle(item), PAGE.margin + 24 + QTY + 16, y + 5, TITLE_WIDTH, TITLE);
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
    pdf.y += layout.gap;
    for (const [index, label] of ["Brought by", "Checked by"].entries()) {
      const x = PAGE.margin + index * (INNER / 2);
      pdf.text(label, x, pdf.y, 80, { size: 12 });
      pdf.rule(pdf.y + 14, { x: x + 72, width: INNER / 2 - 92, color: "#000" });
    }
  }
}
