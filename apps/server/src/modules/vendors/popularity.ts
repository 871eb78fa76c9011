import { POPULAR_WINDOW_MS } from "@marketday/domain/limits";
import { addMs, Minute } from "@marketday/domain/time";

import type { Deps } from "../../deps.ts";
import { findPopularity } from "./vendor-sql.ts";

/** Number of orders in the last 90 days by vendor and product id. A missing id means none. */
export interface Popularity {
  vendors: ReadonlyMap<number, number>;
  products: ReadonlyMap<number, number>;
}

/** Popularity is not dropped by orders: one order hardly changes it. */
const COUNT_EVERY_MS = 10 * Minute.ms;

const count = async (deps: Deps, hubId: number, now: Date): Promise<Popularity> => {
  const { vendors, products } = await findPopularity(deps.readDb, hubId, addMs(now, -POPULAR_WINDOW_MS));
  const byId = (rows: readonly { id: number; count: number }[]) =>
    new Map(rows.map(({ id, count: orders }) => [id, orders]));
  return { vendors: byId(vendors), products: byId(products) };
};

/** Popularity in the hub by orders of 90 days (docs/product.md §5 popular), at most ten minutes old. */
export const popularityOf = async (deps: Deps, hubId: number, now: Date): Promise<Popularity> =>
  (
    await deps.cache.getFresh("orders", `popularity:${hubId}`, () => count(deps, hubId, now), {
      maxAgeMs: COUNT_EVERY_MS,
    })
  ).value;
