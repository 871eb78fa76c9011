import type { Product } from "@marketday/contracts/products";
import type { Vendor } from "@marketday/contracts/vendors";
import { USUALS_MAX } from "@marketday/domain/limits";

import type { Deps } from "../../deps.ts";
import { PRODUCT_CHANGES } from "../../lib/cache.ts";
import type { Page } from "../../lib/paging.ts";
import type { Actor, CustomerId } from "../identity/context.ts";
import { hubOf, requireFavoritesAccount } from "../identity/guards.ts";
import { idsOf, loadCachedProducts, loadProducts } from "../products/load-products.ts";
import { personalize } from "../products/personal.ts";
import { serializeVendor } from "../vendors/load-vendors.ts";
import { popularityOf } from "../vendors/popularity.ts";
import { findFavorites, findMostOrdered, findVendorsById } from "./favorite-sql.ts";
import { findFollowedPage } from "./store.ts";

/** One page of a list, and the number of rows on all pages. */
export interface Part<T> {
  rows: T[];
  total: number;
}

async function productPart(
  deps: Deps,
  actor: Actor,
  page: Page,
  find: typeof findFavorites | typeof findMostOrdered,
): Promise<Part<Product>> {
  const customerId: CustomerId = requireFavoritesAccount(actor);
  const hubId = hubOf(actor);
  const { ids, total } = await find(deps.db, customerId, hubId, page);
  return { rows: await personalize(deps, customerId, await loadProducts(deps.db, hubId, ids)), total };
}

/** The customer's favorites (spec §7.6); products the hub does not sell come last, with the hubs that sell them. */
export const loadFavoriteProducts = (deps: Deps, actor: Actor, page: Page) =>
  productPart(deps, actor, page, findFavorites);

/** The products the customer ordered most (spec §7.11). */
export const loadMostOrdered = (deps: Deps, actor: Actor, page: Page) =>
  productPart(deps, actor, page, findMostOrdered);

/** The number of products that are looked at together for those that can be bought. */
const USUALS_AMONG = 20;

const canBeBought = ({ isPreOrder, variants }: Product): boolean =>
  !isPreOrder && variants.some(({ inventory }) => inventory > 0);

/** The first `most` products that can be bought in the hub, of pages of ids. A page that is not full is the last. */
async function findBuyable(
  deps: Deps,
  hubId: number,
  most: number,
  pageOf: (page: Page) => Promise<readonly number[]>,
): Promise<Product[]> {
  const found: Product[] = [];
  for (let page = 1; found.length < most; page += 1) {
    const ids = await pageOf({ page, rows: USUALS_AMONG, offset: (page - 1) * USUALS_AMONG });
    found.push(...(await loadCachedProducts(deps, hubId, ids)).filter(canBeBought));
    if (ids.length < USUALS_AMONG) break;
  }
  return found.slice(0, most);
}

/** What the hub sold most, of what can be bought: enough to complete any customer's own. */
const loadPopular = async (deps: Deps, hubId: number, now: Date): Promise<Product[]> =>
  (
    await deps.cache.get(
      hubId,
      "usuals",
      async () => {
        const { products } = await popularityOf(deps, hubId, now);
        const ids = [...products]
          .toSorted(([a, ordersOfA], [b, ordersOfB]) => ordersOfB - ordersOfA || a - b)
          .map(([id]) => id);
        return findBuyable(deps, hubId, 2 * USUALS_MAX, async ({ offset, rows }) => ids.slice(offset, offset + rows));
      },
      { dependsOn: PRODUCT_CHANGES, productsOf: idsOf, choosesInStock: idsOf },
    )
  ).value;

/**
 * What an empty cart offers (docs/product.md §5): of what can be bought in the hub now, what the customer ordered most, then what
 * the hub sold most in 90 days; at most four. `[]` without a session, and where nothing was sold yet.
 */
export async function loadUsuals(deps: Deps, actor: Actor, now: Date): Promise<Product[]> {
  const hubId = hubOf(actor);
  if (hubId === null) return [];
  const popular = await loadPopular(deps, hubId, now);
  if (actor.type !== "customer") return popular.slice(0, USUALS_MAX);
  const { customerId } = actor;
  const own = await findBuyable(
    deps,
    hubId,
    USUALS_MAX,
    async (page) => (await findMostOrdered(deps.db, customerId, hubId, page)).ids,
  );
  const ownIds = new Set(idsOf(own));
  const usuals = [...own, ...popular.filter(({ id }) => !ownIds.has(id))].slice(0, USUALS_MAX);
  return personalize(deps, customerId, usuals);
}

/** The vendors a customer follows: of this hub, or of every hub (spec §7.7). */
export async function loadFavoriteVendors(
  deps: Deps,
  actor: Actor,
  page: Page,
  scope: "hub" | "all",
): Promise<Part<Vendor>> {
  const customerId = requireFavoritesAccount(actor);
  const hubId = hubOf(actor);
  const { ids, total } = await findFollowedPage(deps.db, customerId, hubId, scope, page);
  const rows = ids.length === 0 ? [] : await findVendorsById(deps.db, hubId, ids);
  return { rows: rows.map((row) => ({ ...serializeVendor(row), isFollowed: true })), total };
}
