import type { BulkPoints } from "@marketday/contracts/admin/bulk";

import type { Context } from "../identity/context.ts";
import { findOpenPoints } from "../orders/place-store.ts";
import { selectBoxes } from "./select-boxes.ts";

/** The open pickup points of the markets of these orders. @throws AppError 404; 403, as `selectBoxes` */
export async function readPoints(ctx: Context, orderIds: readonly number[]): Promise<BulkPoints> {
  const { db } = ctx.deps;
  const names = new Map(
    (await selectBoxes(db, ctx, orderIds, "orders.adjust")).map(({ hub_id: id, hub }) => [id, hub]),
  );
  const markets = await Promise.all(
    [...names].map(async ([id, name]) => ({
      id,
      name,
      points: (await findOpenPoints(db, id)).map((point) => ({
        id: point.id,
        name: point.name,
        address: `${point.address}, ${point.city}`,
      })),
    })),
  );
  return { markets: markets.toSorted((a, b) => a.name.localeCompare(b.name, "en") || a.id - b.id) };
}
