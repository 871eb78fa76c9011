import { type Box, itemTitle, type PackLine, type PackList } from "@marketday/domain/sheets";

import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";
import { counted, storageBand } from "./storage.ts";

/** A tote's number, as large as the paper allows. */
function toteBox(paper: PdfDocument, tote: number): void {
  paper.doc.lineWidth(3).strokeColor("#000").rect(PAGE.margin, paper.y, 170, 96).stroke();
  paper.text("TOTE", PAGE.margin, paper.y + 6, 170, { size: 12, bold: true, align: "center" });
  const size = tote > 9999 ? 52 : 66;
  paper.text(String(tote), PAGE.margin, paper.y + 16 + (66 - size) / 2, 170, { size, bold: true, align: "center" });
}

const TITLE = { size: 14, lines: 12 };
const TITLE_WIDTH = INNER - 84 - 150;
const VENDOR = { size: 11, align: "right", color: "#444", lines: 5 } as const;
const VENDOR_WIDTH = 138;

/** A line with all of its title and vendor. */
const lineHeight = (paper: PdfDocument, line: PackLine): number =>
  Math.max(
    27,
    paper.height(itemTitle(line), TITLE_WIDTH, TITLE) + 10,
    paper.height(line.vendor, VENDOR_WIDTH, VENDOR) + 6,
  );

/** What goes into each tote; `goesTo` says "Driver 2, stop 14" or the pickup point. */
export function drawPackLists(paper: PdfDocument, lists: readonly PackList[], goesTo: (box: Box) => string): void {
  for (const { box, parts } of lists) {
    paper.section(`Tote ${box.tote}`);
    toteBox(paper, box.tote);
    const [x, width] = [PAGE.margin + 188, INNER - 188];
    let y = paper.y;
    y += paper.text(box.name || "Account deleted", x, y, width, { size: 22, bold: true, lines: 2 });
    y += paper.text(goesTo(box), x, y + 2, width, { size: 15, lines: 4 }) + 4;
    y += paper.text(`Order ${box.orderId}`, x, y, width, { size: 12, color: "#444" });
    const units = parts.reduce((all, part) => all + part.quantity, 0);
    paper.text(`${counted(units, "unit")} in ${counted(parts.length, "part")}`, x, y, width, { size: 12 });
    paper.text("Packed by", x + 130, y, 60, { size: 12 });
    paper.rule(y + 14, { x: x + 192, width: width - 192, color: "#000" });
    paper.y = Math.max(paper.y + 96, y + 16) + 14;
    if (box.notes) {
      const height = paper.height(box.notes, INNER - 20, { size: 13 }) + 14;
      paper.need(height + 8);
      paper.doc.lineWidth(1).strokeColor("#000").rect(PAGE.margin, paper.y, INNER, height).stroke();
      paper.text(box.notes, PAGE.margin + 10, paper.y + 6, INNER - 20, { size: 13 });
      paper.y += height + 10;
    }
    for (const { storage, quantity, lines } of parts) {
      const heights = lines.map((line) => lineHeight(paper, line));
      storageBand(paper, storage, counted(quantity, "unit"), heights[0] ?? 0);
      for (const [place, line] of lines.entries()) {
        const height = heights[place] ?? 0;
        paper.need(height);
        paper.tick(PAGE.margin + 4, paper.y + 3, 16);
        paper.text(String(line.quantity), PAGE.margin + 26, paper.y, 46, { size: 19, bold: true, align: "right" });
        paper.text(itemTitle(line), PAGE.margin + 84, paper.y + 3.5, TITLE_WIDTH, TITLE);
        const low = paper.height(line.vendor, VENDOR_WIDTH, VENDOR) < 14 ? 5 : -1;
        paper.text(line.vendor, PAGE.width - PAGE.margin - VENDOR_WIDTH - 4, paper.y + low, VENDOR_WIDTH, VENDOR);
        paper.y += height;
        paper.rule(paper.y - 3);
      }
      paper.y += 8;
    }
  }
}
