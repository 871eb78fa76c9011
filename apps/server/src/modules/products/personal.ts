import type { Product } from "@marketday/contracts/products";

import type { Deps } from "../../deps.ts";
import { type Cached, cachedOf, withoutInventory } from "../../lib/cache.ts";
import type { Actor, CustomerId } from "../identity/context.ts";
import { findPersonal, type Personal } from "./product-sql.ts";

async function loadPersonal({ db, personalCache }: Deps, customerId: CustomerId): Promise<Personal> {
  const read = () => findPersonal(db, customerId);
  return (await personalCache.getFresh(null, String(customerId), read, withoutInventory)).value;
}

/** Drops a customer's cached data, because it changed. */
export const forgetPersonal = ({ personalCache }: Deps, customerId: CustomerId): void =>
  personalCache.dropKey(null, String(customerId));

function personalizeProduct(product: Product, { favorites, subscribed, orders, vendor_orders }: Personal): Product {
  const isFavorite = product.id in favorites;
  const previousOrderCount = orders[product.id] ?? 0;
  const previousVendorOrderCount = vendor_orders[product.vendor.id] ?? 0;
  const isSubscribed = product.variants.some(({ id }) => id in subscribed);
  if (!isFavorite && !isSubscribed && previousVendorOrderCount === 0 && previousOrderCount === 0) return product;
  const variants = product.variants.map((variant) => ({ ...variant, isSubscribed: variant.id in subscribed }));
  return { ...product, isFavorite, previousOrderCount, previousVendorOrderCount, variants };
}

/**
 * Adds the customer's data to products: favorite, number of orders, subscribed (docs/product.md §5). Returns new objects, because
 * the given ones may be shared by the cache; the given list when the customer has no data about any of them.
 */
export async function personalize(deps: Deps, customerId: CustomerId, products: Product[]): Promise<Product[]> {
  if (products.length === 0) return products;
  const personal = await loadPersonal(deps, customerId);
  const own = products.map((product) => personalizeProduct(product, personal));
  return own.every((product, index) => product === products[index]) ? products : own;
}

/**
 * The response that guests get as this shopper sees it: with a customer's data, or the cached bytes when the customer has none about
 * its products.
 */
export async function personalizeCached<T>(
  deps: Deps,
  actor: Actor,
  cached: Cached<T>,
  productsOf: (value: T) => Product[],
  withProducts: (value: T, products: Product[]) => T,
): Promise<Cached<T>> {
  if (actor.type !== "customer") return cached;
  const products = productsOf(cached.value);
  const personal = await personalize(deps, actor.customerId, products);
  return personal === products ? cached : cachedOf(withProducts(cached.value, personal));
}
