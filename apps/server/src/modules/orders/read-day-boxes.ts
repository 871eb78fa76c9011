import type { DayBoxes } from "@marketday/contracts/admin/orders";

import { deliveryOf } from "../hubs/find-day.ts";
import type { Context } from "../identity/context.ts";
import { findDayBoxes } from "./day-boxes-sql.ts";
import { serializeDayBoxes } from "./serialize-day-boxes.ts";

/**
 * The boxes of a hub's delivery day (slug or id), cancelled ones too, in one statement.
 * @throws AppError 404 for an unknown hub, and for a date without a delivery
 */
export async function readDayBoxes(ctx: Context, hub: string, day: string): Promise<DayBoxes> {
  const found = await findDayBoxes(ctx.deps.db, hub, day);
  if (found) return serializeDayBoxes(found, day);
  await deliveryOf(ctx, hub, day);
  // The day was deleted and created again meanwhile.
  return readDayBoxes(ctx, hub, day);
}
