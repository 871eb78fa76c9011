import type { Client } from "@marketday/db";
import { calendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";

import { AppError } from "../../lib/app-error.ts";
import { deliveryOf } from "../hubs/find-day.ts";
import type { Context } from "../identity/context.ts";

/** A box by its tote number: the id of its first order, and its live orders, first order first. */
export interface ToteBox {
  tote: number;
  id: number;
  orderIds: number[];
}

/** Every tote in any version of a delivery day's sheets, by number. Totes of cancelled boxes have no `orderIds`. */
async function findTotes(db: Client, deliveryId: number): Promise<ToteBox[]> {
  const isLive = { status: { not: "cancelled" } };
  const totes = await db.snapshot_box.findMany({
    where: { snapshot: { delivery_id: deliveryId, is_complete: true } },
    distinct: ["tote", "order_id"],
    select: {
      tote: true,
      order: {
        select: {
          id: true,
          status: true,
          add_ons: { where: isLive, select: { id: true }, orderBy: [{ created_at: "asc" }, { id: "asc" }] },
        },
      },
    },
    orderBy: [{ tote: "asc" }, { order_id: "asc" }],
  });
  return totes.map(({ tote, order: { id, status, add_ons: addOns } }) => ({
    tote,
    id,
    orderIds: [...(status === "cancelled" ? [] : [id]), ...addOns.map((addOn) => addOn.id)],
  }));
}

/**
 * The boxes of a delivery day with these tote numbers, in the given order. All or none.
 * @throws AppError 404 for an unknown hub or day; 409 `no_totes` before the sheets are frozen; 422 `no_such_tote` that names
 * every unknown or cancelled number
 */
export async function findBoxesByTote(
  ctx: Context,
  { hub: key, day }: { hub: string; day: string },
  totes: readonly number[],
): Promise<ToteBox[]> {
  const { hub, delivery } = await deliveryOf(ctx, key, day);
  const rows = await findTotes(ctx.deps.db, delivery.id);
  const last = rows.at(-1)?.tote;
  if (last === undefined)
    throw new AppError(
      409,
      `${hub.name} has no totes for ${formatLong(calendarDate(day), dateInZone(ctx.now, hub.time_zone))} yet: they are numbered when its orders close.`,
      { code: "no_totes" },
    );
  const byTote = new Map(rows.map((row) => [row.tote, row]));
  const found: ToteBox[] = [];
  const wrong: string[] = [];
  for (const tote of new Set(totes)) {
    const box = byTote.get(tote);
    if (!box) wrong.push(`There is no tote ${tote}: they go from 1 to ${last}.`);
    else if (box.orderIds.length === 0) wrong.push(`Tote ${tote} (order ${box.id}) was cancelled.`);
    else found.push(box);
  }
  if (wrong.length > 0)
    throw new AppError(422, `${wrong.join("\n")}\nNothing was done.`, {
      code: "no_such_tote",
      right: found.map(({ tote }) => tote),
    });
  return found;
}
