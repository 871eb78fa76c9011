import type { Product } from "@marketday/contracts/products";
import type { Vendor } from "@marketday/contracts/vendors";

import type { Deps } from "../../deps.ts";
import type { Page } from "../../lib/paging.ts";
import type { Actor, CustomerId } from "../identity/context.ts";
import { hubOf, requireFavoritesAccount } from "../identity/guards.ts";
import { loadProducts } from "../products/load-products.ts";
import { personalize } from "../products/personal.ts";
import { serializeVendor } from "../vendors/load-vendors.ts";
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
