import { deliveryOf } from "../hubs/find-day.ts";
import type { Context } from "../identity/context.ts";
import { type DoorRow, findDoor } from "./door-sql.ts";

/**
 * Money at the door of a hub's delivery day (slug or id), in one statement.
 * @throws AppError 404 for an unknown hub, and for a date without a delivery, with the nearest days
 */
export async function readDoor(ctx: Context, hub: string, day: string): Promise<DoorRow> {
  const found = await findDoor(ctx.deps.db, hub, day);
  if (found) return found;
  await deliveryOf(ctx, hub, day);
  // The day was deleted and created again meanwhile.
  return readDoor(ctx, hub, day);
}
