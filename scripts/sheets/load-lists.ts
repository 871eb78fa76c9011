import type { DriverRoute, Loads } from "@marketday/domain/loads";
import { type Box, STORAGES, type Storage } from "@marketday/domain/sheets";

import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";
import { collectWords, counted, STORAGE_WORDS } from "./storage.ts";

interface Row {
  box: Box;
  units: Record<Storage, number>;
  /** "Stop 14", or nothing. */
  place: string;
}
const PART = 62;
const PLACE = 62;

function columns(paper: PdfDocument, last: string): void {
  const head = { size: 10, color: "#444" } as const;
  paper.text("Tote", PAGE.margin, paper.y, 62, { ...head, align: "right" });
  for (const [place, storage] of STORAGES.entries())
    paper.text(STORAGE_WORDS[storage], PAGE.margin + 80 + place * PART, paper.y, PART, head);
  paper.text("For", PAGE.margin + 80 + 3 * PART, paper.y, 200, head);
  paper.text(last, PAGE.width - PAGE.margin - PLACE, paper.y, PLACE, { ...head, align: "right" });
  paper.y += 16;
}

function rows(paper: PdfDocument, list: readonly Row[], last: string): void {
  paper.head(() => columns(paper, last));
  for (const { box, units, place } of list) {
    paper.need(30);
    const { y } = paper;
    paper.text(String(box.tote), PAGE.margin, y, 62, { size: 22, bold: true, align: "right" });
    for (const [column, storage] of STORAGES.entries()) {
      if (units[storage] === 0) continue;
      const x = PAGE.margin + 80 + column * PART;
      paper.tick(x, y + 5, 16);
      paper.text(String(units[storage]), x + 22, y + 5, PART - 22, { size: 13 });
    }
    const width = INNER - 80 - 3 * PART - PLACE - 8;
    const collect = place === "" && box.dueCents > 0 ? collectWords(box) : "";
    const paid = { size: 14, bold: true };
    const room = collect === "" ? width : width - paper.width(collect, paid) - 8;
    const name = box.name || "Account deleted";
    // The last name must be seen: a long name takes two small lines.
    const isLong = paper.width(name, { size: 14 }) > room;
    const style = isLong ? { size: 10.5, lines: 2 } : { size: 14, lines: 1 };
    paper.text(name, PAGE.margin + 80 + 3 * PART, isLong ? y : y + 4, room, style);
    if (collect !== "") paper.text(collect, PAGE.margin + 80 + 3 * PART, y + 4, width, { ...paid, align: "right" });
    const x = PAGE.width - PAGE.margin - PLACE;
    if (place === "") paper.tick(x + PLACE - 18, y + 5, 16);
    else paper.text(place, x, y + 4, PLACE, { size: 14, bold: true, align: "right" });
    paper.y += 30;
    paper.rule(paper.y - 2);
  }
  paper.head(null);
}

function contents(list: readonly Row[]): string {
  const units = STORAGES.map((storage) => list.reduce((all, row) => all + row.units[storage], 0));
  const parts = STORAGES.map((storage, place) => `${units[place]} ${STORAGE_WORDS[storage].toLowerCase()}`);
  return `${counted(list.length, "tote")}: ${parts.join(", ")}.`;
}

function intro(paper: PdfDocument, lines: readonly string[]): void {
  for (const line of lines) paper.y += paper.text(line, PAGE.margin, paper.y, INNER, { size: 13 }) + 2;
  paper.y += 8;
}

const loading = ({ stops }: DriverRoute): Row[] =>
  stops.toReversed().map(({ box, units, place }) => ({ box, units, place: String(place) }));

/** What each driver loads, the last stop first, and what waits at each pickup point. */
export function drawLoadLists(paper: PdfDocument, { routes, pickups, unknown }: Loads): void {
  for (const route of routes) {
    const list = loading(route);
    paper.section(`Driver ${route.driver}`);
    intro(paper, [
      contents(list),
      "In the order to load: what is delivered last goes in first. Tick each part that is in.",
    ]);
    rows(paper, list, "Stop");
  }
  for (const { point, boxes } of pickups) {
    const list = boxes.map((row) => ({ ...row, place: "" }));
    paper.section(`Pickup: ${point.name}`);
    const where = `${point.address}, ${point.city}, ${point.state} ${point.zipCode}`;
    intro(paper, [point.hours ? `${where} · ${point.hours}` : where, `${contents(list)} By last name.`]);
    rows(paper, list, "Fetched");
  }
  if (unknown.length > 0) {
    paper.section("Without an address");
    intro(paper, ["These accounts were deleted after the cutoff. Set the totes aside and ask the market."]);
    rows(
      paper,
      unknown.map((box) => ({ box, units: { dry: 0, cold: 0, frozen: 0 }, place: "" })),
      "Set aside",
    );
  }
}
