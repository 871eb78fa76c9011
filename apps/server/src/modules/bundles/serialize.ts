import type { Bundle } from "@marketday/contracts/bundles";
import type { Product } from "@marketday/contracts/products";
import { fromDollars, toDollars } from "@marketday/domain/money";
import { priceBundle } from "@marketday/domain/price-cart";

import { serializePictureOrNull } from "../pictures/picture-row.ts";
import type { BundleRow } from "./store.ts";

/**
 * Row → contract, as a guest sees it. `products`: the published products of its items with the hub's offers. An item without an
 * offer in the hub costs nothing and is not available; a sold-out one keeps its price.
 */
export function serializeBundle(row: BundleRow, products: ReadonlyMap<number, Product>): Bundle {
  const parts = row.items.flatMap((item) => {
    const product = products.get(item.variant.product_id);
    return product ? [{ item, product, variant: product.variants.find(({ id }) => id === item.variant_id) }] : [];
  });
  const lines = parts.flatMap(({ item, variant }) =>
    variant
      ? [
          {
            quantity: item.quantity,
            unitCents: fromDollars(variant.salePrice ?? variant.price),
            isAvailable: variant.inventory >= item.quantity,
          },
        ]
      : [],
  );
  const { totalCents, savingCents } = priceBundle(lines, row.discount_ppm);
  const available = priceBundle(
    lines.filter(({ isAvailable }) => isAvailable),
    row.discount_ppm,
  );
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    description: row.description,
    image: serializePictureOrNull(row.image),
    subscriptionInterval: null,
    subscriptionStatus: "unsubscribed",
    total: toDollars(totalCents),
    totalAvailable: toDollars(available.totalCents),
    saving: toDollars(savingCents),
    products: parts.map(({ item, product, variant }) => ({
      ...product,
      ingredients: item.variant.product.ingredients,
      quantity: item.quantity,
      variantId: item.variant_id,
      available: variant !== undefined && variant.inventory >= item.quantity,
    })),
  };
}
