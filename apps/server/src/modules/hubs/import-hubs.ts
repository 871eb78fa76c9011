import type { Tx } from "@marketday/db";
import { contains, distanceKm, middleOf, parseWkt } from "@marketday/domain/geo";
import { Hour } from "@marketday/domain/time";
import tzLookup from "@photostructure/tz-lookup";

import { type Accepted, AmountComparison, type AmountChanges } from "../../lib/amount-changes.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import type { FieldChanges } from "../../lib/field-changes.ts";
import { ImportRefused, type Problem, shown } from "../../lib/file-problem.ts";
import { takeImportLock } from "../../lib/import-lock-sql.ts";
import { nearestFinder } from "../../lib/nearest.ts";
import { isNone } from "../../lib/none.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { compareAmounts, compareStored, type StoredHubs } from "./compare-hubs.ts";
import { completeProperties, isBlank } from "./complete-hub.ts";
import { lockDates } from "./day-sql.ts";
import { findDatesWithOrders } from "./day-store.ts";
import { toFeature } from "./export-hubs.ts";
import {
  asArea,
  expectedProperties,
  hubGeometry,
  type HubPlan,
  type HubProperties,
  hubProperties,
  wktOf,
} from "./hub-file.ts";
import { hubNameProblems, zipHint } from "./hub-names.ts";
import { allowLongStatements } from "./hub-sql.ts";
import { findHubNames, findWholeHubs, upsertHub, writeClosures, writeZips } from "./hub-store.ts";
import {
  type AcceptPoints,
  type PointChange,
  planPickupPoints,
  type PointsPlan,
  writePickupPoints,
} from "./pickup-points.ts";
import { replanDeliveries } from "./replan-deliveries.ts";

type Path = readonly (string | number)[];

export interface HubFile {
  name: string;
  /** The parsed features of its collection. */
  features: readonly unknown[];
  /** The coordinate system that it names; null: none, as RFC 7946 requires. */
  crs: string | null;
  /** The place of a value in the file. */
  placeOf: (path: Path) => { line: number; position: number | null };
}

export interface HubsOutcome {
  hubs: {
    slug: string;
    is: "new" | "changed" | "as it was";
    daysAdded: string[];
    daysRemoved: string[];
    /** Pickup points that are renamed, and those with orders that change or close. */
    points: PointChange[];
  }[];
  amounts: AmountChanges;
  /** The other values of existing hubs that change, old and new. */
  fields: FieldChanges;
  /** With `keepGoing`: the problems of the rejected hubs; `feature` counts from 0. */
  rejected: (Problem & { feature: number })[];
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inside, key) => (inside as Record<string | number, unknown> | undefined)?.[key], value);

/** Names of `hubProperties` that unknown names were probably meant to be. */
const nearestProperty = nearestFinder(Object.keys(hubProperties.shape).map((key) => ({ key, name: null })));

/** The message for a geometry that is not an area. */
function geometryText(value: unknown): string {
  const type = (value as { type?: unknown } | undefined)?.type;
  const shape = "the hub's area as a closed shape (Polygon or MultiPolygon)";
  if (type === "LineString" || type === "MultiLineString") return `This is a line (${type}). Draw ${shape}.`;
  if (type === "Point" || type === "MultiPoint")
    return `This is a point (${type}). Draw ${shape}, or write "none" to serve the zips alone.`;
  if (type === "Polygon" || type === "MultiPolygon")
    return "The coordinates should be pairs of numbers, longitude first, such as [[[-86.2, 39.9], [-86.0, 39.9], [-86.0, 40.1], [-86.2, 39.9]]].";
  return `This is no area. It should be ${shape}, or "none" to serve the zips alone.`;
}

