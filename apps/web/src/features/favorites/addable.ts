import type { CartItem } from "@marketday/contracts/cart";
import type { Product, Variant } from "@marketday/contracts/products";

import { isSoldOut } from "../products/format.ts";

export interface Addable {
  product: Product;
  variant: Variant;
}

/** What "Add all" puts into the cart: one of each thing there is to buy and that is not in it yet, in its first size left. */
export function addableOf(products: Product[], items: Pick<CartItem, "product">[]): Addable[] {
  const inCart = new Set(items.map(({ product }) => product.id));
  return products.flatMap((product) => {
    const variant = product.variants.find((one) => !isSoldOut(one));
    return variant && !inCart.has(product.id) ? [{ product, variant }] : [];
  });
}
