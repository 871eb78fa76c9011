import { formatUsd } from "@marketday/domain/money";
import { itemTitle, type SheetChange } from "@marketday/domain/sheets";

import { INNER, PAGE, type Paper } from "./paper.ts";

/** What one version changed against the one before it. */
export interface VersionChanges {
  version: number;
  changes: readonly SheetChange[];
}

const SAID: Record<SheetChange["kind"], string> = {
  cancelled: "Cancelled: set the tote aside.",
  changed: "Holds something else now:",
  added: "New:",
  moved: "Goes to another address: see its driver sheet.",
  collect: "Another amount to collect:",
};

/** The newest version first: who holds an older paper reads down to its version. */
export function drawChanges(paper: Paper, versions: readonly VersionChanges[]): void {
  for (const { version, changes } of versions.toSorted((a, b) => b.version - a.version)) {
    paper.section(`Version ${version} against version ${version - 1}`);
    const words = `Correct the papers of version ${version - 1} by hand, or print those of the newest version. Tote numbers never change.`;
    paper.y += paper.text(words, PAGE.margin, paper.y, INNER, { size: 13 }) + 12;
    for (const { kind, tote, orderId, name, lines, due } of changes) {
      const titles = lines.map((line) => `${itemTitle(line)} (${line.vendor})`);
      const width = INNER - 100 - 130;
      const style = { size: 13, lines: 2 };
      paper.need(50 + (titles[0] === undefined ? 0 : paper.height(titles[0], width, style)));
      const { y } = paper;
      paper.tick(PAGE.margin + 2, y + 6, 16);
      paper.text(String(tote), PAGE.margin + 24, y, 66, { size: 24, bold: true });
      paper.text(`${name || "Account deleted"}, order ${orderId}`, PAGE.margin + 100, y + 1, INNER - 100, {
        size: 13,
        lines: 1,
      });
      paper.text(SAID[kind], PAGE.margin + 100, y + 17, INNER - 100, { size: 14, bold: true, lines: 1 });
      paper.y += 38;
      for (const [place, line] of lines.entries()) {
        const title = titles[place] ?? "";
        const height = paper.height(title, width, style) + 5;
        paper.need(height);
        paper.text(title, PAGE.margin + 100, paper.y, width, style);
        const amount =
          line.before === 0
            ? `${line.after}, was none`
            : `${line.after === 0 ? "none" : line.after}, was ${line.before}`;
        paper.text(amount, PAGE.width - PAGE.margin - 124, paper.y, 124, { size: 14, bold: true, align: "right" });
        paper.y += height;
      }
      if (kind !== "cancelled" && due.before !== due.after) {
        paper.need(20);
        const words = `Collect ${formatUsd(due.after)}, was ${formatUsd(due.before)}`;
        paper.y +=
          paper.text(words, PAGE.margin + 100, paper.y, INNER - 100, { size: 14, bold: true, align: "right" }) + 3;
      }
      paper.y += 4;
      paper.rule(paper.y);
      paper.y += 8;
    }
  }
}
