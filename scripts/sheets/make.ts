import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";

import { calendarDate, dateInZone, formatLong, formatShort } from "@marketday/domain/calendar-date";
import { planLoads, type RouteMap } from "@marketday/domain/loads";
import { clockWords } from "@marketday/domain/order";
import {
  type Box,
  destinationsOf,
  type FrozenDay,
  labelsOf,
  packLists,
  type RoutePlan,
  vendorSheets,
} from "@marketday/domain/sheets";

import { drawChanges, type VersionChanges } from "./changes.ts";
import { drawDriverSheets } from "./driver-sheets.ts";
import { drawFillSheets } from "./fill-sheets.ts";
import { drawLabels, zplLabels } from "./labels.ts";
import { drawLoadLists } from "./load-lists.ts";
import { drawPackLists } from "./pack-lists.ts";
import { PdfDocument, type Stamp } from "./pdf-document.ts";
import { drawPickSheets } from "./pick-sheets.ts";
import { destinationWords } from "./storage.ts";
import { changeTable, csvOf, driverTable, fillTable, labelTable, loadTable, packTable, pickTable } from "./tables.ts";

/** What the sheets are made of: a day whose routes are planned. `changes` are those of every version since the second. */
export interface SheetInput extends RouteMap {
  day: FrozenDay & { plan: RoutePlan };
  changes: readonly VersionChanges[];
}

/** A text, or what draws a PDF. */
type Files = Record<string, string | { title: string; draw: (paper: PdfDocument) => void }>;
const pdf = (title: string, draw: (paper: PdfDocument) => void) => ({ title, draw });

/** A file that was written. */
export interface SheetFile {
  name: string;
  bytes: number;
}

/** What stands on every page of a day. */
export function stampOf({ hub, day, version, frozenAt, timeZone }: FrozenDay): Stamp {
  const date = calendarDate(day);
  const frozenOn = formatShort(dateInZone(frozenAt, timeZone));
  return {
    hub,
    day: `${formatLong(date)}, ${day.slice(0, 4)}`,
    dayShort: formatShort(date),
    version,
    frozen: `frozen ${frozenOn}, ${clockWords(frozenAt, timeZone)}`,
    frozenAt,
  };
}

/**
 * Writes every sheet of a day into `directory`, all or none: they are made beside it and take its place when they are
 * whole. A day without boxes has none. The same version gives the same bytes. `told` hears of each file.
 */
export async function makeSheets(
  input: SheetInput,
  directory: string,
  {
    told = () => undefined,
    signal,
  }: { told?: (name: string, done: number, total: number) => void; signal?: AbortSignal } = {},
): Promise<SheetFile[]> {
  const { day } = input;
  const stamp = stampOf(day);
  const labelDay = { ...day, dayShort: stamp.dayShort };
  const loads = planLoads(day, input);
  const vendors = vendorSheets(day.boxes);
  const packs = packLists(day.boxes);
  const labels = labelsOf(packs);
  const place = destinationsOf(day);
  const goesTo = (box: Box) => destinationWords(place(box));
  const changes: Files =
    input.changes.length > 0
      ? {
          "changes.pdf": pdf("Changes", (paper) => drawChanges(paper, input.changes)),
          "changes.csv": csvOf(changeTable(input.changes), day),
        }
      : {};
  const sheets: Files = {
    "pick-sheets.pdf": pdf("Pick sheet", (paper) => drawPickSheets(paper, vendors)),
    "fill-sheets.pdf": pdf("Fill sheet", (paper) => drawFillSheets(paper, vendors)),
    "pack-lists.pdf": pdf("Pack list", (paper) => drawPackLists(paper, packs, goesTo)),
    "load-lists.pdf": pdf("Load list", (paper) => drawLoadLists(paper, loads)),
    ...(loads.routes.length > 0 && {
      "driver-sheets.pdf": pdf("Driver sheet", (paper) => drawDriverSheets(paper, loads.routes)),
    }),
    "labels-avery-5160.pdf": pdf("Labels", (paper) => drawLabels(paper, labels, labelDay, goesTo)),
    "labels.zpl": `${zplLabels(labels, labelDay, goesTo)}\n`,
    "pick-sheets.csv": csvOf(pickTable(vendors), day),
    "fill-sheets.csv": csvOf(fillTable(vendors), day),
    "pack-lists.csv": csvOf(packTable(packs), day),
    "load-lists.csv": csvOf(loadTable(loads), day),
    "driver-sheets.csv": csvOf(driverTable(loads), day),
    "labels.csv": csvOf(labelTable(labels, day, goesTo), day),
  };
  const files = { ...changes, ...(day.boxes.length > 0 && sheets) };
  if (Object.keys(files).length === 0) return [];
  const made = `${directory}.${randomUUID().slice(0, 8)}.tmp`;
  await rm(made, { recursive: true, force: true });
  await mkdir(made, { recursive: true });
  try {
    const written: SheetFile[] = [];
    const names = Object.keys(files).toSorted((a, b) => (a < b ? -1 : 1));
    for (const [place, name] of names.entries()) {
      signal?.throwIfAborted();
      told(name, place, names.length);
      const content = files[name];
      const path = join(made, name);
      if (typeof content === "string") await writeFile(path, content);
      else if (content) await writePdf(path, content.title, stamp, content.draw);
      written.push({ name, bytes: (await stat(path)).size });
    }
    signal?.throwIfAborted();
    await takePlace(made, directory);
    return written;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

async function writePdf(path: string, title: string, stamp: Stamp, draw: (paper: PdfDocument) => void): Promise<void> {
  const file = createWriteStream(path);
  const paper = new PdfDocument(title, stamp, file);
  draw(paper);
  await Promise.all([paper.finish(), finished(file)]);
}

const code = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** A directory cannot be replaced in one step while it holds files: the old one is put aside first. */
async function takePlace(made: string, directory: string): Promise<void> {
  const old = `${made}.old`;
  for (let tries = 0; ; tries += 1) {
    await rename(directory, old).catch((error: unknown) => {
      if (code(error) !== "ENOENT") throw error;
    });
    try {
      await rename(made, directory);
      break;
    } catch (error) {
      // Somebody else made the same sheets in between.
      if (tries === 3 || !["ENOTEMPTY", "EEXIST"].includes(code(error) ?? "")) throw error;
    } finally {
      await rm(old, { recursive: true, force: true });
    }
  }
}
