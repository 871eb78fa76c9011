import type { Action } from "@marketday/client/forms/use-action.ts";
import type { Cart } from "@marketday/contracts/cart";
import type { NextBox, Subscription } from "@marketday/contracts/subscriptions";
import { CART_QUANTITY_MAX } from "@marketday/domain/limits";
import { timesDollars } from "@marketday/domain/money";
import { Picture } from "@marketday/ui/picture.tsx";
import { Money } from "@marketday/ui/price.tsx";
import { Stepper } from "@marketday/ui/stepper.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";

import { orCartFull } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { useCartActions } from "../cart/use-cart.ts";
import { subscribe } from "./api.ts";
import { formatReason } from "./format.ts";

import s from "./box-line.module.css";

interface BoxLineProps {
  line: NextBox["lines"][number];
  isFirst: boolean;
  cart: Cart | undefined;
  list: Subscription[];
  saving: Action;
}

/**
 * A line of a box with why it is in. What the cart holds is changed in the cart, for this week; what a later box takes
 * from a subscription is changed there. A bundle of a later box is changed as a whole, in My Subscriptions.
 */
export function BoxLine({ line, isFirst, cart, list, saving }: BoxLineProps) {
  const client = useQueryClient();
  const { setItem } = useCartActions();
  const { title, variantId, fromBundleId, price, reason } = line;
  const inCart =
    isFirst || reason === "cart"
      ? cart?.items.find((item) => item.product.variant.id === variantId && item.fromBundleId === fromBundleId)
      : undefined;
  const mine = fromBundleId === null ? list.find(({ product }) => product.variant.id === variantId) : undefined;
  const key = `qty ${variantId}`;
  const quantity = inCart ? inCart.quantity : saving.shown(key, line.quantity);
  const change = (qty: number) => {
    if (inCart) return setItem(inCart, qty);
    if (!mine) return undefined;
    const wanted = {
      productId: line.productId,
      variantId,
      qty,
      subscription_interval: mine.subscription_interval,
    };
    return void saving.attempt(key, () => subscribe(client, wanted), orCartFull(messages.subscriptionPreferences), qty);
  };
  const max = inCart ? line.inventory : CART_QUANTITY_MAX;
  return (
    <div className={s.line}>
      <div className={s.picture}>
        <Picture picture={line.image} sizes="56px" alt="" />
      </div>
      <div className={s.words}>
        <OverlayLink to={paths.product(line.slug)} className={s.title}>
          {title}
        </OverlayLink>
        <span className={s.meta}>{line.vendor}</span>
        <span className={reason === "cart" ? s.meta : s.reason}>{formatReason(line)}</span>
      </div>
      <span className={s.price}>
        <Money amount={timesDollars(price, quantity)} />
      </span>
      <div className={s.stepper}>
        {inCart || mine ? (
          <Stepper
            look="line"
            name={title}
            min={inCart ? 0 : 1}
            quantity={quantity}
            max={max}
            onChange={change}
            onLimit={() => toast({ text: `Only ${max} left` })}
          />
        ) : (
          <span className={s.meta}>Quantity {quantity}</span>
        )}
      </div>
    </div>
  );
}
