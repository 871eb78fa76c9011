import { POPULAR_WINDOW_MS } from "@marketday/domain/limits";
import { addMs, Minute } from "@marketday/domain/time";

import type { Deps } from "../../deps.ts";
import { findPopularity } from "./store.ts";

/** Number of orders in the last 90 days by vendor and product id. A missing id means none. */
export interface Popularity {
  vendors: ReadonlyMap<number, number>;
  products: ReadonlyMap<number, number>;
}

/** Popularity has its own cache, because every order clears the catalog's cache and one order hardly changes popularity. */
const COUNT_EVERY_MS = 10 * Minute.ms;

interface CacheEntry {
  at: number;
  popularity: Promise<Popularity>;
}

/** Entries by hub, separate for each server in the process (tests run two). */
const entriesByServer = new WeakMap<object, Map<number, CacheEntry>>();

const count = async (deps: Deps, hubId: number, now: Date): Promise<Popularity> => {
  const { vendors, products } = await findPopularity(deps.db, hubId, addMs(now, -POPULAR_WINDOW_MS));
  const byId = (rows: readonly { id: number; count: number }[]) =>
    new Map(rows.map(({ id, count: orders }) => [id, orders]));
  return { vendors: byId(vendors), products: byId(products) };
};

/** Popularity in the hub by orders of 90 days (docs/product.md §5 popular), at most ten minutes old. */
export function popularityOf(deps: Deps, hubId: number, now: Date): Promise<Popularity> {
  let hubs = entriesByServer.get(deps.cache);
  if (!hubs) entriesByServer.set(deps.cache, (hubs = new Map()));
  const cached = hubs.get(hubId);
  if (cached && deps.clock.elapsed() - cached.at < COUNT_EVERY_MS) return cached.popularity;
  const entry: CacheEntry = { at: deps.clock.elapsed(), popularity: count(deps, hubId, now) };
  hubs.set(hubId, entry);
  // A failed count is not cached.
  entry.popularity.catch(() => hubs.delete(hubId));
  return entry.popularity;
}
