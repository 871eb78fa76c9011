import { transaction } from "@marketday/db";

import type { Context } from "../identity/context.ts";
import { removeCount, storeCount } from "../shorts/count-short.ts";
import { getShortDay } from "../shorts/read-shorts.ts";
import { confirmShare } from "../week/confirm-share.ts";
import { type Harvest, type HarvestItem, isConfirmed, openItems, unitsOf } from "./read-harvest.ts";

/** Why less comes, in words that shoppers may read: the email about a missing item has them. */
export const REASONS = [
  "Bad weather",
  "The animals gave less",
  "Less was ripe than expected",
  "Not good enough to sell",
] as const;

/** What a vendor brings. */
export interface HarvestReport {
  /** Units that come, by variant: of each item whose number can be changed, from 0 to what is ordered. */
  coming: ReadonlyMap<number, number>;
  reason: string;
}

/** Whether this number of an item is what the market has. */
export const isStored = ({ ordered, own }: HarvestItem, came: number): boolean =>
  own ? own.of === ordered && own.came === came : came === ordered;

/** An item whose count is stored, changed or removed. */
interface Change {
  item: HarvestItem;
  came: number;
  reason: string;
}

/**
 * The changes of a report. Its reason is that of the items whose number is another one; when there are none, of all that are lowered.
 */
function changesOf(harvest: Harvest, { coming, reason }: HarvestReport): Change[] {
  const all = openItems(harvest).map((item) => ({ item, came: coming.get(item.variantId)! }));
  const other = all.filter(({ item, came }) => !isStored(item, came));
  const chosen = other.length > 0 ? other : all.filter(({ item, came }) => came < item.ordered && reason !== "");
  return chosen
    .map(({ item, came }) => ({ item, came, reason: reason || (item.own?.reason ?? "") }))
    .filter(({ item, came, reason: own }) => !isStored(item, came) || own !== item.own?.reason);
}

/** Whether a report changes nothing: it is stored, and the vendor has confirmed. */
export const isReported = (harvest: Harvest, report: HarvestReport): boolean =>
  isConfirmed(harvest) && changesOf(harvest, report).length === 0;

/**
 * Stores what a vendor brings, all of it or nothing: fewer than ordered is a count that the market settles (docs/product.md §14 `short`),
 * all again removes it, and the vendor has confirmed.
 * @throws AppError 409 when someone of the market has counted an item or checked the vendor in in the meantime, or its orders have changed
 */
export async function reportHarvest(ctx: Context, harvest: Harvest, report: HarvestReport): Promise<void> {
  const { vendor, delivery } = harvest.link;
  const changes = changesOf(harvest, report);
  const day = await getShortDay(ctx, { hub: delivery.hub.slug, date: harvest.day });
  await transaction(ctx.deps.db, async (tx) => {
    for (const { item, came, reason } of changes) {
      const { variantId, title, ordered, own } = item;
      if (came < ordered)
        await storeCount(tx, ctx, day, {
          variantId,
          came,
          of: ordered,
          gets: null,
          refundTo: "card",
          bearer: "vendor",
          reason,
          expectedVersion: own?.version ?? null,
        });
      else if (own) await removeCount(tx, ctx, day, { id: own.id, expectedVersion: own.version, title });
    }
    await ctx.deps.failpoint("harvest:counted");
    await confirmShare(tx, ctx, { deliveryId: delivery.id, vendor, units: unitsOf(harvest), version: harvest.version });
  });
}
