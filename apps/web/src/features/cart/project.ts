import type { Cart, CartItem } from "@marketday/contracts/cart";
import { lineKey, subtotals } from "@marketday/domain/cart";
import { fromDollars, toDollars } from "@marketday/domain/money";

/** What the shopper wants a line to be. `item` is how it looks until the server has answered. */
export interface CartChange {
  productId: number;
  variantId: number;
  bundleId: number | null;
  quantity: number;
  watching?: boolean;
  item: CartItem;
}

/** A change that is not acknowledged yet. */
export interface Pending extends CartChange {
  /** Who made it. */
  customerId: number | string | null;
  /** The cart that they saw; null: they had none yet. */
  seen: { id: number; revision: number } | null;
  /** The quantity of the line in that cart. */
  from: number;
}

/** An empty cart. */
export const emptyCart: Cart = {
  id: null,
  revision: 0,
  items: [],
  discounts: [],
  banners: [],
  subtotal: 0,
  subtotalBeforeDiscounts: 0,
  deliveryDate: null,
  cutoff: null,
  timeZone: null,
};

/** A cart item's identity: variant, and bundle or none. */
export const itemKey = (item: CartItem): string =>
  lineKey({ variantId: item.product.variant.id, bundleId: item.fromBundleId });

/**
 * The cart as it will be when the server has taken these changes, as far as the browser can know: quantities, new and
 * removed lines, and the subtotals of the shown prices by the server's own rule. Discounts stay as last answered.
 */
export function withChanges(cart: Cart, changes: CartChange[]): Cart {
  if (changes.length === 0) return cart;
  const wanted = new Map(changes.map((change) => [lineKey(change), change]));
  const kept = cart.items.flatMap((item) => {
    const change = wanted.get(itemKey(item));
    wanted.delete(itemKey(item));
    if (!change) return [item];
    if (change.quantity === 0) return [];
    return [{ ...item, quantity: change.quantity, watching: change.watching ?? item.watching }];
  });
  const added = [...wanted.values()]
    .filter(({ quantity }) => quantity > 0)
    .map(({ item, quantity, watching }) => ({ ...item, quantity, watching: watching ?? false }));
  const items = [...kept, ...added];
  const sums = subtotals(
    items.map(({ quantity, price, watching, isPublished }) => ({
      quantity,
      unitCents: fromDollars(price),
      watching,
      isPublished,
    })),
    cart.discounts.map(({ amount }) => ({ amountCents: fromDollars(amount) })),
  );
  return {
    ...cart,
    items,
    subtotal: toDollars(sums.subtotalCents),
    subtotalBeforeDiscounts: toDollars(sums.subtotalBeforeDiscountsCents),
  };
}
