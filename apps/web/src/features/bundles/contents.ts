import type { Bundle } from "@marketday/contracts/bundles";
import type { Cart } from "@marketday/contracts/cart";
import type { Variant } from "@marketday/contracts/products";
import { priceBundle } from "@marketday/domain/bundle";
import { fromDollars, toDollars } from "@marketday/domain/money";

import type { Intent } from "../cart/intent-queue.ts";
import { newItem } from "../cart/new-item.ts";

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
export const addIntents = (bundle: Bundle, cart: Cart | undefined): Intent[] =>
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

const lineOfPrice = (product: BundleProduct, variant: Variant) => ({
  quantity: product.quantity,
  unitCents: fromDollars(variant.salePrice ?? variant.price),
});

/** The share of the prices a bundle takes off, out of what it saves: the roundest one that saves exactly that. */
function discountOf(bundle: Bundle): number {
  const lines = bundle.products.flatMap((product) => {
    const variant = variantOf(product);
    return variant ? [lineOfPrice(product, variant)] : [];
  });
  const saving = fromDollars(bundle.saving);
  const ppm = (saving / Math.max(1, fromDollars(bundle.total) + saving)) * 1_000_000;
  const rounded = [10_000, 1000, 1].map((step) => Math.round(ppm / step) * step);
  return rounded.find((one) => priceBundle(lines, one).savingCents === saving) ?? Math.round(ppm);
}

/** What adding it costs, dollars: `total`, without what is left out. */
export function priceOf(bundle: Bundle): number {
  const available = availableOf(bundle);
  if (available.length === bundle.products.length) return bundle.total;
  const lines = available.map(({ product, variant }) => lineOfPrice(product, variant));
  return toDollars(priceBundle(lines, discountOf(bundle)).totalCents);
}

/** What is missing this week, as a sentence; null when nothing is. */
export function missingWords(bundle: Bundle): string | null {
  const missing = bundle.products.length - availableOf(bundle).length;
  if (missing === 0) return null;
  if (missing === bundle.products.length) return "Sold out this week.";
  return missing === 1
    ? "1 thing is sold out this week and left out."
    : `${missing} things are sold out this week and left out.`;
}
