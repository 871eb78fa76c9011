import { formatUsd } from "@marketday/domain/money";
import { itemTitle, type SheetChange } from "@marketday/domain/sheets";

import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";
import { destinationWords } from "./storage.ts";

/** What one version changed against the one before it. */
export interface VersionChanges {
  version: number;
  changes: readonly SheetChange[];
}

const SAID: Record<SheetChange["kind"], string> = {
  cancelled: "Canceled: set the tote aside.",
  changed: "Holds something else now:",
  added: "New:",
  moved: "Goes to another address: see the newest driver sheet.",
  rerouted: "Goes another way:",
  collect: "Another amount to collect:",
};

/** Where the box goes, old and new; for a cancelled one, where it is to be taken off. */
function placeWords({ kind, goesTo: { before, after } }: SheetChange): string | null {
  const [was, now] = [before, after].map((place) => (place ? destinationWords(place) : null));
  if (kind === "cancelled") return was ? `Take it off: ${was}.` : null;
  if (kind === "added") return now ?? null;
  if (was === now) return null;
  return `Was ${was ?? "set aside"}. Now ${now ?? "set aside: no address"}.`;
}

/** The newest version first: who holds an older paper reads down to its version. */
export function drawChanges(paper: PdfDocument, versions: readonly VersionChanges[]): void {
  for (const { version, changes } of versions.toSorted((a, b) => b.version - a.version)) {
    paper.section(`Version ${version} against version ${version - 1}`);
    const words = `Correct the papers of version ${version - 1} by hand, or print those of the newest version. Totes, drivers and stops that are not listed here are as before.`;
    paper.y += paper.text(words, PAGE.margin, paper.y, INNER, { size: 13 }) + 12;
    for (const change of changes) {
      const { kind, tote, orderId, name, lines, due } = change;
      const titles = lines.map((line) => `${itemTitle(line)} (${line.vendor})`);
      const width = INNER - 100 - 130;
      const style = { size: 13, lines: 12 };
      paper.need(70 + (titles[0] === undefined ? 0 : paper.height(titles[0], width, style)));
      const { y } = paper;
      paper.tick(PAGE.margin + 2, y + 6, 16);
      paper.text(String(tote), PAGE.margin + 24, y, 66, { size: 24, bold: true });
      paper.text(`${name || "Account deleted"}, order ${orderId}`, PAGE.margin + 100, y + 1, INNER - 100, {
        size: 13,
        lines: 1,
      });
      paper.text(SAID[kind], PAGE.margin + 100, y + 17, INNER - 100, { size: 14, bold: true, lines: 1 });
      paper.y += 38;
      const place = placeWords(change);
      if (place !== null) paper.y += paper.text(place, PAGE.margin + 100, paper.y, INNER - 100, { size: 13 }) + 5;
      let isContinued = false;
      paper.head(() => {
        if (isContinued)
          paper.y += paper.text(`Tote ${tote}, continued`, PAGE.margin, paper.y, INNER, { bold: true }) + 6;
        isContinued = true;
      });
      for (const [row, line] of lines.entries()) {
        const title = titles[row] ?? "";
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
      paper.head(null);
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
