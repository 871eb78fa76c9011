import type { CartItem } from "@marketday/contracts/cart";
import type { Product, Variant } from "@marketday/contracts/products";

/** A cart line as it looks until the server has answered, for what is not in the cart yet; `bundleId`: the bundle it is bought in. */
export const newItem = (
  product: Pick<Product, "id" | "slug" | "title" | "images" | "vendor">,
  variant: Variant,
  quantity: number,
  bundleId: number | null = null,
): CartItem => ({
  // The server gives the id; keys go by variant and bundle.
  id: 0,
  quantity,
  price: variant.salePrice ?? variant.price,
  subscription_interval: null,
  watching: false,
  isPublished: true,
  fromBundleId: bundleId,
  vendor: product.vendor,
  product: {
    id: product.id,
    slug: product.slug,
    title: product.title,
    images: product.images,
    variant: {
      id: variant.id,
      title: variant.title,
      size: variant.size,
      inventory: variant.inventory,
      price: variant.price,
      salePrice: variant.salePrice,
      preOrderDate: variant.preOrderDate,
    },
  },
  discount: null,
});
