import type { Banner } from "@marketday/contracts/cart";

import type { Deps } from "../../deps.ts";
import { withoutInventory } from "../../lib/cache.ts";
import { findBanners } from "./store.ts";

/**
 * The banners that the hub shows at `now`, and those of every hub, in their order. The rows are cached; their dates are compared with
 * `now` at each call. `hubId` null: a shopper without a hub.
 */
export async function loadBanners(deps: Deps, hubId: number | null, now: Date): Promise<Banner[]> {
  const { value } = await deps.cache.get(hubId, "banners", () => findBanners(deps.readDb, hubId, now), {
    ...withoutInventory,
    dependsOn: ["banner"],
  });
  return value
    .filter(({ starts_at: from, ends_at: until }) => (from === null || from <= now) && (until === null || now < until))
    .map(({ id, type, title, body, action }) => ({
      id: `banner-${id}`,
      type: type as Banner["type"],
      title,
      body,
      action,
    }));
}
