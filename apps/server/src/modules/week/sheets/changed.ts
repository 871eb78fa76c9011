import type { DriverRoute, RouteMap } from "@marketday/domain/loads";
import {
  type Box,
  compareDays,
  type FrozenDay,
  labelsOf,
  packLists,
  type RoutePlan,
  type SheetChange,
  vendorSheets,
} from "@marketday/domain/sheets";

import { drawChanges } from "./changes.ts";
import { drawDriverSheets } from "./driver-sheets.ts";
import { drawFillSheets } from "./fill-sheets.ts";
import { drawLabels, zplLabels } from "./labels.ts";
import { type Files, partsOf, pdfFile, type SheetFile, writeFiles, type WriteOptions } from "./make.ts";
import { drawPackLists } from "./pack-lists.ts";
import { counted } from "./storage.ts";

/** A day with planned routes, and an older version of it whose sheets are in use. */
export interface ChangedInput extends RouteMap {
  day: FrozenDay & { plan: RoutePlan };
  since: FrozenDay;
}

type Kind = SheetChange["kind"];
/** Changes after which a tote gets another pack list and label: both name where it goes and of which version they are. */
const REPACKED: readonly Kind[] = ["added", "changed", "moved", "rerouted", "noted"];
/** Changes of a tote's contents. */
const REFILLED: readonly Kind[] = ["added", "changed"];

/** Totes whose pack lists and labels are printed again, ascending. */
export const repackedTotes = (changes: readonly SheetChange[]): number[] =>
  [...new Set(changes.filter(({ kind }) => REPACKED.includes(kind)).map(({ tote }) => tote))].toSorted((a, b) => a - b);

/** The names of the files of `makeChangedSheets`. Labels are a separate file, because they are printed on other paper. */
export function changedSheetNames(since: number, hasLabels: boolean): string[] {
  const name = `changed-since-${since}`;
  return [`${name}.pdf`, ...(hasLabels ? [`${name}-labels-avery-5160.pdf`, `${name}-labels.zpl`] : [])];
}

/** The boxes of these kinds of changes, each with the lines that `isListed`. */
function boxesOf(
  { boxes }: FrozenDay,
  changes: readonly SheetChange[],
  kinds: readonly Kind[],
  isListed: (line: Box["lines"][number], change: SheetChange) => boolean = () => true,
): Box[] {
  const byOrder = new Map(changes.filter(({ kind }) => kinds.includes(kind)).map((change) => [change.orderId, change]));
  return boxes.flatMap((box) => {
    const change = byOrder.get(box.orderId);
    return change ? [{ ...box, lines: box.lines.filter((line) => isListed(line, change)) }] : [];
  });
}

/** Whether a change lists an item: what is printed of it is the same. */
const isChangedLine = (line: Box["lines"][number], { lines }: SheetChange): boolean =>
  lines.some(
    ({ vendor, product, variant, unit }) =>
      vendor === line.vendor && product === line.product && variant === line.variant && unit === line.unit,
  );

/** The stops of each driver that differ, and those without a delivery now. */
function changedRoutes(routes: readonly DriverRoute[], changes: readonly SheetChange[]): DriverRoute[] {
  const orders = new Set(changes.map(({ orderId }) => orderId));
  const left = changes.flatMap(({ goesTo: { before } }) => (before && "stop" in before ? [before] : []));
  return routes
    .map((route) => ({
      ...route,
      stops: route.stops.filter(({ box }) => orders.has(box.orderId)),
      gaps: route.gaps.filter((place) => left.some(({ driver, stop }) => driver === route.driver && stop === place)),
    }))
    .filter(({ stops, gaps }) => stops.length + gaps.length > 0);
}

/**
 * Writes only what differs from an older version (docs/sheets.md "When something changes"): the list of changes, then the fill lines,
 * pack lists and driver stops that replace older ones; labels in a separate file. All or none; the same two versions give the same
 * bytes.
 */
export function makeChangedSheets(
  { day, since, ...map }: ChangedInput,
  directory: string,
  options: WriteOptions = {},
): Promise<SheetFile[]> {
  const { stamp, labelDay, loads, goesTo } = partsOf(day, map);
  const changes = compareDays(since, day);
  const fills = vendorSheets(boxesOf(day, changes, REFILLED, isChangedLine));
  const packs = packLists(boxesOf(day, changes, REPACKED));
  const labels = labelsOf(packs);
  const routes = changedRoutes(loads.routes, changes);
  const [pdfName, labelsName, zplName] = changedSheetNames(since.version, labels.length > 0);
  const replaces = `Replaces what the sheets of version ${since.version} say.`;
  const files: Files = {
    [pdfName!]: pdfFile(`Changes since version ${since.version}`, (pdf) => {
      pdf.retitle("Changes");
      drawChanges(pdf, [{ version: day.version, since: since.version, changes }]);
      pdf.retitle("Fill sheet, only changes");
      drawFillSheets(pdf, fills, (units) => `${counted(units, "unit")} for the totes that changed. ${replaces}`);
      pdf.retitle("Pack list");
      drawPackLists(pdf, packs, goesTo);
      pdf.retitle("Driver sheet, only changes");
      drawDriverSheets(
        pdf,
        routes,
        ({ stops, gaps }) => `${counted(stops.length + gaps.length, "stop")} changed. ${replaces}`,
      );
    }),
    ...(labelsName !== undefined && {
      [labelsName]: pdfFile("Labels", (pdf) => drawLabels(pdf, labels, labelDay, goesTo)),
    }),
    ...(zplName !== undefined && { [zplName]: `${zplLabels(labels, labelDay, goesTo)}\n` }),
  };
  return writeFiles(files, stamp, directory, options);
}
