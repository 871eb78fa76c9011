import type { Loads } from "@marketday/domain/loads";
import { toDollars } from "@marketday/domain/money";
import {
  type Box,
  type BoxLine,
  type FrozenDay,
  type Label,
  labelCode,
  type PackList,
  type VendorSheet,
} from "@marketday/domain/sheets";
import { stringify } from "csv-stringify/sync";

import type { VersionChanges } from "./changes.ts";
import { destinationWords } from "./storage.ts";

type Cell = string | number;
/** A sheet as rows for a spreadsheet, its head first. */
export type Table = { head: readonly string[]; rows: Cell[][] };

/** The cells of `item`, `variant` and `unit`. */
const goods = ({ product, variant, unit }: Pick<BoxLine, "product" | "variant" | "unit">): Cell[] => [
  product,
  variant,
  unit ?? "",
];

/** What each vendor brings. */
export const pickTable = (sheets: readonly VendorSheet[]): Table => ({
  head: ["vendor", "item", "variant", "unit", "storage", "quantity", "totes"],
  rows: sheets.flatMap(({ vendor, items }) =>
    items.map((item) => [vendor, ...goods(item), item.storage, item.quantity, item.totes.length]),
  ),
});

/** Which tote gets it. */
export const fillTable = (sheets: readonly VendorSheet[]): Table => ({
  head: ["vendor", "item", "variant", "unit", "storage", "tote", "quantity"],
  rows: sheets.flatMap(({ vendor, items }) =>
    items.flatMap((item) =>
      item.totes.map(({ tote, quantity }) => [vendor, ...goods(item), item.storage, tote, quantity]),
    ),
  ),
});

/** What is in it. */
export const packTable = (lists: readonly PackList[]): Table => ({
  head: ["tote", "order", "name", "storage", "quantity", "item", "variant", "unit", "vendor", "notes"],
  rows: lists.flatMap(({ box, parts }) =>
    parts.flatMap(({ storage, lines }) =>
      lines.map((line) => [
        box.tote,
        box.orderId,
        box.name,
        storage,
        line.quantity,
        ...goods(line),
        line.vendor,
        box.notes,
      ]),
    ),
  ),
});

/** Who carries it; in the order to load. */
export const loadTable = ({ routes, pickups, unknown }: Loads): Table => ({
  head: ["carrier", "stop", "tote", "order", "name", "dry", "cold", "frozen", "collect"],
  rows: [
    ...routes.flatMap(({ driver, stops }) =>
      stops
        .toReversed()
        .map(({ place, box, units }): Cell[] => [
          `Driver ${driver}`,
          place,
          ...who(box),
          ...Object.values(units),
          dollars(box),
        ]),
    ),
    ...pickups.flatMap(({ point, boxes }) =>
      boxes.map(({ box, units }): Cell[] => [
        `Pickup: ${point.name}`,
        "",
        ...who(box),
        ...Object.values(units),
        dollars(box),
      ]),
    ),
    ...unknown.map((box): Cell[] => ["Without an address", "", ...who(box), "", "", "", ""]),
  ],
});
/** Dollars to collect, empty where nothing is. */
const dollars = ({ dueCents }: Box): Cell => (dueCents > 0 ? toDollars(dueCents).toFixed(2) : "");
const who = ({ tote, orderId, name }: Box): Cell[] => [tote, orderId, name];

/** Where it goes; in the order to drive. */
export const driverTable = ({ routes }: Loads): Table => ({
  head: "driver stop tote order name phone address address2 city state zip instructions notes collect".split(" "),
  rows: routes.flatMap(({ driver, stops }) =>
    stops.map(({ place, box, door }): Cell[] => [
      driver,
      place,
      ...who(box),
      box.phone,
      door.address,
      door.address2,
      door.city,
      door.state,
      door.zipCode,
      door.instructions,
      box.notes,
      dollars(box),
    ]),
  ),
});

/** The stickers, for other printers. */
export const labelTable = (labels: readonly Label[], day: FrozenDay, goesTo: (box: Box) => string): Table => ({
  head: ["tote", "storage", "part", "parts", "name", "destination", "order", "code"],
  rows: labels.map((label) => {
    const { box, storage, part, parts } = label;
    return [box.tote, storage, part, parts, box.name, goesTo(box), box.orderId, labelCode(label, day)];
  }),
});

/** What differs from version to version; an empty item stands for the whole box. */
export const changeTable = (versions: readonly VersionChanges[]): Table => ({
  head: "version against tote order name change went_to goes_to vendor item variant unit before after".split(" "),
  rows: versions.flatMap(({ version, changes }) =>
    changes.flatMap(({ tote, orderId, name, kind, lines, goesTo }) => {
      const places = [goesTo.before, goesTo.after].map((place) => (place ? destinationWords(place) : ""));
      const head = [version, version - 1, tote, orderId, name, kind, ...places];
      if (lines.length === 0) return [[...head, "", "", "", "", "", ""]];
      return lines.map((line) => [...head, line.vendor, ...goods(line), line.before, line.after]);
    }),
  ),
});

/**
 * The rows as a CSV file that spreadsheets open well: a byte order mark, Windows line ends, and no cell that they would take
 * for a formula. Every row begins with what the sheet is of.
 */
export function csvOf({ head, rows }: Table, { hub, day, version }: FrozenDay): string {
  return stringify(
    rows.map((row) => [hub, day, version, ...row]),
    {
      header: true,
      columns: ["hub", "day", "sheet_version", ...head],
      bom: true,
      escape_formulas: true,
      record_delimiter: "windows",
    },
  );
}
