import { transaction } from "@marketday/db";

import type { Context } from "../identity/context.ts";
import { removeCount, storeCount } from "../shorts/count-short.ts";
import { getShortDay } from "../shorts/read-shorts.ts";
import { confirmShare } from "../week/confirm-share.ts";
import { type Harvest, type HarvestItem, isConfirmed, openItems, unitsOf } from "./read-harvest.ts";

/** Why less comes, in words that shoppers may read: the email about a missing item has them. */
export const REASONS = [
  "Bad weather",
  "Our animals produced less",
  "Less was ripe than expected",
  "Not good enough to sell",
] as const;

/** How many of an item come, from 0 to what is ordered, and why less; "": no reason. */
export interface Coming {
  came: number;
  reason: string;
}

/** What a vendor brings, by variant: of each item whose number can be changed. */
export type HarvestReport = ReadonlyMap<number, Coming>;

/** Whether this is what the market has. */
export const isStored = ({ ordered, own }: HarvestItem, { came, reason }: Coming): boolean =>
  own ? own.of === ordered && own.came === came && own.reason === reason : came === ordered;

const changesOf = (harvest: Harvest, report: HarvestReport) =>
  openItems(harvest)
    .map((item) => ({ item, coming: report.get(item.variantId)! }))
    .filter(({ item, coming }) => !isStored(item, coming));

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
    for (const { item, coming } of changes) {
      const { variantId, title, ordered, own } = item;
      if (coming.came < ordered)
        await storeCount(tx, ctx, day, {
          ...coming,
          variantId,
          of: ordered,
          gets: null,
          refundTo: "card",
          bearer: "vendor",
          expectedVersion: own?.version ?? null,
        });
      else if (own) await removeCount(tx, ctx, day, { id: own.id, expectedVersion: own.version, title });
    }
    await ctx.deps.failpoint("harvest:counted");
    await confirmShare(tx, ctx, { deliveryId: delivery.id, vendor, units: unitsOf(harvest), version: harvest.version });
  });
}
