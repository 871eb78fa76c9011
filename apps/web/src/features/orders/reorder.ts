import type { CartItem } from "@marketday/contracts/cart";
import type { Order, OrderItem } from "@marketday/contracts/orders";
import { lineKey } from "@marketday/domain/cart";

import type { CartChange } from "../cart/project.ts";
import { whyNotAgain } from "./format.ts";

/** Everything that came in an order's box. */
export const allItems = ({ items, addOns }: Pick<Order, "items" | "addOns">): OrderItem[] => [
  ...items,
  ...(addOns?.items ?? []),
];

const keyOf = (item: OrderItem | CartItem) =>
  lineKey({ variantId: item.product.variant.id, bundleId: item.fromBundleId });

/** An order's line as the cart shows it until the server has answered with today's price. */
const asCartItem = ({ product, vendor, fromBundleId }: OrderItem, quantity: number): CartItem => ({
  id: 0,
  quantity,
  price: product.variant.salePrice ?? product.variant.price,
  subscription_interval: null,
  watching: false,
  isPublished: true,
  fromBundleId,
  vendor,
  product,
  discount: null,
});

/**
 * What the cart's lines become when an old order is put into it (spec §3 Cart reorder line): each line on top of what is
 * there, never above the stock; what cannot be bought today is left out.
 */
export function reorderChanges(order: Pick<Order, "items" | "addOns">, cart: readonly CartItem[]): CartChange[] {
  const inCart = new Map(cart.map((item) => [keyOf(item), item.watching ? 0 : item.quantity]));
  const wanted = new Map<string, CartChange>();
  for (const item of allItems(order)) {
    if (whyNotAgain(item) !== null) continue;
    const key = keyOf(item);
    const before = wanted.get(key)?.quantity ?? inCart.get(key) ?? 0;
    const quantity = Math.min(item.product.variant.inventory, before + item.quantity);
    const { product, fromBundleId } = item;
    wanted.set(key, {
      productId: product.id,
      variantId: product.variant.id,
      bundleId: fromBundleId,
      quantity,
      item: asCartItem(item, quantity),
    });
  }
  return [...wanted.values()];
}