class Checker {
  readonly problems: (Problem & { feature: number })[] = [];
  readonly #file: HubFile;
  constructor(file: HubFile) {
    this.#file = file;
  }
  wrong(path: Path, right: string, sentence?: string): undefined {
    const value = valueAt({ features: this.#file.features }, path);
    const isText = typeof value === "string";
    const text = value === undefined ? null : shown(isText ? value : JSON.stringify(value));
    const inside = path.slice(path[2] === "properties" ? 3 : 2);
    const column = inside
      .map((key) => (typeof key === "number" ? ` ${key + 1}` : `, ${key}`))
      .join("")
      .slice(2);
    this.problems.push({
      ...this.#file.placeOf(path),
      column: column || `feature ${Number(path[1]) + 1}`,
      value: text,
      right,
      ...(sentence !== undefined && { sentence }),
      // Quoted in the message as in the file.
      ...(sentence === undefined && text !== null && !isText && { sentence: `${text} should be ${right}` }),
      feature: Number(path[1]),
    });
    return undefined;
  }
  properties(value: unknown, path: Path): HubProperties | undefined {
    const result = hubProperties.safeParse(value ?? {});
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      const at = [...path, ...issue.path] as (string | number)[];
      if (issue.code === "unrecognized_keys") for (const key of issue.keys) this.#unknown([...at, key], key);
      else {
        const name = issue.path.map((key) => (typeof key === "number" ? "*" : String(key))).join(".");
        const right = expectedProperties[name] ?? "a value as `market hubs import --help` shows it";
        this.wrong(at, /zip/i.test(name) ? right + zipHint(valueAt({ features: this.#file.features }, at)) : right);
      }
    }
    return undefined;
  }
  /** The outlines of a geometry; none of null or the word `none`. */
  area(value: unknown, path: Path): { wkt: readonly string[] } | undefined {
    const isNoArea = isBlank(value) || (typeof value === "string" && isNone(value.trim()));
    const result = hubGeometry.safeParse(isNoArea ? null : value);
    if (!result.success) return this.wrong(path, "", geometryText(value));
    const area = wktOf(result.data, this.#file.crs);
    return "sentence" in area ? this.wrong(path, "", area.sentence) : area;
  }
  #unknown(path: Path, key: string): void {
    const meant = path.length === 4 ? nearestProperty(key) : null;
    this.wrong(
      path,
      "",
      `there is no property "${shown(key)}". ${meant ? `Did you mean ${meant}?` : "`market hubs import --help` lists them."}`,
    );
  }
}

/** The position of a hub: as in the file, else of its zip, else the middle of its first outline. */
function placed(ctx: Context, found: HubProperties, wkt: readonly string[]) {
  const place = ctx.deps.geocoder.place(found.zipCode);
  const middle = wkt[0] === undefined ? undefined : middleOf(parseWkt(wkt[0]));
  return {
    lat: found.lat ?? place?.lat ?? middle?.lat,
    lng: found.lng ?? place?.lng ?? middle?.lng,
    city: found.city ?? place?.city,
    state: found.state ?? place?.state,
  };
}

/** The maximum distance between the middle of a zip and an outline that contains the zip. */
const NEAR_MILES = 100;
const KM_PER_MILE = 1.609344;

/** The message for an outline that does not contain the middle of the hub's zip; null: it does, or the zip's place is unknown. */
function misplacedText(
  ctx: Context,
  { zipCode }: HubProperties,
  wkt: readonly string[],
  isOutsideFine: boolean,
): string | null {
  const zip = ctx.deps.geocoder.place(zipCode);
  const polygons = wkt.map((text) => parseWkt(text));
  if (!zip || polygons.length === 0 || polygons.some((polygon) => contains(polygon, zip.lng, zip.lat))) return null;
  const points = polygons.flatMap(({ coordinates }) => coordinates.flat());
  const milesTo = (swapped: boolean): number =>
    points.reduce(
      (nearest, [lng, lat]) => Math.min(nearest, distanceKm(swapped ? { lat: lng, lng: lat } : { lat, lng }, zip)),
      Infinity,
    ) / KM_PER_MILE;
  const miles = milesTo(false);
  const away = `${Math.max(1, Math.round(miles)).toLocaleString("en-US")} miles`;
  const where = `zip ${zipCode} (${zip.city}, ${zip.state})`;
  if (miles > NEAR_MILES && milesTo(true) < NEAR_MILES)
    return `The numbers are the other way round: longitude comes first. As it is, the outline is ${away} from ${where}.`;
  return isOutsideFine
    ? null
    : `The outline does not contain the middle of ${where}, about ${away} from it. Correct the outline or the zip, or confirm with --yes.`;
}

interface Shape {
  type?: unknown;
  properties?: unknown;
  geometry?: unknown;
}

/** The slug of a feature, or an empty text. */
function slugOf(feature: unknown): string {
  const slug = (valueAt(feature, ["properties", "slug"]) ?? "") as unknown;
  return typeof slug === "string" ? slug.trim() : "";
}

async function findStored(tx: Tx, { features }: HubFile): Promise<StoredHubs> {
  const rows = await findWholeHubs(tx, features.map(slugOf));
  return new Map(rows.map((row) => [row.slug, { feature: toFeature(row), wkt: row.boundaries }]));
}

function planOf(
  ctx: Context,
  check: Checker,
  feature: unknown,
  path: Path,
  stored: StoredHubs,
  isOutsideFine: boolean,
): HubPlan | undefined {
  const shape = feature as Shape | null;
  if (shape?.type !== "Feature") return check.wrong([...path, "type"], 'a "Feature" with properties and a geometry');
  const before = stored.get(slugOf(shape));
  const at = [...path, "properties"];
  const given = completeProperties(ctx, shape.properties ?? {}, before?.feature, at, (place, sentence) =>
    check.wrong(place, "", sentence),
  );
  const properties = check.properties(given, at);
  const geometry = asArea(shape.geometry);
  const isAreaGiven = !isBlank(geometry) || !before;
  const area = isAreaGiven ? check.area(geometry, [...path, "geometry"]) : { wkt: before.wkt };
  if (!properties || !area) return undefined;
  const { lat, lng, city, state } = placed(ctx, properties, area.wkt);
  if (lat === undefined || lng === undefined || city === undefined || state === undefined)
    return check.wrong([...at, "zipCode"], "a zip of the US; for another one give city, state, lat and lng besides it");
  // Neither has changed: it was confirmed when it was imported.
  const isPlaced = before?.feature.properties.zipCode === properties.zipCode && before.wkt.join() === area.wkt.join();
  const misplaced = isPlaced ? null : misplacedText(ctx, properties, area.wkt, isOutsideFine);
  if (misplaced !== null) return check.wrong([...path, "geometry"], "", misplaced);
  const timeZone = properties.timeZone ?? tzLookup(lat, lng);
  if (timeZone.startsWith("Etc/"))
    return check.wrong(
      [...path, "properties", "lat"],
      "",
      `latitude ${lat}, longitude ${lng} is not on land, so it has no time zone. Correct lat and lng, or give a timeZone.`,
    );
  const days = (properties.closures ?? []).map(({ day }) => day);
  const twice = days.findIndex((day, place) => days.indexOf(day) < place);
  if (twice >= 0)
    return check.wrong([...path, "properties", "closures", twice, "day"], "another date: it is in the list already");
  const names = (properties.pickupPoints ?? []).map(({ name }) => name);
  const same = names.findIndex((name, place) => names.indexOf(name) < place);
  if (same >= 0)
    return check.wrong(
      [...path, "properties", "pickupPoints", same, "name"],
      "another name: a pickup point above has it already",
    );
  return { ...properties, lat, lng, city, state, timeZone, wkt: area.wkt };
}

/** A plan, and the path of its feature in the file. */
type PlacedPlan = HubPlan & { path: readonly [string, number] };

/** The valid hubs of a file, and the problems of the others. */
function plansOf(
  ctx: Context,
  file: HubFile,
  stored: StoredHubs,
  isOutsideFine: boolean,
): { plans: PlacedPlan[]; check: Checker } {
  const check = new Checker(file);
  const seen = new Map<string, number>();
  const plans = file.features.flatMap((feature, place) => {
    const path = ["features", place] as const;
    const plan = planOf(ctx, check, feature, path, stored, isOutsideFine);
    if (!plan) return [];
    const first = seen.get(plan.slug);
    if (first !== undefined)
      return (
        check.wrong(
          [...path, "properties", "slug"],
          `another slug: feature ${first + 1} of this file has it already`,
        ) ?? []
      );
    seen.set(plan.slug, place);
    return [{ ...plan, path }];
  });
  return { plans, check };
}

/** Whether the dates that a hub closes have no orders to deliver. Each that has is a problem that names the command to close it. */
async function closesOnlyEmptyDays(
  tx: Tx,
  check: Checker,
  { slug, closures = [], path }: PlacedPlan,
): Promise<boolean> {
  const days: string[] = closures.map(({ day }) => day);
  if (days.length === 0) return true;
  await lockDates(tx, slug, days);
  const taken = await findDatesWithOrders(tx, slug, days);
  for (const { day, orders } of taken)
    check.wrong(
      [...path, "properties", "closures", days.indexOf(day), "day"],
      "",
      `${day} has ${orders === 1 ? "1 order" : `${orders} orders`}, so it cannot be closed by a file. \`./market days close ${slug} ${day} --cancel\` closes it, cancels and refunds the orders (with --move-to DATE it moves them), and lists who is emailed`,
    );
  return taken.length === 0;
}

/** The checked pickup points of a plan; null: its file has none; undefined: they have problems. */
async function checkedPoints(
  ctx: Context,
  tx: Tx,
  check: Checker,
  { slug, pickupPoints, path }: PlacedPlan,
  accept: AcceptPoints,
): Promise<PointsPlan | null | undefined> {
  if (!pickupPoints) return null;
  const { plan, problems } = await planPickupPoints(ctx, tx, slug, pickupPoints, accept);
  for (const problem of problems)
    check.wrong([...path, "properties", "pickupPoints", ...problem.path], "", problem.sentence);
  return problems.length === 0 ? plan : undefined;
}

async function write(
  ctx: Context,
  tx: Tx,
  plan: HubPlan,
  pointsPlan: PointsPlan | null,
  comparison: AmountComparison,
): Promise<HubsOutcome["hubs"][number]> {
  const { id, isChanged, isPublished, before, after } = await upsertHub(tx, plan);
  compareAmounts(comparison, plan.slug, before, after);
  const zips = plan.zips ? await writeZips(tx, id, plan.zips) : 0;
  const { rows, points } = pointsPlan
    ? await writePickupPoints(ctx, tx, { id, name: plan.name, timeZone: plan.timeZone }, pointsPlan)
    : { rows: 0, points: [] };
  const closures = plan.closures ? await writeClosures(tx, id, plan.closures) : 0;
  const days = isPublished ? await replanDeliveries(tx, id, ctx.now) : { added: [], removed: [] };
  const is = before === null ? "new" : isChanged || zips + rows + closures > 0 ? "changed" : "as it was";
  return { slug: plan.slug, is, daysAdded: days.added, daysRemoved: days.removed, points };
}

/** The time for a file, which may have thousands of hubs. */
const IMPORT_MS = Hour.ms;

/**
 * Imports hubs from a GeoJSON file by slug, all or none, and with `keepGoing` all valid ones. What the file leaves out of a hub stays
 * as it is, the word `none` empties it. Lists in the file (zips, pickup points, closures) replace those of the hub; a missing pickup
 * point is closed, not deleted, and one with its id is renamed. Delivery days are replanned.
 * @param how `isOutsideFine`: accept outlines that do not contain the middle of their hub's zip
 * @throws ImportRefused with the problems and their places; LargeChangesRefused for amounts that change much
 */
export async function importHubs(
  ctx: Context,
  file: HubFile,
  how: {
    dryRun: boolean;
    keepGoing: boolean;
    isOutsideFine: boolean;
    acceptPoints: AcceptPoints;
    accepted: Accepted;
    signal: AbortSignal;
  },
): Promise<HubsOutcome> {
  return withClientDryRun(
    ctx.deps.db,
    how.dryRun,
    async (tx) => {
      await takeImportLock(tx);
      await allowLongStatements(tx);
      const stored = await findStored(tx, file);
      const { plans, check } = plansOf(ctx, file, stored, how.isOutsideFine);
      const { problems } = check;
      const refuse = () => {
        if (problems.length > 0 && !how.keepGoing) throw new ImportRefused(problems);
      };
      refuse();
      const hubs: HubsOutcome["hubs"] = [];
      const comparison = new AmountComparison();
      const hubNames = await findHubNames(tx);
      for (const plan of plans) {
        how.signal.throwIfAborted();
        const doubts = how.acceptPoints.names ? [] : hubNameProblems(hubNames, plan);
        for (const { field, sentence } of doubts) check.wrong([...plan.path, "properties", field], "", sentence);
        hubNames.push(plan);
        const isRight = await closesOnlyEmptyDays(tx, check, plan);
        const points = await checkedPoints(ctx, tx, check, plan, how.acceptPoints);
        if (isRight && points !== undefined && doubts.length === 0)
          hubs.push(await write(ctx, tx, plan, points, comparison));
      }
      refuse();
      const amounts = comparison.finish(how);
      const fields = compareStored(stored, await findStored(tx, file));
      await writeAuditEntry(tx, ctx, {
        action: "hubs import",
        subject: `file:${file.name}`,
        reason: "",
        data: { hubs, amounts: amounts.changes, fields: fields.count, rejected: problems.length },
      });
      how.signal.throwIfAborted();
      return { hubs, amounts, fields, rejected: problems };
    },
    { retries: 0, timeoutMs: IMPORT_MS },
  );
}
