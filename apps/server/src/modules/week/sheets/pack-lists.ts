import { type Box, itemTitle, type PackLine, type PackList } from "@marketday/domain/sheets";

import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";
import { counted, storageBand } from "./storage.ts";

/** A tote's number in large print. */
function drawToteNumber(pdf: PdfDocument, tote: number): void {
  pdf.doc.lineWidth(3).strokeColor("#000").rect(PAGE.margin, pdf.y, 170, 96).stroke();
  pdf.text("TOTE", PAGE.margin, pdf.y + 6, 170, { size: 12, bold: true, align: "center" });
  const size = tote > 9999 ? 52 : 66;
  pdf.text(String(tote), PAGE.margin, pdf.y + 16 + (66 - size) / 2, 170, { size, bold: true, align: "center" });
}

const TITLE = { size: 14 };
/** Sizes of a name with their maximum number of lines, largest first. */
const NAME_SIZES = [
  { size: 22, lines: 2 },
  { size: 15, lines: Infinity },
];
const TITLE_WIDTH = INNER - 84 - 150;
const VENDOR = { size: 11, align: "right", color: "#444" } as const;
const VENDOR_WIDTH = 138;

/** The height of a line with its full title and vendor. */
const lineHeight = (pdf: PdfDocument, line: PackLine): number =>
  Math.max(27, pdf.height(itemTitle(line), TITLE_WIDTH, TITLE) + 10, pdf.height(line.vendor, VENDOR_WIDTH, VENDOR) + 6);

/** The contents of each tote; `goesTo` returns "Driver 2, stop 14" or the pickup point. */
export function drawPackLists(pdf: PdfDocument, lists: readonly PackList[], goesTo: (box: Box) => string): void {
  for (const { box, parts } of lists) {
    pdf.section(`Tote ${box.tote}`);
    drawToteNumber(pdf, box.tote);
    const [x, width] = [PAGE.margin + 188, INNER - 188];
    let y = pdf.y;
    const name = box.name || "Account deleted";
    y += pdf.text(name, x, y, width, pdf.fitted(name, width, NAME_SIZES, true));
    y += pdf.text(goesTo(box), x, y + 2, width, { size: 15 }) + 4;
    y += pdf.text(`Order ${box.orderId}`, x, y, width, { size: 12, color: "#444" });
    const units = parts.reduce((sum, part) => sum + part.quantity, 0);
    pdf.text(`${counted(units, "unit")} in ${counted(parts.length, "part")}`, x, y, width, { size: 12 });
    pdf.text("Packed by", x + 130, y, 60, { size: 12 });
    pdf.rule(y + 14, { x: x + 192, width: width - 192, color: "#000" });
    pdf.y = Math.max(pdf.y + 96, y + 16) + 14;
    if (box.notes) pdf.framed(box.notes, { size: 13 });
    for (const { storage, quantity, lines } of parts) {
      const heights = lines.map((line) => lineHeight(pdf, line));
      storageBand(pdf, storage, counted(quantity, "unit"), heights[0] ?? 0);
      for (const [index, line] of lines.entries()) {
        const height = heights[index] ?? 0;
        pdf.need(height);
        pdf.checkbox(PAGE.margin + 4, pdf.y + 3, 16);
        pdf.text(String(line.quantity), PAGE.margin + 26, pdf.y, 46, { size: 19, bold: true, align: "right" });
        pdf.text(itemTitle(line), PAGE.margin + 84, pdf.y + 3.5, TITLE_WIDTH, TITLE);
        const offset = pdf.height(line.vendor, VENDOR_WIDTH, VENDOR) < 14 ? 5 : -1;
        pdf.text(line.vendor, PAGE.width - PAGE.margin - VENDOR_WIDTH - 4, pdf.y + offset, VENDOR_WIDTH, VENDOR);
        pdf.y += height;
        pdf.rule(pdf.y - 3);
      }
      pdf.y += 8;
    }
  }
}
