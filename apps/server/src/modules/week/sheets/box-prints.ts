import type { TotalRow } from "@marketday/domain/fee-rows";
import { type Cents, formatUsd } from "@marketday/domain/money";
import { destinationsOf, type FrozenDay, labelsOf, packLists, type RoutePlan } from "@marketday/domain/sheets";
import { formatTotalRow } from "@marketday/domain/total-rows";

import { drawLabels } from "./labels.ts";
import { pdfFile, type SheetFile, stampOf, writeFiles } from "./make.ts";
import { drawPackLists } from "./pack-lists.ts";
import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";
import { formatDestination } from "./storage.ts";

/** A box as its customer pays for it. Cents. */
export interface Receipt {
  orderId: number;
  /** Empty when the account was deleted. */
  name: string;
  lines: { title: string; quantity: number; cents: number }[];
  rows: TotalRow[];
  totalCents: number;
  /** Of the total, paid with store credit. */
  creditCents: number;
}

/** The boxes of one day that are printed, as its newest sheets have them; for receipts, `boxes` is empty. */
export interface PrintedDay {
  day: FrozenDay & { plan: RoutePlan | null };
  receipts: readonly Receipt[];
}

/** What is printed of chosen boxes, in one file of several days. */
export interface BoxPrints {
  print: "labels" | "packing" | "receipts";
  days: readonly PrintedDay[];
}

export const BOX_PRINTS = "orders.pdf";
const TITLES = { labels: "Labels", packing: "Pack list", receipts: "Receipt" } as const;
const AMOUNT = 90;

/** A page for each box. */
function drawReceipts(pdf: PdfDocument, receipts: readonly Receipt[]): void {
  for (const { orderId, name, lines, rows, totalCents, creditCents } of receipts) {
    pdf.section(name || "Account deleted");
    pdf.y += pdf.text(`Order ${orderId}`, PAGE.margin, pdf.y, INNER, { size: 12, color: "#444" }) + 10;
    const row = (label: string, amount: string, bold = false) => {
      const width = INNER - AMOUNT - 12;
      const height = pdf.height(label, width, { size: 12, bold });
      pdf.need(height + 6);
      pdf.text(label, PAGE.margin, pdf.y, width, { size: 12, bold });
      pdf.text(amount, PAGE.margin + INNER - AMOUNT, pdf.y, AMOUNT, { size: 12, bold, align: "right", lines: 1 });
      pdf.y += height + 6;
    };
    for (const { title, quantity, cents } of lines) row(`${quantity} × ${title}`, formatUsd(cents as Cents));
    pdf.rule(pdf.y, { weight: 0.75, color: "#000" });
    pdf.y += 8;
    for (const each of rows) row(...formatTotalRow(each));
    row("Total", formatUsd(totalCents as Cents), true);
    if (creditCents > 0) row("Paid with store credit", formatUsd(-creditCents as Cents));
  }
}

/** Writes one PDF of chosen boxes into `directory`. */
export function makeBoxPrints({ print, days }: BoxPrints, directory: string): Promise<SheetFile[]> {
  const [first] = days;
  if (!first) return Promise.resolve([]);
  const draw = pdfFile(TITLES[print], (pdf) => {
    for (const { day, receipts } of days) {
      const stamp = stampOf(day);
      pdf.restamp(stamp, TITLES[print]);
      const findDestination = destinationsOf(day);
      const packs = packLists(day.boxes);
      const goesTo = (box: FrozenDay["boxes"][number]) => formatDestination(findDestination(box));
      if (print === "labels") drawLabels(pdf, labelsOf(packs), { ...day, dayShort: stamp.dayShort }, goesTo);
      else if (print === "packing") drawPackLists(pdf, packs, goesTo);
      else drawReceipts(pdf, receipts);
    }
  });
  return writeFiles({ [BOX_PRINTS]: draw }, stampOf(first.day), directory);
}
