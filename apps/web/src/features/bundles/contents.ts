import type { Bundle } from "@marketday/contracts/bundles";
import type { Cart } from "@marketday/contracts/cart";
import type { Variant } from "@marketday/contracts/products";

import { newItem } from "../cart/new-item.ts";
import type { CartChange } from "../cart/project.ts";

type BundleProduct = Bundle["products"][number];

/** The variant of a product that the bundle holds; undefined where the hub does not sell it. */
export const variantOf = ({ variants, variantId }: BundleProduct): Variant | undefined =>
  variants.find(({ id }) => id === variantId);

/** What of it can be bought this week, with its variant. */
export const availableOf = (bundle: Bundle): { product: BundleProduct; variant: Variant }[] =>
  bundle.products.flatMap((product) => {
    const variant = variantOf(product);
    return product.available && variant ? [{ product, variant }] : [];
  });

const inCart = (cart: Cart | undefined, bundleId: number, variantId: number): number =>
  cart?.items.find((item) => item.fromBundleId === bundleId && item.product.variant.id === variantId && !item.watching)
    ?.quantity ?? 0;

/** How many whole bundles the cart holds, of what can be bought this week. */
export function bundlesInCart(bundle: Bundle, cart: Cart | undefined): number {
  const counts = availableOf(bundle).map(({ product, variant }) =>
    Math.floor(inCart(cart, bundle.id, variant.id) / product.quantity),
  );
  return counts.length === 0 ? 0 : Math.min(...counts);
}

/** How many more the stock allows: the scarcest thing decides. */
export function bundlesLeft(bundle: Bundle, cart: Cart | undefined): number {
  const counts = availableOf(bundle).map(({ product, variant }) => {
    const taken = (cart?.items ?? [])
      .filter((item) => item.product.variant.id === variant.id && !item.watching)
      .reduce((sum, item) => sum + item.quantity, 0);
    return Math.floor((variant.inventory - taken) / product.quantity);
  });
  return counts.length === 0 ? 0 : Math.max(0, Math.min(...counts));
}

/** The cart changes that put one more bundle into it: absolute quantities, each line knows its bundle (spec §3 Cart reorder line). */
export const addChanges = (bundle: Bundle, cart: Cart | undefined): CartChange[] =>
  availableOf(bundle).map(({ product, variant }) => {
    const quantity = inCart(cart, bundle.id, variant.id) + product.quantity;
    return {
      productId: product.id,
      variantId: variant.id,
      bundleId: bundle.id,
      quantity,
      item: newItem(product, variant, quantity, bundle.id),
    };
  });

/** What is missing this week, as a sentence; null when nothing is. */
export function formatMissing(bundle: Bundle): string | null {
  const missing = bundle.products.length - availableOf(bundle).length;
  if (missing === 0) return null;
  if (missing === bundle.products.length) return "Sold out this week.";
  return missing === 1
    ? "1 item is sold out this week and left out."
    : `${missing} items are sold out this week and left out.`;
}
