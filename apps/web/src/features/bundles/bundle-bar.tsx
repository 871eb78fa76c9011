import { useIsDesktop } from "@marketday/client/use-media.ts";
import type { Bundle } from "@marketday/contracts/bundles";
import { TOAST_ADDED_MS } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { DialogFoot, FootFact } from "@marketday/ui/dialog.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { toast } from "@marketday/ui/toast-store.ts";

import { pushEvent } from "../../lib/data-layer.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { useCartTools } from "../cart/cart-provider.tsx";
import { useCart } from "../cart/use-cart.ts";
import { addChanges, availableOf, bundlesInCart, bundlesLeft, formatMissing } from "./contents.ts";

/** Sticky: one action with its amount; items that are left out are listed above it. */
export function BundleBar({ bundle }: { bundle: Bundle }) {
  const { data: cart } = useCart();
  const { set } = useCartTools();
  const { openModal } = useNavigation();
  const isDesktop = useIsDesktop();
  const has = bundlesInCart(bundle, cart);
  const left = bundlesLeft(bundle, cart);
  const missing = formatMissing(bundle);
  const nothing = availableOf(bundle).length === 0;

  const add = () => {
    const changes = addChanges(bundle, cart);
    for (const change of changes) {
      const { productId, variantId, item } = change;
      const quantity = bundle.products.find((product) => product.variantId === variantId)?.quantity ?? 1;
      pushEvent("add_to_cart", { productId, variantId, quantity, price: item.price });
      set(change);
    }
    toast({ text: "Added to cart", duration: TOAST_ADDED_MS });
  };
  const words = has > 0 ? `${has} in your cart` : null;
  return (
    <DialogFoot row note={missing ?? (!nothing && left === 0 ? "That's all we have this week." : null)}>
      {words &&
        (isDesktop ? (
          <FootFact good>{words}</FootFact>
        ) : (
          <Button
            id="bundle-bar-cart"
            kind="outline"
            size="lg"
            onClick={() => openModal({ kind: "cart" }, "bundle-bar-cart")}
          >
            {words}
          </Button>
        ))}
      <Button size="lg" wide disabled={nothing || left === 0} onClick={add}>
        {has > 0 ? "Add another" : "Add bundle to cart"} · {formatMoney(bundle.totalAvailable)}
      </Button>
    </DialogFoot>
  );
}
