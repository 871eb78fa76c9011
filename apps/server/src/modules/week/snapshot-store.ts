import { notify, type Tx } from "@marketday/db";

import { insertSnapshot } from "./snapshot-sql.ts";

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
