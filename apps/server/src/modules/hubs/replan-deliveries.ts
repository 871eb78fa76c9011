import type { Tx } from "@marketday/db";
import { isWeekday } from "@marketday/domain/calendar-date";
import { deliveryDaysFrom, replanDays } from "@marketday/domain/delivery";

import { removeCounts } from "./day-counts-sql.ts";
import { lockDaysFrom } from "./day-sql.ts";
import { deleteDays, findRule, insertDeliveries } from "./day-store.ts";

/**
 * Replans after a change of weekday, zone or closures: days with orders or a live checkout stay, other open days that no longer fit
 * are deleted, missing ones are added (docs/product.md §4, failures.md C19).
 * @returns the added and deleted dates, `YYYY-MM-DD`
 */
export async function replanDeliveries(
  tx: Tx,
  hubId: number,
  now: Date,
): Promise<{ added: string[]; removed: string[] }> {
  const rule = await findRule(tx, hubId);
  if (!rule || !isWeekday(rule.delivery_day)) return { added: [], removed: [] };
  const stored = await lockDaysFrom(tx, hubId, now);
  const wanted = deliveryDaysFrom({
    weekday: rule.delivery_day,
    zone: rule.time_zone,
    now,
    closures: rule.closures,
  });
  const cutoffs = new Map(wanted.map(({ day, cutoff }) => [day, cutoff.getTime()]));
  // In another zone the same date has another cutoff: an empty day is created again.
  const moved = stored.filter(
    ({ day, cutoff, hasOrders }) => !hasOrders && cutoffs.has(day) && cutoffs.get(day) !== cutoff.getTime(),
  );
  const kept = stored.filter((row) => !moved.includes(row));
  const { add, remove } = replanDays(kept, wanted, now);
  const gone = [...moved, ...kept.filter(({ day }) => remove.includes(day))];
  const goneIds = gone.map(({ id }) => id);
  if (gone.length > 0) {
    await removeCounts(tx, goneIds, now);
    await deleteDays(tx, goneIds);
  }
  if (add.length > 0)
    await insertDeliveries(
      tx,
      add.map(({ day, cutoff, autoCheckoutAt }) => ({ hubId, day, cutoff, autoCheckoutAt })),
    );
  return { added: add.map(({ day }) => day), removed: gone.map(({ day }) => day) };
}
