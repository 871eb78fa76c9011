import { POPULAR_WINDOW_MS } from "@marketday/domain/limits";
import { addMs, Minute } from "@marketday/domain/time";

import type { Deps } from "../../deps.ts";
import { findPopularity } from "./store.ts";

/** In how many orders of the last 90 days something was, by id; what is missing was in none. */
export interface Popularity {
  vendors: ReadonlyMap<number, number>;
  products: ReadonlyMap<number, number>;
}

/** Every order drops the catalogue's cache, but who is popular does not change with one: counted this seldom. */
const COUNT_EVERY_MS = 10 * Minute.ms;

interface Known {
  at: number;
  counting: Promise<Popularity>;
}

/** Each server's own, by its cache: two servers in one process (tests) do not share. */
const known = new WeakMap<object, Map<number, Known>>();

const count = async (deps: Deps, hubId: number, now: Date): Promise<Popularity> => {
  const { vendors, products } = await findPopularity(deps.db, hubId, addMs(now, -POPULAR_WINDOW_MS));
  const byId = (rows: readonly { id: number; count: number }[]) =>
    new Map(rows.map(({ id, count: orders }) => [id, orders]));
  return { vendors: byId(vendors), products: byId(products) };
};

/** What the hub's orders of 90 days say (docs/product.md §5 popular), at most ten minutes old. */
export function popularityOf(deps: Deps, hubId: number, now: Date): Promise<Popularity> {
  let hubs = known.get(deps.cache);
  if (!hubs) known.set(deps.cache, (hubs = new Map()));
  const before = hubs.get(hubId);
  if (before && deps.clock.elapsed() - before.at < COUNT_EVERY_MS) return before.counting;
  const entry: Known = { at: deps.clock.elapsed(), counting: count(deps, hubId, now) };
  hubs.set(hubId, entry);
  // What failed is asked again at once.
  entry.counting.catch(() => hubs.delete(hubId));
  return entry.counting;
}
