import type { FrozenDay, RoutePlan } from "@marketday/domain/sheets";

import type { Deps } from "../../deps.ts";
import { AppError } from "../../lib/app-error.ts";
import type { VersionOfDay } from "./read-sheets.ts";
import { ALL_SHEETS } from "./sheets/all-sheets.ts";
import { changedSheetNames } from "./sheets/changed.ts";
import type { DayJob, SheetJob } from "./sheets/job.ts";
import { sheetNames } from "./sheets/make.ts";

/** A version whose sheets were made. */
type MadeVersion = VersionOfDay & { day: FrozenDay & { plan: RoutePlan } };

/** The folder with the sheets of a version. */
export function sheetJob({ geocoder }: Pick<Deps, "geocoder">, { hub, day, changes }: MadeVersion): DayJob {
  const zips = new Set(day.boxes.flatMap(({ door }) => (door ? [door.zipCode] : [])));
  return {
    kind: "sheets",
    day,
    changes,
    start: { lat: hub.lat, lng: hub.lng },
    points: Object.fromEntries([...zips].toSorted().map((zipCode) => [zipCode, geocoder.place(zipCode)])),
  };
}

/** The files of a version that `market sheets` writes; none for a first version without boxes. */
export const sheetNamesOf = ({ day: { boxes }, changes }: VersionOfDay): string[] =>
  sheetNames({
    boxes: boxes.length,
    doors: boxes.filter(({ door }) => door !== null).length,
    versions: changes.length + 1,
  });

/** 404 for a name that is none of a version's files. */
export const noSuchSheet = () => new AppError(404, "There is no such sheet.", { code: "not_found" });

/**
 * The folder that has a file of a version. Labels of a change may be missing in it: not every change needs some.
 * @throws AppError 404 for a name that is not one of them
 */
export function sheetJobOf(deps: Pick<Deps, "geocoder">, version: MadeVersion, file: string): SheetJob {
  const { day, changes, earlier } = version;
  const job = sheetJob(deps, version);
  const names = sheetNamesOf(version);
  if (names.includes(file)) return job;
  if (file === ALL_SHEETS && names.length > 0) return { ...job, kind: "all", changes };
  const since = earlier.find((each) => each.plan !== null && changedSheetNames(each.version, true).includes(file));
  if (!since) throw noSuchSheet();
  const { start, points } = job;
  return { kind: "changed", day, since, start, points };
}
