import { type Client, notify, type Tx } from "@marketday/db";
import { dateFromUtc } from "@marketday/domain/calendar-date";

import { insertSnapshot } from "./snapshot-sql.ts";
import { ordersBefore } from "./store.ts";

/**
 * Begins the first version of a delivery day, or returns the one that an earlier run began. From now on the day takes no orders;
 * its sheets wait until `completeSnapshot`. The day's row must be locked.
 */
export async function beginSnapshot(
  tx: Tx,
  deliveryId: number,
  now: Date,
): Promise<{ id: number; is_complete: boolean }> {
  const begun = await insertSnapshot(tx, deliveryId, 1, false, now);
  if (begun) {
    // Every server caches the hubs' next deliveries until this notification; a day closed early is no longer one.
    await notify(tx, "hubs");
    return begun;
  }
  return tx.snapshot.findUniqueOrThrow({
    where: { delivery_id_version: { delivery_id: deliveryId, version: 1 } },
    select: { id: true, is_complete: true },
  });
}

/** Closes the orders of these boxes, so that they can no longer be changed. Waits for changes in progress. */
export const closeBoxes = (tx: Tx, deliveryId: number, boxes: readonly number[]) =>
  tx.order.updateMany({
    where: {
      ...ordersBefore(deliveryId, "pending"),
      OR: [{ id: { in: [...boxes] } }, { add_on_to_id: { in: [...boxes] } }],
    },
    data: { status: "pending" },
  });

/** Marks the version as complete, so that its sheets can be made. */
export const completeSnapshot = (tx: Tx, snapshotId: number) =>
  tx.snapshot.updateMany({ where: { id: snapshotId }, data: { is_complete: true } });

/** Vendors of a version that have an email address. */
export async function findVendorsOf(tx: Tx, snapshotId: number): Promise<{ id: number; email: string }[]> {
  const lines = await tx.snapshot_line.groupBy({ by: ["vendor_id"], where: { snapshot_id: snapshotId } });
  const vendors = await tx.vendor.findMany({
    where: { id: { in: lines.map((line) => line.vendor_id) }, email: { not: null } },
    select: { id: true, email: true },
    orderBy: { id: "asc" },
  });
  return vendors.map(({ id, email }) => ({ id, email: email! }));
}

/** A vendor's quantities of a delivery day. */
export interface VendorList {
  vendor: string;
  market: string;
  time_zone: string;
  /** `YYYY-MM-DD` */
  day: string;
  version: number;
  lines: { product: string; variant: string; unit: string | null; quantity: number }[];
}

/** A vendor's quantities of a day by variant, from the frozen lines; one that was renamed has the newest order's title. */
export async function findVendorList(db: Client, snapshotId: number, vendorId: number): Promise<VendorList | null> {
  const version = await db.snapshot.findUnique({
    where: { id: snapshotId },
    select: { hub_name: true, time_zone: true, day: true, version: true },
  });
  const items = await db.snapshot_line.groupBy({
    by: ["variant_id"],
    where: { snapshot_id: snapshotId, vendor_id: vendorId },
    _sum: { quantity: true },
    _max: { order_item_id: true },
  });
  if (!version || items.length === 0) return null;
  const newest = items.map(({ _max }) => _max.order_item_id!);
  const lines = await db.snapshot_line.findMany({
    where: { snapshot_id: snapshotId, order_item_id: { in: newest } },
    select: {
      order_item_id: true,
      variant_id: true,
      vendor_name: true,
      product_title: true,
      variant_title: true,
      unit: true,
    },
    orderBy: [{ product_title: "asc" }, { variant_title: "asc" }, { unit: { sort: "asc", nulls: "last" } }],
  });
  const units = new Map(items.map(({ variant_id: id, _sum }) => [id, _sum.quantity ?? 0]));
  return {
    vendor: lines.find((line) => line.order_item_id === Math.max(...newest))!.vendor_name,
    market: version.hub_name,
    time_zone: version.time_zone,
    day: dateFromUtc(version.day),
    version: version.version,
    lines: lines.map((line) => ({
      product: line.product_title,
      variant: line.variant_title,
      unit: line.unit,
      quantity: units.get(line.variant_id)!,
    })),
  };
}
