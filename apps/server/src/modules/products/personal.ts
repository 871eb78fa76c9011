import type { Product } from "@marketday/contracts/products";
import type { Conn } from "@marketday/db";

import { type Cached, cachedOf } from "../../lib/cache.ts";
import type { Actor, CustomerId } from "../../lib/context.ts";
import { findPersonal } from "./store.ts";

/**
 * Adds the customer's data to products: favorite, number of orders, subscribed (docs/product.md §5). One statement for any
 * number of products. Returns new objects, because the given ones may be shared by the cache; the given list when the customer has
 * no data about any of them.
 */
export async function personalize(conn: Conn, customerId: CustomerId, products: Product[]): Promise<Product[]> {
  if (products.length === 0) return products;
  const productIds = [...new Set(products.map((product) => product.id))];
  const vendorIds = [...new Set(products.map((product) => product.vendor.id))];
  const row = await findPersonal(conn, customerId, productIds, vendorIds);
  if (![row.favorites, row.subscribed, row.orders, row.vendor_orders].some((list) => list.length > 0)) return products;
  const favorites = new Set(row.favorites);
  const subscribed = new Set(row.subscribed);
  const orders = new Map(row.orders.map(({ id, count }) => [id, count]));
  const vendorOrders = new Map(row.vendor_orders.map(({ id, count }) => [id, count]));
  return products.map((product) => ({
    ...product,
    isFavorite: favorites.has(product.id),
    previousOrderCount: orders.get(product.id) ?? 0,
    previousVendorOrderCount: vendorOrders.get(product.vendor.id) ?? 0,
    variants:
      subscribed.size === 0
        ? product.variants
        : product.variants.map((variant) => ({ ...variant, isSubscribed: subscribed.has(variant.id) })),
  }));
}

/**
 * The response that guests get as this shopper sees it: with a customer's data, or the cached bytes when the customer has none about
 * its products.
 */
export async function personalizeCached<T>(
  conn: Conn,
  actor: Actor,
  cached: Cached<T>,
  productsOf: (value: T) => Product[],
  withProducts: (value: T, products: Product[]) => T,
): Promise<Cached<T>> {
  if (actor.type !== "customer") return cached;
  const products = productsOf(cached.value);
  const personal = await personalize(conn, actor.customerId, products);
  return personal === products ? cached : cachedOf(withProducts(cached.value, personal));
}
