import type { Product } from "@marketday/contracts/products";
import { Stepper } from "@marketday/ui/stepper.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";

import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { useCartActions } from "../cart/use-cart.ts";
import { fullName, isSoldOut } from "./format.ts";

import s from "./add-control.module.css";

interface AddControlProps {
  product: Product;
  /** Of its first variant in the cart (`useCartQuantity`). */
  quantity: number;
  watching: boolean;
}

/**
 * What a tile lets one do, on its picture: a plus that opens into the stepper, "Watch" where it is sold out, "Choose"
 * where only another size is left.
 */
export function AddControl({ product, quantity, watching }: AddControlProps) {
  const [variant] = product.variants;
  const { setVariant, watch } = useCartActions();
  if (!variant) return null;
  const name = fullName(product, variant);

  if (isSoldOut(variant) && product.variants.some((other) => !isSoldOut(other)))
    return (
      <OverlayLink to={paths.product(product.slug)} className={s.pill}>
        Choose<VisuallyHidden> a size of {product.title}</VisuallyHidden>
      </OverlayLink>
    );
  if (isSoldOut(variant) || watching)
    return (
      <button
        type="button"
        className={s.pill}
        aria-pressed={watching}
        onClick={() => {
          watch(product, variant, !watching);
          if (!watching) toast({ text: "We'll let you know when it's back" });
        }}
      >
        {watching ? "Watching" : "Watch"}
        <VisuallyHidden> {name}</VisuallyHidden>
      </button>
    );
  return (
    <Stepper
      look="tile"
      name={name}
      quantity={quantity}
      max={variant.inventory}
      onChange={(next) => setVariant(product, variant, next, quantity)}
      onLimit={() => toast({ text: `Only ${variant.inventory} left` })}
    />
  );
}
