import { lineName } from "@marketday/domain/cart";

import { deliveryOf } from "../hubs/find-day.ts";
import type { Context } from "../identity/context.ts";
import { noSuchItem } from "../orders/short-variant.ts";
import { type DayItemRow, findShortDay, type ShortDayRow } from "./day-items-sql.ts";
import { findShortages, type ShortageRow } from "./store.ts";

/** A delivery day of a hub (slug or id). */
export interface DayKey {
  hub: string;
  /** YYYY-MM-DD */
  date: string;
}

/** A delivery day with its items. @throws AppError 404 for an unknown hub, and for a date without a delivery */
export async function getShortDay(ctx: Context, { hub, date }: DayKey): Promise<ShortDayRow> {
  const day = await findShortDay(ctx.deps.db, hub, date, ctx.now);
  if (day) return day;
  await deliveryOf(ctx, hub, date);
  // The day was deleted and created again meanwhile.
  return getShortDay(ctx, { hub, date });
}

/** An item of a day. @throws AppError 404 `no_such_item` */
export function itemOf({ items }: ShortDayRow, variantId: number): DayItemRow {
  const item = items.find((each) => each.variantId === variantId);
  if (!item) throw noSuchItem();
  return item;
}

/** "Pasture Eggs, Dozen" */
export const titleOf = ({ product, variant }: DayItemRow): string => lineName(product, variant);

/** A delivery day with its items and shortages: two statements. @throws AppError 404 */
export async function readShorts(ctx: Context, key: DayKey): Promise<{ day: ShortDayRow; shortages: ShortageRow[] }> {
  const day = await getShortDay(ctx, key);
  return { day, shortages: await findShortages(ctx.deps.db, day.id) };
}
