import { type Conn, sqlTransaction } from "@marketday/db";
import { calendarDate, formatLong } from "@marketday/domain/calendar-date";
import { cents } from "@marketday/domain/money";
import { orderByWords } from "@marketday/domain/order";
import { type Box, compareDays, type FrozenDay, type SheetChange } from "@marketday/domain/sheets";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import {
  type BoxRow,
  findBoxes,
  findDaysAround,
  findHubByKey,
  findLines,
  findNewestVersion,
  findSheetDay,
  findSnapshots,
  type HubKeyRow,
  type LineRow,
  lockSheetDay,
} from "./sheets-store.ts";
import { freezeNextVersion } from "./snapshot.ts";

/** A day's newest version, and what each version since the second changed. */
export interface SheetDay {
  hub: HubKeyRow;
  day: FrozenDay;
  changes: { version: number; changes: SheetChange[] }[];
  /** Whether this call froze that version; with `dryRun`, whether it would have frozen the next one. */
  isNew: boolean;
}

/** The hub of a slug or id. Throws AppError for an unknown one. */
export async function hubOf({ deps }: Context, key: string): Promise<HubKeyRow> {
  const hub = await findHubByKey(deps.db, key);
  if (!hub) throw new AppError(404, `There is no hub "${key}". Give its slug or its id.`, { code: "not_found" });
  return hub;
}

/**
 * What the sheets of a delivery day are made from (decisions §14): the newest frozen version. When an order was cancelled
 * or came short since, the next version is frozen first; tote numbers stay. Throws AppError with a sentence for operators:
 * unknown hub, no delivery on that date, orders still open, the cutoff not run.
 */
export async function readSheets(
  ctx: Context,
  { hub: key, day, dryRun = false }: { hub: string; day: string; dryRun?: boolean },
): Promise<SheetDay> {
  const { deps, now } = ctx;
  const hub = await hubOf(ctx, key);
  const delivery = await findSheetDay(deps.db, hub.id, day);
  if (!delivery) {
    const near = (await findDaysAround(deps.db, hub.id, day)).map((each) => each.day);
    const hint = near.length > 0 ? ` Days near it: ${near.join(", ")}.` : "";
    throw new AppError(404, `${hub.name} does not deliver on ${day}.${hint}`, { code: "not_found", near });
  }
  const long = formatLong(calendarDate(day));
  if (delivery.cutoff_at > now)
    throw new AppError(
      409,
      `Orders of ${hub.name} for ${long} are open until ${orderByWords(delivery.cutoff_at, hub.time_zone)}. Sheets are made from what is frozen then.`,
      { code: "open", cutoff: delivery.cutoff_at.toISOString() },
    );
  const newest = await findNewestVersion(deps.db, delivery.id);
  const isRun = delivery.cutoff_state !== null && delivery.cutoff_state !== "running";
  if (!newest && !isRun)
    throw new AppError(
      409,
      `The cutoff of ${hub.name} for ${long} has passed and was not run. Start the server, or say: pnpm market jobs run`,
      { code: "cutoff_not_run" },
    );
  let isNew = !newest || newest.is_stale;
  if (isNew && !dryRun) isNew = await sqlTransaction(deps.db, (tx) => freezeIfStale(tx, delivery.id, now));
  const versions = await readVersions(deps.db, delivery.id, hub.slug, day);
  const latest = versions.at(-1);
  if (!latest)
    throw new AppError(409, `Nothing is frozen for ${long} yet; without --dry-run it would be.`, {
      code: "not_frozen",
    });
  const changes = versions.slice(1).map((version, place) => ({
    version: version.version,
    changes: compareDays(versions[place]?.boxes ?? [], version.boxes),
  }));
  return { hub, day: latest, changes, isNew };
}

/** A second look under the lock: somebody else may have frozen the same change. */
async function freezeIfStale(tx: Conn, deliveryId: number, now: Date): Promise<boolean> {
  await lockSheetDay(tx, deliveryId);
  const newest = await findNewestVersion(tx, deliveryId);
  if (newest && !newest.is_stale) return false;
  await freezeNextVersion(tx, deliveryId, now);
  return true;
}

async function readVersions(db: Conn, deliveryId: number, hubSlug: string, day: string): Promise<FrozenDay[]> {
  const versions: FrozenDay[] = [];
  for (const row of await findSnapshots(db, deliveryId)) {
    const [boxes, lines] = [await findBoxes(db, row.id), await findLines(db, row.id)];
    const linesOf = Map.groupBy(lines, (line) => line.box_order_id);
    versions.push({
      hub: row.hub_name,
      hubSlug,
      day,
      timeZone: row.time_zone,
      version: row.version,
      cutoffAt: row.cutoff_at,
      frozenAt: row.frozen_at,
      boxes: boxes.map((box) => asBox(box, linesOf.get(box.order_id) ?? [])),
    });
  }
  return versions;
}

const asBox = ({ address, pickup, ...box }: BoxRow, lines: readonly LineRow[]): Box => ({
  tote: box.tote,
  orderId: box.order_id,
  name: box.name,
  phone: box.phone,
  door: address && {
    address: address.address ?? "",
    address2: address.address2 ?? "",
    city: address.city ?? "",
    state: address.state ?? "",
    zipCode: address.zipCode ?? "",
    instructions: address.instructions ?? "",
  },
  pickup: pickup && {
    name: pickup.name ?? "",
    address: pickup.address ?? "",
    city: pickup.city ?? "",
    state: pickup.state ?? "",
    zipCode: pickup.zipCode ?? "",
    hours: pickup.hours ?? "",
  },
  notes: box.delivery_notes,
  dueCents: cents(box.due_cents),
  lines: lines.map((line) => ({
    orderItemId: line.order_item_id,
    vendorId: line.vendor_id,
    vendor: line.vendor_name,
    variantId: line.variant_id,
    product: line.product_title,
    variant: line.variant_title,
    storage: line.storage,
    bundle: line.bundle_title,
    quantity: line.quantity,
  })),
});
