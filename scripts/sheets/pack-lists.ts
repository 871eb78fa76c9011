import { type Box, itemTitle, type PackList } from "@marketday/domain/sheets";

import { INNER, PAGE, type Paper } from "./paper.ts";
import { counted, storageBand } from "./storage.ts";

/** A tote's number, as large as the paper allows. */
function toteBox(paper: Paper, tote: number): void {
  paper.doc.lineWidth(3).strokeColor("#000").rect(PAGE.margin, paper.y, 170, 96).stroke();
  paper.text("TOTE", PAGE.margin, paper.y + 6, 170, { size: 12, bold: true, align: "center" });
  const size = tote > 9999 ? 52 : 66;
  paper.text(String(tote), PAGE.margin, paper.y + 16 + (66 - size) / 2, 170, { size, bold: true, align: "center" });
}

/** What goes into each tote; `goesTo` says "Driver 2, stop 14" or the pickup point. */
export function drawPackLists(paper: Paper, lists: readonly PackList[], goesTo: (box: Box) => string): void {
  for (const { box, parts } of lists) {
    paper.section(`Tote ${box.tote}`);
    toteBox(paper, box.tote);
    const [x, width] = [PAGE.margin + 188, INNER - 188];
    let y = paper.y;
    y += paper.text(box.name || "Account deleted", x, y, width, { size: 22, bold: true, lines: 2 });
    y += paper.text(goesTo(box), x, y + 2, width, { size: 15, lines: 2 }) + 4;
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
      storageBand(paper, storage, counted(quantity, "unit"), 30);
      for (const line of lines) {
        const style = { size: 14, lines: 3 };
        const titleWidth = INNER - 84 - 150;
        const height = Math.max(27, paper.height(itemTitle(line), titleWidth, style) + 10);
        paper.need(height);
        paper.tick(PAGE.margin + 4, paper.y + 3, 16);
        paper.text(String(line.quantity), PAGE.margin + 26, paper.y, 46, { size: 19, bold: true, align: "right" });
        paper.text(itemTitle(line), PAGE.margin + 84, paper.y + 3.5, titleWidth, style);
        const from = { size: 11, align: "right", color: "#444", lines: 2 } as const;
        const low = paper.height(line.vendor, 138, from) < 14 ? 5 : -2;
        paper.text(line.vendor, PAGE.width - PAGE.margin - 142, paper.y + low, 138, from);
        paper.y += height;
        paper.rule(paper.y - 3);
      }
      paper.y += 8;
    }
  }
}
