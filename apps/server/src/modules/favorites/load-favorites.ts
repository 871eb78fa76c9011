import type { Product } from "@marketday/contracts/products";
import type { Vendor } from "@marketday/contracts/vendors";
import { USUALS_MAX } from "@marketday/domain/limits";

import type { Deps } from "../../deps.ts";
import type { Page } from "../../lib/paging.ts";
import type { Actor, CustomerId } from "../identity/context.ts";
import { hubOf, requireFavoritesAccount } from "../identity/guards.ts";
import { loadProducts } from "../products/load-products.ts";
import { personalize } from "../products/personal.ts";
import { serializeVendor } from "../vendors/load-vendors.ts";
import { popularityOf } from "../vendors/popularity.ts";
import { findFavorites, findFollowedPage, findMostOrdered, findVendorsById } from "./store.ts";

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

/** The number of products of each kind among which those that can be bought are found. */
const USUALS_AMONG = 20;

/** Its first size, the one that a row adds. */
const canBeBought = ({ isPreOrder, variants: [first] }: Product): boolean =>
  !isPreOrder && first !== undefined && first.inventory > 0;

/**
 * What an empty cart offers (docs/product.md §5): of what can be bought in the hub now, what the customer ordered most, then what
 * the hub sold most in 90 days; at most four. `[]` without a session, and where nothing was sold yet.
 */
export async function loadUsuals(deps: Deps, actor: Actor, now: Date): Promise<Product[]> {
  const hubId = hubOf(actor);
  if (hubId === null) return [];
  const isCustomer = actor.type === "customer";
  const first = { page: 1, rows: USUALS_AMONG, offset: 0 };
  const own = isCustomer ? (await findMostOrdered(deps.db, actor.customerId, hubId, first)).ids : [];
  const { products } = await popularityOf(deps, hubId, now);
  const popular = [...products]
    .toSorted(([a, ordersOfA], [b, ordersOfB]) => ordersOfB - ordersOfA || a - b)
    .slice(0, USUALS_AMONG)
    .map(([id]) => id);
  const found = await loadProducts(deps.readDb, hubId, [...new Set([...own, ...popular])]);
  const usuals = found.filter(canBeBought).slice(0, USUALS_MAX);
  return isCustomer ? personalize(deps, actor.customerId, usuals) : usuals;
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
