import { formatUsd } from "@marketday/domain/money";
import { itemTitle, type SheetChange } from "@marketday/domain/sheets";

import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";
import { formatDestination } from "./storage.ts";

/** The changes of one version since another, by default the version before. */
export interface VersionChanges {
  version: number;
  since?: number;
  changes: readonly SheetChange[];
}

const CHANGE_LABELS: Record<SheetChange["kind"], string> = {
  cancelled: "Canceled: set the tote aside.",
  changed: "Contents changed:",
  added: "New:",
  moved: "New address: see the newest driver sheet.",
  rerouted: "New driver or stop:",
  noted: "New note: see the newest driver sheet.",
  collect: "Amount to collect changed:",
};

/** The old and new destination of a box; for a canceled order, where to remove it. Null if the destination is the same. */
function formatPlaceChange({ kind, goesTo: { before, after } }: SheetChange): string | null {
  const [was, now] = [before, after].map((destination) => (destination ? formatDestination(destination) : null));
  if (kind === "cancelled") return was ? `Remove from: ${was}.` : null;
  if (kind === "added") return now ?? null;
  // The older version has no routes, as before its first sheets: its box was not without an address.
  if (was === now || (was === null && kind !== "moved")) return null;
  return `Was ${was ?? "set aside"}. Now ${now ?? "set aside: no address"}.`;
}

/** Draws the changes of each version, newest first: readers of an older sheet read down to its version. */
export function drawChanges(pdf: PdfDocument, versions: readonly VersionChanges[]): void {
  for (const { version, since = version - 1, changes } of versions.toSorted((a, b) => b.version - a.version)) {
    pdf.section(`Version ${version} against version ${since}`);
    const intro = `Correct the sheets of version ${since} by hand, or print the newest version. Totes, drivers and stops that are not listed here have not changed.`;
    pdf.y += pdf.text(intro, PAGE.margin, pdf.y, INNER, { size: 13 }) + 12;
    for (const change of changes) {
      const { kind, tote, orderId, name, lines, due } = change;
      const titles = lines.map((line) => `${itemTitle(line)} (${line.vendor})`);
      const width = INNER - 100 - 130;
      const style = { size: 13 };
      const who = `${name || "Account deleted"}, order ${orderId}`;
      const whoHeight = pdf.height(who, INNER - 100, style);
      pdf.need(54 + whoHeight + (titles[0] === undefined ? 0 : pdf.height(titles[0], width, style)));
      const { y } = pdf;
      pdf.checkbox(PAGE.margin + 2, y + 6, 16);
      pdf.text(String(tote), PAGE.margin + 24, y, 66, { size: 24, bold: true });
      pdf.text(who, PAGE.margin + 100, y + 1, INNER - 100, style);
      pdf.text(CHANGE_LABELS[kind], PAGE.margin + 100, y + 1 + whoHeight, INNER - 100, {
        size: 14,
        bold: true,
        lines: 1,
      });
      pdf.y += 22 + whoHeight;
      const placeChange = formatPlaceChange(change);
      if (placeChange !== null) pdf.y += pdf.text(placeChange, PAGE.margin + 100, pdf.y, INNER - 100, { size: 13 }) + 5;
      let isContinued = false;
      pdf.head(() => {
        if (isContinued) pdf.y += pdf.text(`Tote ${tote}, continued`, PAGE.margin, pdf.y, INNER, { bold: true }) + 6;
        isContinued = true;
      });
      for (const [row, line] of lines.entries()) {
        const title = titles[row] ?? "";
        const height = pdf.height(title, width, style) + 5;
        pdf.need(height);
        pdf.text(title, PAGE.margin + 100, pdf.y, width, style);
        const amount =
          line.before === 0
            ? `${line.after}, was none`
            : `${line.after === 0 ? "none" : line.after}, was ${line.before}`;
        pdf.text(amount, PAGE.width - PAGE.margin - 124, pdf.y, 124, { size: 14, bold: true, align: "right" });
        pdf.y += height;
      }
      pdf.head(null);
      if (kind !== "cancelled" && due.before !== due.after) {
        pdf.need(20);
        const amounts = `Collect ${formatUsd(due.after)}, was ${formatUsd(due.before)}`;
        pdf.y += pdf.text(amounts, PAGE.margin + 100, pdf.y, INNER - 100, { size: 14, bold: true, align: "right" }) + 3;
      }
      pdf.y += 4;
      pdf.rule(pdf.y);
      pdf.y += 8;
    }
  }
}
