import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";

import { calendarDate, dateInZone, formatLongWithYear, formatShort } from "@marketday/domain/calendar-date";
import { planLoads, type RouteMap } from "@marketday/domain/loads";
import { formatClock } from "@marketday/domain/order";
import {
  type Box,
  destinationsOf,
  type FrozenDay,
  labelsOf,
  packLists,
  type RoutePlan,
  vendorSheets,
} from "@marketday/domain/sheets";

import { makeFolder } from "../../../lib/make-folder.ts";
import { drawChanges, type VersionChanges } from "./changes.ts";
import { drawDriverSheets } from "./driver-sheets.ts";
import { drawFillSheets } from "./fill-sheets.ts";
import { drawLabels, zplLabels } from "./labels.ts";
import { drawLoadLists } from "./load-lists.ts";
import { drawPackLists } from "./pack-lists.ts";
import { PdfDocument, type Stamp } from "./pdf-document.ts";
import { drawPickSheets } from "./pick-sheets.ts";
import { formatDestination } from "./storage.ts";
import { changeTable, csvOf, driverTable, fillTable, labelTable, loadTable, packTable, pickTable } from "./tables.ts";

/** The input of the sheets: a day with planned routes, and the changes of every version since the second. */
export interface SheetInput extends RouteMap {
  day: FrozenDay & { plan: RoutePlan };
  changes: readonly VersionChanges[];
}

/** The files by name: a text, or the function that draws a PDF. */
export type Files = Record<string, string | { title: string; draw: (pdf: PdfDocument) => void }>;
export const pdfFile = (title: string, draw: (pdf: PdfDocument) => void) => ({ title, draw });

/** A file that was written. */
export interface SheetFile {
  name: string;
  bytes: number;
}

/** The text on every page of a day. */
export function stampOf({ hub, day, version, frozenAt, timeZone }: FrozenDay): Stamp {
  const date = calendarDate(day);
  const frozenOn = formatShort(dateInZone(frozenAt, timeZone), date);
  return {
    hub,
    day: formatLongWithYear(date),
    dayShort: formatShort(date, date),
    version,
    frozen: `${version > 0 ? "frozen" : "printed"} ${frozenOn}, ${formatClock(frozenAt, timeZone)}`,
    frozenAt,
  };
}

export interface WriteOptions {
  /** Called for each file. */
  onProgress?: (name: string, done: number, total: number) => void;
  signal?: AbortSignal;
}

/** What all makers draw from a day. */
export function partsOf(day: SheetInput["day"], map: RouteMap) {
  const stamp = stampOf(day);
  const findDestination = destinationsOf(day);
  return {
    stamp,
    labelDay: { ...day, dayShort: stamp.dayShort },
    loads: planLoads(day, map),
    goesTo: (box: Box) => formatDestination(findDestination(box)),
  };
}

/**
 * Writes every sheet of a day into `directory`, all or none (`writeFiles`). A day without boxes has no sheets. The same version gives
 * the same bytes.
 */
export async function makeSheets(
  input: SheetInput,
  directory: string,
  options: WriteOptions = {},
): Promise<SheetFile[]> {
  const { day } = input;
  const { stamp, labelDay, loads, goesTo } = partsOf(day, input);
  const vendors = vendorSheets(day.boxes);
  const packs = packLists(day.boxes);
  const labels = labelsOf(packs);
  const changes: Files =
    input.changes.length > 0
      ? {
          "changes.pdf": pdfFile("Changes", (pdf) => drawChanges(pdf, input.changes)),
          "changes.csv": csvOf(changeTable(input.changes), day),
        }
      : {};
  const sheets: Files = {
    "pick-sheets.pdf": pdfFile("Pick sheet", (pdf) => drawPickSheets(pdf, vendors)),
    "fill-sheets.pdf": pdfFile("Fill sheet", (pdf) => drawFillSheets(pdf, vendors)),
    "pack-lists.pdf": pdfFile("Pack list", (pdf) => drawPackLists(pdf, packs, goesTo)),
    "load-lists.pdf": pdfFile("Load list", (pdf) => drawLoadLists(pdf, loads)),
    ...(loads.routes.length > 0 && {
      "driver-sheets.pdf": pdfFile("Driver sheet", (pdf) => drawDriverSheets(pdf, loads.routes)),
    }),
    "labels-avery-5160.pdf": pdfFile("Labels", (pdf) => drawLabels(pdf, labels, labelDay, goesTo)),
    "labels.zpl": `${zplLabels(labels, labelDay, goesTo)}\n`,
    "pick-sheets.csv": csvOf(pickTable(vendors), day),
    "fill-sheets.csv": csvOf(fillTable(vendors), day),
    "pack-lists.csv": csvOf(packTable(packs), day),
    "load-lists.csv": csvOf(loadTable(loads), day),
    "driver-sheets.csv": csvOf(driverTable(loads), day),
    "labels.csv": csvOf(labelTable(labels, day, goesTo), day),
  };
  return writeFiles({ ...changes, ...(day.boxes.length > 0 && sheets) }, stamp, directory, options);
}

