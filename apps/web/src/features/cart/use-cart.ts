import type { Cart, CartItem } from "@marketday/contracts/cart";
import type { Product, Variant } from "@marketday/contracts/products";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";

import { pushEvent } from "../../lib/data-layer.ts";
import { useShopper } from "../session/api.ts";
import { cartQuery, useCartTools } from "./cart-provider.tsx";
import { newItem } from "./new-item.ts";
import type { CartChange } from "./project.ts";

function useCartPart<T>(select: (cart: Cart) => T) {
  const { queue } = useCartTools();
  const { customerId } = useShopper();
  return useQuery({ ...cartQuery(queue, customerId !== null), select });
}

const whole = (cart: Cart) => cart;
const nothing = () => null;
const units = (cart: Cart) => cart.items.reduce((sum, { quantity, watching }) => sum + (watching ? 0 : quantity), 0);

/** The whole cart, for the panel. */
export const useCart = () => useCartPart(whole);

/** How many things are in it, without the watched ones. */
export const useCartCount = (): number => useCartPart(units).data ?? 0;

/** For a page or a panel of products: when it opens, a cart that is stale is refetched. It does not render again with the cart. */
export function useFreshCart(): void {
  void useCartPart(nothing).data;
}

/** How many of a variant are in the cart, bundles apart. A tap re-renders only what shows its variant. */
export function useCartQuantity(variantId: number | undefined): { quantity: number; watching: boolean } {
  const { subscribe, shown } = useCartTools();
  // A line that does not change stays the same object.
  const line = useSyncExternalStore(subscribe, () =>
    shown()?.items.find(({ product, fromBundleId }) => product.variant.id === variantId && fromBundleId === null),
  );
  return { quantity: line?.quantity ?? 0, watching: line?.watching ?? false };
}

const changeOf = (item: CartItem, quantity: number, watching?: boolean): CartChange => ({
  productId: item.product.id,
  variantId: item.product.variant.id,
  bundleId: item.fromBundleId,
  quantity,
  item,
  ...(watching === undefined ? {} : { watching }),
});

/** The ways to change the cart. Each shows at once and is sent by the queue. */
export function useCartActions() {
  const { set } = useCartTools();
  return useMemo(
    () => ({
      /** From a product: how many of a variant there shall be. */
      setVariant: (product: Product, variant: Variant, quantity: number, before: number) => {
        if (quantity > before)
          pushEvent("add_to_cart", {
            productId: product.id,
            variantId: variant.id,
            quantity: quantity - before,
            price: variant.salePrice ?? variant.price,
          });
        set(changeOf(newItem(product, variant, quantity), quantity));
      },
      /** From a line of the cart. */
      setItem: (item: CartItem, quantity: number) => set(changeOf(item, quantity)),
      /** Puts a sold-out variant on the watch list, or takes it off. */
      watch: (product: Product, variant: Variant, on: boolean) =>
        set(changeOf(newItem(product, variant, 1), on ? 1 : 0, true)),
    }),
    [set],
  );
}
