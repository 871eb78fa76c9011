import type { Point } from "@marketday/domain/route";
import type { FrozenDay, RoutePlan } from "@marketday/domain/sheets";

import { makeAllSheets } from "./all-sheets.ts";
import { type BoxPrints, makeBoxPrints } from "./box-prints.ts";
import { makeChangedSheets } from "./changed.ts";
import type { VersionChanges } from "./changes.ts";
import { makeSheets, type SheetFile } from "./make.ts";

/** A folder of files to make, as data that a thread can receive. `points`: the centroids of the day's ZIP codes. */
export type SheetJob = DayJob | ({ kind: "boxes" } & BoxPrints);
/** The sheets of a day. */
export type DayJob = {
  day: FrozenDay & { plan: RoutePlan };
  start: Point;
  points: Record<string, Point | null>;
} & ({ kind: "sheets" | "all"; changes: readonly VersionChanges[] } | { kind: "changed"; since: FrozenDay });

/** Writes the files of a job into `directory`, all or none. */
export function runSheetJob(sheets: SheetJob, directory: string): Promise<SheetFile[]> {
  if (sheets.kind === "boxes") return makeBoxPrints(sheets, directory);
  const { points, ...job } = sheets;
  const pointOf = (zipCode: string) => points[zipCode] ?? null;
  if (job.kind === "changed") return makeChangedSheets({ ...job, pointOf }, directory);
  return (job.kind === "all" ? makeAllSheets : makeSheets)({ ...job, pointOf }, directory);
}
