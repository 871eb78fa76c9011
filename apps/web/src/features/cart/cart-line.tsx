import type { CartItem } from "@marketday/contracts/cart";
import { subtractDollars, timesDollars } from "@marketday/domain/money";
import { Button } from "@marketday/ui/button.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { Picture } from "@marketday/ui/picture.tsx";
import { Money } from "@marketday/ui/price.tsx";
import { Stepper } from "@marketday/ui/stepper.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useLayoutEffect, useRef } from "react";

import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { nameOf } from "../products/format.ts";
import { VendorLink } from "../vendors/vendor-link.tsx";

import s from "./cart-line.module.css";

interface CartLineProps {
  item: CartItem;
  onChange: (quantity: number) => void;
}

/** Picture, title, vendor, stepper, line price. What is not sold here says so and counts nothing. */
export function CartLine({ item, onChange }: CartLineProps) {
  const { product, vendor, quantity, watching, isPublished, price, discount } = item;
  const { variant } = product;
  const { size } = variant;
  const name = nameOf(product.title, variant);
  const was = variant.salePrice !== null ? timesDollars(variant.price, quantity) : null;
  const full = timesDollars(price, quantity);
  const total = subtractDollars(full, discount?.amount ?? 0);
  return (
    <div className={s.line}>
      <div className={s.picture}>
        <Picture picture={product.images[0]} sizes="56px" alt="" />
      </div>
      <div className={s.words}>
        <OverlayLink to={paths.product(product.slug)} className={s.title}>
          {product.title}
        </OverlayLink>
        <span className={s.meta}>
          {size && `${size} · `}
          <VendorLink vendor={vendor} className={s.vendor} />
        </span>
        {discount && <span className={s.reason}>{discount.reason}</span>}
        {!isPublished && <span className={s.reason}>Not sold in this market</span>}
        {!watching && isPublished && (
          <span className={s.stepper}>
            <Stepper
              look="line"
              name={name}
              quantity={quantity}
              max={variant.inventory}
              onChange={onChange}
              onLimit={() => toast({ text: `Only ${variant.inventory} left` })}
            />
          </span>
        )}
      </div>
      {watching || !isPublished ? (
        <IconButton icon="bin" label={`Remove ${name}`} onClick={() => onChange(0)} />
      ) : (
        <span className={s.price}>
          <Money stacked amount={total} was={was ?? (discount ? full : null)} />
        </span>
      )}
    </div>
  );
}

/**
 * Where a line was, for five seconds: the way back. Takes the focus the removed line had, and hands it on when it goes:
 * to the line that is back, to a neighbor, to what names the cart.
 */
export function RemovedLine({ title, onUndo }: { title: string; onUndo: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = place.current;
    if (!box) return;
    if (document.activeElement === document.body) box.querySelector("button")?.focus({ preventScroll: true });
    const row = box.closest("li");
    const cart = box.closest("dialog, [data-fill]");
    return () => {
      if (!box.contains(document.activeElement)) return;
      const rows = [row, row?.nextElementSibling, row?.previousElementSibling];
      queueMicrotask(() => {
        const next = [...rows, cart].find((element) => element?.isConnected);
        next
          ?.querySelector<HTMLElement>("a[href], button, [data-dialog-title], [aria-selected=true]")
          ?.focus({ preventScroll: true });
      });
    };
  }, []);
  return (
    <div className={s.removed} ref={place}>
      <span>{title} removed</span>
      <Button kind="link" onClick={onUndo}>
        Undo
      </Button>
    </div>
  );
}
