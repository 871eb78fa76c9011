import type { DriverRoute, DriverStop } from "@marketday/domain/loads";
import { STORAGES } from "@marketday/domain/sheets";

import { INNER, PAGE, type PdfDocument } from "./pdf-document.ts";
import { collectWords, counted, STORAGE_WORDS } from "./storage.ts";

const KM_PER_MILE = 1.609344;
const LEFT = 56;
const RIGHT = 150;

function stop(paper: PdfDocument, { place, box, door, units }: DriverStop): void {
  const x = PAGE.margin + LEFT;
  const width = INNER - LEFT - RIGHT;
  const street = [door.address, door.address2].filter(Boolean).join(", ");
  const said = [door.instructions, box.notes].filter(Boolean).join(" · ");
  const style = { size: 12, lines: 6 };
  const heights = [
    paper.height(box.name || "Account deleted", width, { size: 15, bold: true, lines: 2 }),
    paper.height(street, width, { size: 15, lines: 3 }),
    18,
    said ? paper.height(said, width, style) + 4 : 0,
  ];
  const height = Math.max(box.dueCents > 0 ? 94 : 76, heights.reduce((all, each) => all + each, 0) + 16);
  paper.need(height);
  const top = paper.y;
  paper.text(String(place), PAGE.margin, top + 2, LEFT - 12, { size: 24, bold: true, align: "right" });
  let y = top + 4;
  y += paper.text(box.name || "Account deleted", x, y, width, { size: 15, bold: true, lines: 2 });
  y += paper.text(street, x, y, width, { size: 15, lines: 3 });
  y += paper.text(`${door.city}, ${door.state} ${door.zipCode}`, x, y, width, { size: 13, lines: 1 });
  if (said) paper.text(said, x, y + 4, width, style);
  const right = PAGE.width - PAGE.margin - RIGHT + 8;
  paper.text("Tote", right, top + 6, 34, { size: 11, color: "#444" });
  paper.text(String(box.tote), right + 30, top - 1, RIGHT - 66, { size: 24, bold: true });
  paper.tick(PAGE.width - PAGE.margin - 24, top + 4, 22);
  const parts = STORAGES.filter((storage) => units[storage] > 0).map((storage) => STORAGE_WORDS[storage].toLowerCase());
  paper.text(parts.join(" + "), right, top + 31, RIGHT - 8, { size: 12, bold: parts.length > 1 });
  if (box.phone) paper.text(box.phone, right, top + 48, RIGHT - 8, { size: 13, lines: 1 });
  if (box.dueCents > 0) paper.text(collectWords(box), right, top + 65, RIGHT - 8, { size: 15, bold: true, lines: 1 });
  paper.y = top + height;
  paper.rule(paper.y - 4);
}

/** A number without a delivery: said, so that no one looks for a missing page. */
function gap(paper: PdfDocument, place: number): void {
  paper.need(24);
  paper.text(String(place), PAGE.margin, paper.y, LEFT - 12, { size: 15, color: "#444", align: "right" });
  paper.text("Nothing to deliver: canceled or moved.", PAGE.margin + LEFT, paper.y + 2, INNER - LEFT, {
    size: 12,
    color: "#444",
  });
  paper.y += 24;
  paper.rule(paper.y - 4);
}

/** The stops of each driver in the order to drive, with what a driver must know at the door. */
export function drawDriverSheets(paper: PdfDocument, routes: readonly DriverRoute[]): void {
  for (const route of routes) {
    paper.section(`Driver ${route.driver}`);
    const miles = Math.round(route.km / KM_PER_MILE);
    const words = `${counted(route.stops.length, "stop")}, about ${counted(miles, "mile")} from zip to zip without the way home. Tick what is delivered.`;
    paper.y += paper.text(words, PAGE.margin, paper.y, INNER, { size: 13 }) + 10;
    const last = Math.max(...route.stops.map(({ place }) => place), ...route.gaps);
    for (let place = 1; place <= last; place += 1) {
      const delivery = route.stops.find((each) => each.place === place);
      if (delivery) stop(paper, delivery);
      else gap(paper, place);
    }
  }
}
