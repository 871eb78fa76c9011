import type { Tx } from "@marketday/db";

import type { PickupPlaceRow } from "./pickup-point-sql.ts";

type NewPoint = PickupPlaceRow & { is_active: boolean };

/** Writes a pickup point. @returns 1, or 0 when nothing is different */
export async function updatePickupPoint(tx: Tx, id: number, point: NewPoint): Promise<number> {
  const { count } = await tx.pickup_point.updateMany({ where: { id, NOT: point }, data: point });
  return count;
}

export async function insertPickupPoint(tx: Tx, hubId: number, point: NewPoint): Promise<void> {
  await tx.pickup_point.create({ data: { hub_id: hubId, ...point }, select: { id: true } });
}

/** Closes pickup points; orders may still refer to them. @returns the number of points that were open */
export async function closePickupPoints(tx: Tx, ids: readonly number[]): Promise<number> {
  const { count } = await tx.pickup_point.updateMany({
    where: { id: { in: [...ids] }, is_active: true },
    data: { is_active: false },
  });
  return count;
}
