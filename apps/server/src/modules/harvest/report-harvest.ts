import type { Context } from "../identity/context.ts";
import { countShort, removeShort } from "../shorts/count-short.ts";
import { setArrivals } from "../week/set-arrivals.ts";
import { type Harvest, openItems } from "./read-harvest.ts";

/** What a vendor says of their items. */
export interface HarvestReport {
  /** Units that come, by variant: of each item whose number can be changed, from 0 to what is ordered. */
  coming: ReadonlyMap<number, number>;
  reason: string;
}

/**
 * Stores what a vendor brings: fewer than ordered is a count that the market settles (docs/product.md §14 `short`), all again removes it,
 * and the vendor has confirmed. Each item is a transaction; sent again after it was stopped, it does the rest.
 * @throws AppError 409 when someone of the market has counted an item in the meantime, or its orders have changed
 */
export async function reportHarvest(ctx: Context, harvest: Harvest, { coming, reason }: HarvestReport): Promise<void> {
  const { vendor, delivery } = harvest.link;
  const key = { hub: delivery.hub.slug, date: harvest.day };
  for (const item of openItems(harvest)) {
    const { variantId, ordered, own } = item;
    const came = coming.get(variantId)!;
    if (came < ordered)
      await countShort(ctx, { name: vendor.name, isVendor: true }, key, {
        variantId,
        came,
        of: ordered,
        gets: null,
        refundTo: "card",
        bearer: "vendor",
        reason,
        expectedVersion: own?.version ?? null,
      });
    else if (own) await removeShort(ctx, { ...key, id: own.id, expectedVersion: own.version });
  }
  await setArrivals(ctx, { hub: key.hub, day: key.date, vendors: [vendor.id], isConfirmed: true });
}
