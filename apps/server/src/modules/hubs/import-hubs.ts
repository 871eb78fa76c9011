import { execute, queryOne, sql, type SqlTx } from "@marketday/db";
import { parseWkt } from "@marketday/domain/geo";
import tzLookup from "@photostructure/tz-lookup";
import { z } from "zod";

import type { Context } from "../../lib/context.ts";
import { tryOut } from "../../lib/try-out.ts";
import { recordAct } from "../audit/record-act.ts";
import { takeImportLock } from "../imports/lock.ts";
import { ImportRefused, type Problem, shown } from "../imports/problem.ts";
import { hubGeometry, type HubProperties, hubProperties, wktOf } from "./hub-file.ts";
import { replanDeliveries } from "./replan-deliveries.ts";
import { upsertHub, writeClosures, writePickupPoints, writeZips } from "./write-hub.ts";

type Path = readonly (string | number)[];

export interface HubFile {
  name: string;
  /** The features of its collection, as they were parsed. */
  features: readonly unknown[];
  /** Where something stands in the file. */
  placeOf: (path: Path) => { line: number; position: number | null };
}

/** A hub of a file that is all right. */
export interface HubPlan extends Omit<HubProperties, "timeZone" | "city" | "state" | "lat" | "lng"> {
  timeZone: string;
  city: string;
  state: string;
  lat: number;
  lng: number;
  wkt: string[];
}

export interface HubsOutcome {
  hubs: { slug: string; is: "new" | "changed" | "as it was"; daysAdded: string[]; daysRemoved: string[] }[];
  /** With `keepGoing`: what is wrong with the hubs that were not taken; `feature` counts from 0. */
  rejected: (Problem & { feature: number })[];
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inside, key) => (inside as Record<string | number, unknown> | undefined)?.[key], value);

/** What zod's messages leave to guess. */
const rights: Readonly<Record<string, string>> = {
  slug: "a slug of small letters, digits and dashes, such as carmel, not all digits",
  deliveryDay: "a weekday in English, such as Thursday",
};

