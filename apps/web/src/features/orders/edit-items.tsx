import { useMarketNow } from "@marketday/client/clock.ts";
import type { Order } from "@marketday/contracts/orders";
import { timesDollars } from "@marketday/domain/money";
import { EDIT_MESSAGES } from "@marketday/domain/order-edit";
import { announce } from "@marketday/ui/live-region.tsx";
import { Picture } from "@marketday/ui/picture.tsx";
import { Money } from "@marketday/ui/price.tsx";
import { Stepper } from "@marketday/ui/stepper.tsx";
import { useState } from "react";

import { screenMessages } from "../../lib/screen-messages.ts";
import { nameOf } from "../products/format.ts";
import { type EditLine, lineKeys } from "./edit.ts";
import { formatAdded } from "./format.ts";
import { allItems } from "./reorder.ts";

import s from "./edit-items.module.css";

interface EditItemsProps {
  order: Order;
  lines: EditLine[];
  onChange: (place: number, quantity: number) => void;
}

/** Every line of the box with steppers that only go down; at the top the plus says what to do instead (spec §4 Order status). */
export function EditItems({ order, lines, onChange }: EditItemsProps) {
  const [refused, setRefused] = useState<number | null>(null);
  const now = useMarketNow();
  const items = allItems(order);
  const keys = lineKeys(items);
  const refuse = (place: number, words: string) => {
    setRefused(place);
    announce(words);
  };
  return (
    <ul className={s.lines} aria-label="Items">
      {items.map((item, place) => {
        const { product, vendor, quantity: bought, isPublished } = item;
        const added = formatAdded(order, item.orderId, now);
        const { variant } = product;
        const quantity = lines[place]?.quantity ?? bought;
        const name = nameOf(product.title, variant);
        const why = isPublished ? EDIT_MESSAGES.raised : screenMessages.unpublishedItem;
        return (
          <li key={keys[place]} className={s.line} data-gone={quantity === 0 ? "" : undefined}>
            <span className={s.picture}>
              <Picture picture={product.images[0]} sizes="48px" alt="" />
            </span>
            <span className={s.words}>
              <span className={s.title}>{product.title}</span>
              <small className={s.meta}>{[variant.size, vendor.name].filter(Boolean).join(" · ")}</small>
              {added && <small className={s.meta}>{added}</small>}
              {quantity === 0 && <small className={s.note}>Removed</small>}
              {refused === place && quantity === bought && <small className={s.note}>{why}</small>}
            </span>
            <Stepper
              look="line"
              name={name}
              quantity={quantity}
              max={bought}
              onChange={(next) => {
                setRefused(null);
                onChange(place, next);
              }}
              onLimit={() => refuse(place, why)}
            />
            <Money amount={timesDollars(variant.salePrice ?? variant.price, quantity)} />
          </li>
        );
      })}
    </ul>
  );
}