/** The names of the files of `makeSheets` for a day with these numbers of boxes, of boxes with a door and of versions; as they are read. */
export function sheetNames({ boxes, doors, versions }: { boxes: number; doors: number; versions: number }): string[] {
  const kinds = ["pick-sheets", "fill-sheets", "pack-lists", "load-lists", "driver-sheets", "labels"];
  return [
    ...(versions > 1 ? ["changes.pdf", "changes.csv"] : []),
    ...(boxes > 0
      ? kinds.flatMap((kind) => {
          if (kind === "labels") return ["labels-avery-5160.pdf", "labels.zpl", "labels.csv"];
          return kind === "driver-sheets" && doors === 0 ? [`${kind}.csv`] : [`${kind}.pdf`, `${kind}.csv`];
        })
      : []),
  ];
}

/**
 * Writes files into `directory`, all or none: they are written to a temporary directory, which then replaces `directory`. Without
 * files nothing is written.
 */
export async function writeFiles(
  files: Files,
  stamp: Stamp,
  directory: string,
  { onProgress = () => undefined, signal }: WriteOptions = {},
): Promise<SheetFile[]> {
  if (Object.keys(files).length === 0) return [];
  const temporary = `${directory}.${randomUUID().slice(0, 8)}.tmp`;
  await rm(temporary, { recursive: true, force: true });
  const removeEmpty = await makeFolder(temporary);
  try {
    const written: SheetFile[] = [];
    const names = Object.keys(files).toSorted((a, b) => (a < b ? -1 : 1));
    for (const [index, name] of names.entries()) {
      signal?.throwIfAborted();
      onProgress(name, index, names.length);
      const content = files[name];
      const path = join(temporary, name);
      if (typeof content === "string") await writeFile(path, content);
      else if (content) await writePdf(path, content.title, stamp, content.draw);
      written.push({ name, bytes: (await stat(path)).size });
    }
    signal?.throwIfAborted();
    await replaceDirectory(temporary, directory);
    return written;
  } finally {
    await rm(temporary, { recursive: true, force: true });
    // With the sheets in it, the folder around them stays.
    await removeEmpty();
  }
}

async function writePdf(path: string, title: string, stamp: Stamp, draw: (pdf: PdfDocument) => void): Promise<void> {
  const file = createWriteStream(path);
  const pdf = new PdfDocument(title, stamp, file);
  draw(pdf);
  await Promise.all([pdf.finish(), finished(file)]);
}

const errorCode = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** Replaces a directory. The old one is renamed first, because a directory with files cannot be replaced in one step. */
async function replaceDirectory(temporary: string, directory: string): Promise<void> {
  const old = `${temporary}.old`;
  for (let tries = 0; ; tries += 1) {
    await rename(directory, old).catch((error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
    });
    try {
      await rename(temporary, directory);
      break;
    } catch (error) {
      // Another process made the same sheets in the meantime.
      if (tries === 3 || !["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) throw error;
    } finally {
      await rm(old, { recursive: true, force: true });
    }
  }
}
