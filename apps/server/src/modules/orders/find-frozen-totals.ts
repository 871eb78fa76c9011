import type { Client } from "@marketday/db";

/** The units of a variant in each version of a delivery day's sheets; empty while the day is not frozen. */
export async function findFrozenTotals(db: Client, deliveryId: number, variantId: number): Promise<number[]> {
  const versions = await db.snapshot.findMany({
    where: { delivery_id: deliveryId, is_complete: true },
    select: { id: true },
  });
  const snapshotIds = versions.map(({ id }) => id);
  const sums = await db.snapshot_line.groupBy({
    by: ["snapshot_id"],
    where: { snapshot_id: { in: snapshotIds }, variant_id: variantId },
    _sum: { quantity: true },
  });
  return snapshotIds.map((id) => sums.find(({ snapshot_id: each }) => each === id)?._sum.quantity ?? 0);
}
