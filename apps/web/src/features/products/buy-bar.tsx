import { useIsDesktop } from "@marketday/client/use-media.ts";
import type { Product, Variant } from "@marketday/contracts/products";
import { TOAST_ADDED_MS } from "@marketday/domain/limits";
import { timesDollars } from "@marketday/domain/money";
import { Button } from "@marketday/ui/button.tsx";
import { DialogFoot, FootFact } from "@marketday/ui/dialog.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { Stepper } from "@marketday/ui/stepper.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useId, useRef, useState } from "react";

import { useNavigation } from "../../navigation/overlays.ts";
import { useCartActions, useCartQuantity } from "../cart/use-cart.ts";
import { SubscribeLine } from "../subscriptions/subscribe-line.tsx";
import { fullName, isSoldOut } from "./format.ts";

/** Always in sight: how many, and one thing to do, with its amount. In the cart the stepper is the cart's. */
export function BuyBar({ product, variant }: { product: Product; variant: Variant }) {
  const { quantity, watching } = useCartQuantity(variant.id);
  const { setVariant, watch } = useCartActions();
  const { openModal } = useNavigation();
  const isDesktop = useIsDesktop();
  const cartButton = useId();
  const [wanted, setWanted] = useState(1);
  const name = fullName(product, variant);
  const price = variant.salePrice ?? variant.price;
  const again = <SubscribeLine product={product} variant={variant} />;
  const plus = useRef<HTMLButtonElement>(null);
  const limit = () => toast({ text: `Only ${variant.inventory} left` });

  if (isSoldOut(variant) || watching)
    return (
      <DialogFoot row note={again}>
        <FootFact>Sold out</FootFact>
        <Button
          kind="outline"
          size="lg"
          wide
          icon={watching ? "check" : "bell"}
          aria-pressed={watching}
          onClick={() => watch(product, variant, !watching)}
        >
          {watching ? "Watching" : "Watch Product"}
        </Button>
      </DialogFoot>
    );

  if (quantity > 0)
    return (
      <DialogFoot row note={again}>
        <Stepper
          plus={plus}
          look="bar"
          name={name}
          quantity={quantity}
          max={variant.inventory}
          onChange={(next) => setVariant(product, variant, next, quantity)}
          onLimit={limit}
        />
        {isDesktop ? (
          <FootFact good>
            In your cart · <strong>{formatMoney(timesDollars(price, quantity))}</strong>
          </FootFact>
        ) : (
          <Button id={cartButton} kind="outline" size="lg" wide onClick={() => openModal({ kind: "cart" }, cartButton)}>
            In your cart · {formatMoney(timesDollars(price, quantity))}
          </Button>
        )}
      </DialogFoot>
    );

  return (
    <DialogFoot row note={again}>
      <Stepper
        plus={plus}
        look="bar"
        name={name}
        min={1}
        quantity={wanted}
        max={variant.inventory}
        onChange={setWanted}
        onLimit={limit}
      />
      <Button
        size="lg"
        wide
        onClick={() => {
          // On a desktop this button gives way to a fact.
          if (isDesktop) plus.current?.focus({ preventScroll: true });
          setVariant(product, variant, wanted, 0);
          toast({ text: "Added to cart", duration: TOAST_ADDED_MS });
        }}
      >
        Add to Cart · {formatMoney(price * wanted)}
      </Button>
    </DialogFoot>
  );
}