class Checker {
  readonly problems: (Problem & { feature: number })[] = [];
  readonly #file: HubFile;
  constructor(file: HubFile) {
    this.#file = file;
  }
  wrong(path: Path, right: string): undefined {
    const value = valueAt({ features: this.#file.features }, path);
    const text = value === undefined ? null : shown(typeof value === "string" ? value : JSON.stringify(value));
    const column = path.slice(2).join(".") || "feature";
    this.problems.push({ ...this.#file.placeOf(path), column, value: text, right, feature: Number(path[1]) });
    return undefined;
  }
  parse<T>(schema: z.ZodType<T>, value: unknown, path: Path): T | undefined {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
      const at = [...path, ...issue.path, ...keys.slice(0, 1)] as (string | number)[];
      this.wrong(
        at,
        keys.length > 0
          ? "one of the names `market hubs import --help` lists"
          : (rights[String(issue.path[0])] ?? issue.message),
      );
    }
    return undefined;
  }
}

/** Where a hub is: what the file says, else its zip, else the middle of its first outline. */
function placed(ctx: Context, found: HubProperties, wkt: readonly string[]) {
  const place = ctx.deps.geocoder.place(found.zipCode);
  const [outline] = wkt.length > 0 ? parseWkt(wkt[0]!).coordinates : [];
  const middle = outline && {
    lat: (Math.min(...outline.map(([, lat]) => lat)) + Math.max(...outline.map(([, lat]) => lat))) / 2,
    lng: (Math.min(...outline.map(([lng]) => lng)) + Math.max(...outline.map(([lng]) => lng))) / 2,
  };
  return {
    lat: found.lat ?? place?.lat ?? middle?.lat,
    lng: found.lng ?? place?.lng ?? middle?.lng,
    city: found.city ?? place?.city,
    state: found.state ?? place?.state,
  };
}

function planOf(ctx: Context, check: Checker, feature: unknown, path: Path): HubPlan | undefined {
  const shape = feature as { type?: unknown; properties?: unknown; geometry?: unknown } | null;
  if (shape?.type !== "Feature")
    return check.wrong([...path, "type"], 'a GeoJSON "Feature" with properties and a geometry');
  const properties = check.parse(hubProperties, shape.properties, [...path, "properties"]);
  const geometry = check.parse(hubGeometry, shape.geometry ?? null, [...path, "geometry"]);
  if (!properties || geometry === undefined) return undefined;
  const area = wktOf(geometry);
  if ("right" in area) return check.wrong([...path, "geometry", ...area.path], area.right);
  const { lat, lng, city, state } = placed(ctx, properties, area.wkt);
  const at = [...path, "properties", "zipCode"];
  if (lat === undefined || lng === undefined || city === undefined || state === undefined)
    return check.wrong(at, "a zip of the US that is known, or city, state, lat and lng besides it");
  const timeZone = properties.timeZone ?? tzLookup(lat, lng);
  if (timeZone.startsWith("Etc/"))
    return check.wrong([...path, "properties"], `a timeZone, or a place on land: ${lng} ${lat} has none`);
  const days = (properties.closures ?? []).map(({ day }) => day);
  const twice = days.findIndex((day, place) => days.indexOf(day) < place);
  if (twice >= 0)
    return check.wrong([...path, "properties", "closures", twice, "day"], "a date that is not in the list already");
  const names = (properties.pickupPoints ?? []).map(({ name }) => name);
  const same = names.findIndex((name, place) => names.indexOf(name) < place);
  if (same >= 0)
    return check.wrong(
      [...path, "properties", "pickupPoints", same, "name"],
      "a name that no other pickup point of the hub has",
    );
  return { ...properties, lat, lng, city, state, timeZone, wkt: area.wkt };
}

/** The hubs of a file that are all right, and what is wrong with the others. */
function plansOf(ctx: Context, file: HubFile): { plans: HubPlan[]; problems: HubsOutcome["rejected"] } {
  const check = new Checker(file);
  const seen = new Map<string, number>();
  const plans = file.features.flatMap((feature, place) => {
    const path = ["features", place] as const;
    const plan = planOf(ctx, check, feature, path);
    if (!plan) return [];
    const first = seen.get(plan.slug);
    if (first !== undefined)
      return (
        check.wrong([...path, "properties", "slug"], `a slug that no other hub has: feature ${first + 1} has it too`) ??
        []
      );
    seen.set(plan.slug, place);
    return [plan];
  });
  return { plans, problems: check.problems };
}

async function write(ctx: Context, tx: SqlTx, plan: HubPlan): Promise<HubsOutcome["hubs"][number]> {
  const { id, is_new: isNew, is_changed: isChanged } = await upsertHub(tx, plan);
  const zips = plan.zips ? await writeZips(tx, id, plan.zips) : 0;
  const points = plan.pickupPoints ? await writePickupPoints(tx, id, plan.pickupPoints) : 0;
  const closures = plan.closures ? await writeClosures(tx, id, plan.closures) : 0;
  const published = await queryOne<{ is_published: boolean }>(
    tx,
    sql`select is_published from hub where id = ${id}::int`,
  );
  const days = published?.is_published ? await replanDeliveries(tx, id, ctx.now) : { added: [], removed: [] };
  const is = isNew ? "new" : isChanged || zips + points + closures > 0 ? "changed" : "as it was";
  return { slug: plan.slug, is, daysAdded: days.added, daysRemoved: days.removed };
}

/**
 * Takes hubs in from a GeoJSON file, all of them or none, and with `keepGoing` all that are right, by slug. Lists a hub names (zips, pickup points, closures)
 * replace what it had: a pickup point that is left out is closed, not deleted. Delivery days follow.
 * @throws ImportRefused with what is wrong and where
 */
export async function importHubs(
  ctx: Context,
  file: HubFile,
  how: { dryRun: boolean; keepGoing: boolean; signal: AbortSignal },
): Promise<HubsOutcome> {
  const { plans, problems } = plansOf(ctx, file);
  if (problems.length > 0 && !how.keepGoing) throw new ImportRefused(problems);
  const outcome: HubsOutcome = { hubs: [], rejected: problems };
  await tryOut(
    ctx.deps.db,
    how.dryRun,
    async (tx) => {
      await takeImportLock(tx);
      await execute(tx, sql`set local statement_timeout = 0`);
      for (const plan of plans) {
        how.signal.throwIfAborted();
        outcome.hubs.push(await write(ctx, tx, plan));
      }
      await recordAct(tx, ctx, {
        action: "hubs import",
        subject: `file:${file.name}`,
        reason: "",
        data: { hubs: outcome.hubs, rejected: problems.length },
      });
      how.signal.throwIfAborted();
    },
    { retries: 0 },
  );
  return outcome;
}
