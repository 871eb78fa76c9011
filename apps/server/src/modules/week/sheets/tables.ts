import type { Loads } from "@marketday/domain/loads";
import { toDollars } from "@marketday/domain/money";
import {
  type Box,
  type BoxLine,
  type FrozenDay,
  type Label,
  type PackList,
  toteAddress,
  type VendorSheet,
} from "@marketday/domain/sheets";
import { stringify } from "csv-stringify/sync";

import type { VersionChanges } from "./changes.ts";
import { formatDestination } from "./storage.ts";

type Cell = string | number;
/** A text of several lines in one: a row is one line of the file, for programs that read it line by line. */
const inOneLine = (text: string): string => text.replaceAll(/\n+/g, " · ");
/** A sheet as a table for a spreadsheet. */
export type Table = { head: readonly string[]; rows: Cell[][] };

/** The cells of `item`, `variant` and `unit`. */
const itemCells = ({ product, variant, unit }: Pick<BoxLine, "product" | "variant" | "unit">): Cell[] => [
  product,
  variant,
  unit ?? "",
];

/** The quantities that each vendor brings. */
export const pickTable = (sheets: readonly VendorSheet[]): Table => ({
  head: ["vendor", "item", "variant", "unit", "storage", "quantity", "totes"],
  rows: sheets.flatMap(({ vendor, items }) =>
    items.map((item) => [vendor, ...itemCells(item), item.storage, item.quantity, item.totes.length]),
  ),
});

/** The totes of each item. */
export const fillTable = (sheets: readonly VendorSheet[]): Table => ({
  head: ["vendor", "item", "variant", "unit", "storage", "tote", "quantity"],
  rows: sheets.flatMap(({ vendor, items }) =>
    items.flatMap((item) =>
      item.totes.map(({ tote, quantity }) => [vendor, ...itemCells(item), item.storage, tote, quantity]),
    ),
  ),
});

/** The contents of each tote. */
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
        ...itemCells(line),
        line.vendor,
        inOneLine(box.notes),
      ]),
    ),
  ),
});

/** The totes of each driver in loading order, and of each pickup point. */
export const loadTable = ({ routes, pickups, unknown }: Loads): Table => ({
  head: ["carrier", "stop", "tote", "order", "name", "dry", "cold", "frozen", "collect", "notes"],
  rows: [
    ...routes.flatMap(({ driver, stops }) =>
      stops
        .toReversed()
        .map(({ place, box, units }): Cell[] => [
          `Driver ${driver}`,
          place,
          ...boxCells(box),
          ...Object.values(units),
          amountToCollect(box),
          inOneLine(box.notes),
        ]),
    ),
    ...pickups.flatMap(({ point, boxes }) =>
      boxes.map(({ box, units }): Cell[] => [
        `Pickup: ${point.name}`,
        "",
        ...boxCells(box),
        ...Object.values(units),
        amountToCollect(box),
        inOneLine(box.notes),
      ]),
    ),
    ...unknown.map((box): Cell[] => ["Without an address", "", ...boxCells(box), "", "", "", "", inOneLine(box.notes)]),
  ],
});
/** Dollars to collect, empty if nothing is due. */
const amountToCollect = ({ dueCents }: Box): Cell => (dueCents > 0 ? toDollars(dueCents).toFixed(2) : "");
const boxCells = ({ tote, orderId, name }: Box): Cell[] => [tote, orderId, name];

/** The stops of each driver, in driving order. */
export const driverTable = ({ routes }: Loads): Table => ({
  head: "driver stop tote order name phone address address2 city state zip notes instructions collect".split(" "),
  rows: routes.flatMap(({ driver, stops }) =>
    stops.map(({ place, box, door }): Cell[] => [
      driver,
      place,
      ...boxCells(box),
      box.phone,
      door.address,
      door.address2,
      door.city,
      door.state,
      door.zipCode,
      inOneLine(box.notes),
      inOneLine(door.instructions),
      amountToCollect(box),
    ]),
  ),
});

/** The labels, for other printers. */
export const labelTable = (labels: readonly Label[], day: FrozenDay, goesTo: (box: Box) => string): Table => ({
  head: ["tote", "storage", "part", "parts", "name", "destination", "order", "code", "notes"],
  rows: labels.map((label) => {
    const { box, storage, part, parts } = label;
    return [
      box.tote,
      storage,
      part,
      parts,
      box.name,
      goesTo(box),
      box.orderId,
      toteAddress(day.market, box),
      inOneLine(box.notes),
    ];
  }),
});

/** The changes from version to version; a row with an empty item is about the whole box. */
export const changeTable = (versions: readonly VersionChanges[]): Table => ({
  head: "version against tote order name change went_to goes_to vendor item variant unit before after".split(" "),
  rows: versions.flatMap(({ version, changes }) =>
    changes.flatMap(({ tote, orderId, name, kind, lines, goesTo }) => {
      const places = [goesTo.before, goesTo.after].map((destination) =>
        destination ? formatDestination(destination) : "",
      );
      const head = [version, version - 1, tote, orderId, name, kind, ...places];
      if (lines.length === 0) return [[...head, "", "", "", "", "", ""]];
      return lines.map((line) => [...head, line.vendor, ...itemCells(line), line.before, line.after]);
    }),
  ),
});

/**
 * The table as a CSV file for spreadsheets: with a byte order mark, Windows line ends, and escaped formulas. Every row begins
 * with hub, day and version.
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
