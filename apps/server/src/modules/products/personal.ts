import type { Product } from "@marketday/contracts/products";
import type { Conn } from "@marketday/db";

import type { CustomerId } from "../../lib/context.ts";
import { findPersonal } from "./store.ts";

/**
 * Adds the customer's data to products: favorite, number of orders, subscribed (docs/product.md §5). One statement for any
 * number of products. Returns new objects, because the given ones may be shared by the cache.
 */
export async function personalize(
  conn: Conn,
  customerId: CustomerId,
  products: readonly Product[],
): Promise<Product[]> {
  if (products.length === 0) return [];
  const productIds = [...new Set(products.map((product) => product.id))];
  const vendorIds = [...new Set(products.map((product) => product.vendor.id))];
  const row = await findPersonal(conn, customerId, productIds, vendorIds);
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
