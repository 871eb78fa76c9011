import { sqlTransaction, transaction } from "@marketday/db";
import { calendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";
import { planStops } from "@marketday/domain/loads";
import { cents } from "@marketday/domain/money";
import { formatOrderBy } from "@marketday/domain/order";
import {
  type Box,
  type BoxLine,
  compareDays,
  type FrozenDay,
  type RoutePlan,
  type SheetChange,
} from "@marketday/domain/sheets";

import type { Deps } from "../../deps.ts";
import { AppError } from "../../lib/app-error.ts";
import { marketUrl } from "../../lib/market-url.ts";
import type { HubKeyRow } from "../hubs/directory-store.ts";
import { deliveryOf } from "../hubs/find-day.ts";
import type { Context } from "../identity/context.ts";
import { findNewestVersion, lockSheetDay } from "./sheets-sql.ts";
import { type BoxRow, findBoxes, findLines, findSnapshots, insertPlan, type LineRow } from "./sheets-store.ts";
import { counted } from "./sheets/storage.ts";
import { freezeNextVersion } from "./snapshot-sql.ts";

/** A version of a day, and the changes of each version from the second on to this one. */
export interface VersionOfDay {
  hub: HubKeyRow;
  day: FrozenDay;
  /** The versions before, oldest first. */
  earlier: FrozenDay[];
  changes: { version: number; changes: SheetChange[] }[];
}

/** The newest version of a day. */
export interface SheetDay extends VersionOfDay {
  /** Whether this call froze that version; with `dryRun`, whether it would have frozen the next one. */
  isNew: boolean;
}

export interface SheetRequest {
  /** Slug or id. */
  hub: string;
  /** `YYYY-MM-DD` */
  day: string;
  /** The number of drivers, at least 1. Default: the number of the previous sheets, else one. */
  drivers?: number | undefined;
  /** The newest version whose sheets were made, as the person saw it; null: none was. Default: any. */
  expectedVersion?: number | null | undefined;
  /** Writes nothing. */
  dryRun?: boolean;
}

/**
 * The data of a delivery day's sheets (docs/product.md §14): the newest frozen version and its routes. If an order was cancelled,
 * came short or got another address since, or another number of drivers is requested, the next version is frozen first. Tote
 * numbers stay the same, and so do drivers and stops unless the number of drivers changes (docs/decisions/0010).
 * @throws AppError with a sentence for operators: unknown hub, no delivery on that date, orders still open, cutoff not run;
 * `conflict`: another version than the expected one was made
 */
export async function readSheets(
  ctx: Context,
  { hub: key, day, drivers, expectedVersion, dryRun = false }: SheetRequest,
): Promise<SheetDay> {
  const { deps, now } = ctx;
  const { hub, delivery } = await deliveryOf(ctx, key, day);
  const long = formatLong(calendarDate(day), dateInZone(now, hub.time_zone));
  if (delivery.takes_orders)
    throw new AppError(
      409,
      `Orders of ${hub.name} for ${long} are open until ${formatOrderBy(delivery.cutoff_at, hub.time_zone, now)}. Sheets are made from what is frozen then.`,
      { code: "open", cutoff: delivery.cutoff_at.toISOString() },
    );
  const newest = await findNewestVersion(deps.db, delivery.id);
  const isRun = delivery.cutoff_state !== null && delivery.cutoff_state !== "running";
  if (!newest && !isRun)
    throw new AppError(
      409,
      `The cutoff of ${hub.name} for ${long} has passed and was not run. Start the server, or run: ./market jobs run`,
      { code: "cutoff_not_run" },
    );
  const made = dryRun ? null : await freezeAndPlan(ctx, hub, delivery.id, { drivers, expectedVersion });
  // Another operator may have frozen a later version meanwhile, whose routes are not planned yet.
  const versions = (await readVersions(deps, delivery.id, day)).filter(
    ({ version }) => made === null || version <= made.version,
  );
  if (versions.length === 0)
    throw new AppError(409, `Nothing is frozen for ${long} yet; without --dry-run it would be.`, {
      code: "not_frozen",
    });
  const isNew = made === null ? isOutdated(newest, drivers) : made.isNew;
  return { ...versionOf(hub, versions), isNew };
}

/**
 * The data of the sheets of one version, which are printed again: nothing is frozen.
 * @throws AppError 404 for an unknown hub, day or version, and for a version whose sheets were not made
 */
export async function readMadeVersion(
  ctx: Context,
  { hub: key, day, version }: { hub: string; day: string; version: number },
): Promise<VersionOfDay & { day: FrozenDay & { plan: RoutePlan } }> {
  const { hub, delivery } = await deliveryOf(ctx, key, day);
  const versions = await readVersions(ctx.deps, delivery.id, day, version);
  const plan = versions.at(-1)?.version === version ? versions.at(-1)!.plan : null;
  if (!plan) throw new AppError(404, `There are no sheets of version ${version}.`, { code: "not_found" });
  const found = versionOf(hub, versions);
  return { ...found, day: { ...found.day, plan } };
}

/** The last of these versions; there is one. */
const versionOf = (hub: HubKeyRow, versions: readonly FrozenDay[]): VersionOfDay => ({
  hub,
  day: versions.at(-1)!,
  earlier: versions.slice(0, -1),
  changes: versions.slice(1).map((version, place) => ({
    version: version.version,
    changes: compareDays(versions[place]!, version),
  })),
});

type Newest = Awaited<ReturnType<typeof findNewestVersion>>;

/** Whether the next version is needed: orders differ from the newest one, or another number of drivers is requested. */
const isOutdated = (newest: Newest, drivers: number | undefined): boolean =>
  newest === null || newest.is_stale || (newest.drivers !== null && newest.drivers !== (drivers ?? newest.drivers));

/** @throws AppError 409 `conflict` when someone else has made sheets since the version that a person saw */
function requireExpected(newest: Newest, { expectedVersion }: Pick<SheetRequest, "expectedVersion">): void {
  const made = newest?.made ?? null;
  if (expectedVersion === undefined || expectedVersion === (made?.version ?? null)) return;
  const what = made
    ? `Version ${made.version} was made in the meantime, for ${counted(made.drivers, "driver")}.`
    : "The sheets are gone.";
  throw new AppError(409, `${what} Check it before you make another.`, { code: "conflict" });
}

/**
 * Freezes the next version if it is needed and plans the routes of the newest one. The routes are planned outside a transaction,
 * because that takes seconds for a large day, and written if the version still has none: two operators get the same sheets, or the
 * second one a conflict.
 * Returns the planned version, and whether this call froze one.
 */
async function freezeAndPlan(
  { deps, now }: Context,
  hub: HubKeyRow,
  deliveryId: number,
  request: Pick<SheetRequest, "drivers" | "expectedVersion">,
): Promise<{ version: number; isNew: boolean }> {
  const { drivers } = request;
  const { db } = deps;
  let isNew = false;
  for (;;) {
    const newest = await findNewestVersion(db, deliveryId);
    requireExpected(newest, request);
    if (newest && newest.drivers !== null && !isOutdated(newest, drivers)) return { version: newest.version, isNew };
    if (isOutdated(newest, drivers))
      isNew = await sqlTransaction(db, async (tx) => {
        await lockSheetDay(tx, deliveryId);
        const last = await findNewestVersion(tx, deliveryId);
        requireExpected(last, request);
        if (!isOutdated(last, drivers)) return isNew;
        await freezeNextVersion(tx, deliveryId, now);
        return true;
      });
    const unplanned = await planNewest(deps, hub, deliveryId, drivers);
    if (!unplanned) continue;
    const isPlanned = await transaction(db, async (tx) => {
      await lockSheetDay(tx, deliveryId);
      const last = (await findSnapshots(tx, deliveryId)).at(-1);
      if (last?.id !== unplanned.id || last.plan) return false;
      await insertPlan(tx, unplanned.id, unplanned.plan, now);
      return true;
    });
    if (isPlanned) return { version: unplanned.version, isNew };
  }
}

/** Routes for the newest version; null: it has some. */
async function planNewest(
  { db, geocoder }: Deps,
  hub: HubKeyRow,
  deliveryId: number,
  drivers: number | undefined,
): Promise<{ id: number; version: number; plan: RoutePlan } | null> {
  const versions = await findSnapshots(db, deliveryId);
  const newest = versions.at(-1);
  if (!newest || newest.plan) return null;
  const printed = versions.findLast(({ plan }) => plan !== null);
  const boxesOf = async (id: number) => (await findBoxes(db, id)).map((box) => toBox(box, []));
  const plan = planStops(await boxesOf(newest.id), {
    start: hub,
    pointOf: (zipCode) => geocoder.place(zipCode),
    drivers: drivers ?? printed?.plan?.drivers ?? 1,
    previous: printed ? { boxes: await boxesOf(printed.id), plan: printed.plan } : null,
  });
  return { id: newest.id, version: newest.version, plan };
}

/** The complete versions of a day, oldest first, up to one of them. */
async function readVersions(
  { db, env }: Pick<Deps, "db" | "env">,
  deliveryId: number,
  day: string,
  last = Infinity,
): Promise<FrozenDay[]> {
  const versions: FrozenDay[] = [];
  for (const row of (await findSnapshots(db, deliveryId)).filter(({ version }) => version <= last)) {
    const [boxes, lines] = [await findBoxes(db, row.id), await findLines(db, row.id)];
    const linesOf = Map.groupBy(lines, (line) => line.box_order_id);
    versions.push({
      hub: row.hub_name,
      market: marketUrl(env),
      day,
      timeZone: row.time_zone,
      version: row.version,
      cutoffAt: row.cutoff_at,
      frozenAt: row.frozen_at,
      plan: row.plan,
      boxes: boxes.map((box) => toBox(box, linesOf.get(box.order_id) ?? [])),
    });
  }
  return versions;
}

/** The texts of a JSON column, of which an older version may lack some. */
const textsOf = <T extends string>(json: unknown, names: readonly T[]): Record<T, string> | null =>
  json === null
    ? null
    : (Object.fromEntries(
        names.map((name) => [name, (json as Partial<Record<T, string | null>>)[name] ?? ""]),
      ) as Record<T, string>);

/** A frozen box with these lines. */
export const toBox = (box: BoxRow, lines: readonly LineRow[]): Box => ({
  tote: box.tote,
  orderId: box.order_id,
  name: box.name,
  phone: box.phone,
  door: textsOf(box.address, ["address", "address2", "city", "state", "zipCode", "instructions"]),
  pickup: textsOf(box.pickup, ["name", "address", "city", "state", "zipCode", "hours"]),
  notes: box.delivery_notes,
  dueCents: cents(box.due_cents),
  lines: lines.map((line) => ({
    orderItemId: line.order_item_id,
    vendorId: line.vendor_id,
    vendor: line.vendor_name,
    variantId: line.variant_id,
    product: line.product_title,
    variant: line.variant_title,
    unit: line.unit,
    storage: line.storage as BoxLine["storage"],
    bundle: line.bundle_title,
    quantity: line.quantity,
  })),
});
