import type { Order } from "@marketday/contracts/orders";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Chip } from "@marketday/ui/chip.tsx";
import { toast } from "@marketday/ui/toast-store.ts";

import { useCartTools } from "../cart/cart-provider.tsx";
import { useCart } from "../cart/use-cart.ts";
import { nameOf } from "../products/format.ts";
import { useShopper } from "../session/api.ts";
import { whyNotAgain } from "./format.ts";
import { allItems, reorderChanges } from "./reorder.ts";

import s from "./reorder-card.module.css";

/** Puts an old order into the cart again; what is not sold today is named first (spec §4 Order status). */
export function ReorderCard({ order }: { order: Order }) {
  const { hubId } = useShopper();
  const { set } = useCartTools();
  const { data: cart } = useCart();
  const missing = allItems(order).flatMap((item) => {
    const why = whyNotAgain(item);
    return why ? [{ item, why }] : [];
  });
  const changes = cart ? reorderChanges(order, cart.items) : [];
  if (hubId !== order.hub.id)
    return (
      <div data-no-print="">
        <Banner tone="information">
          This order is from {order.hub.name}. Switch to that market to order it again.
        </Banner>
      </div>
    );
  const reorder = () => {
    for (const change of changes) set(change);
    const lines = `${changes.length} ${changes.length === 1 ? "item" : "items"} added to your cart`;
    toast({ text: missing.length > 0 ? `${lines}, ${missing.length} not available` : lines });
  };
  return (
    <section className={s.card} aria-label="Order it again" data-no-print="">
      <h2>Order it again</h2>
      {missing.length > 0 && (
        <ul className={s.missing} aria-label="Not available">
          {missing.map(({ item: { product, fromBundleId }, why }) => (
            <li key={`${product.variant.id}-${fromBundleId ?? ""}`}>
              <span>{nameOf(product.title, product.variant)}</span>
              <Chip tone="squash">{why}</Chip>
            </li>
          ))}
        </ul>
      )}
      {changes.length > 0 ? (
        <Button size="lg" icon="wagon" onClick={reorder}>
          {missing.length > 0 ? "Reorder the rest" : "Reorder all"}
        </Button>
      ) : (
        cart && <p>Nothing from this order is available today.</p>
      )}
    </section>
  );
}
