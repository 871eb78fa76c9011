import { addDollars, timesDollars } from "@marketday/domain/money";
import { Picture, type PictureData } from "@marketday/ui/picture.tsx";
import { Money } from "@marketday/ui/price.tsx";

import s from "./item-lines.module.css";

/** What a cart's and an order's line have in common. */
export interface ReceiptItem {
  quantity: number;
  fromBundleId: number | null;
  product: {
    title: string;
    images: PictureData[];
    variant: { id: number; size: string; price: number; salePrice: number | null };
  };
  vendor: { name: string };
}

/** Lines as on a till receipt: picture, how many of what, from whom, and what they come to. */
export const ItemLines = ({ items, label }: { items: readonly ReceiptItem[]; label: string }) => (
  <ul className={s.lines} aria-label={label}>
    {items.map(({ quantity, fromBundleId, product, vendor }) => {
      const { id, size, price, salePrice } = product.variant;
      return (
        <li key={`${id}-${fromBundleId ?? ""}`} className={s.line}>
          <span className={s.picture}>
            <Picture picture={product.images[0]} sizes="48px" alt="" />
          </span>
          <span className={s.words}>
            <span className={s.title}>
              {quantity > 1 && `${quantity} × `}
              {product.title}
            </span>
            <small className={s.meta}>{[size, vendor.name].filter(Boolean).join(" · ")}</small>
          </span>
          <Money amount={timesDollars(salePrice ?? price, quantity)} />
        </li>
      );
    })}
  </ul>
);

/** What lines come to before any discount, dollars. */
export const itemsTotal = (items: readonly ReceiptItem[]): number =>
  addDollars(
    ...items.map(({ quantity, product: { variant } }) => timesDollars(variant.salePrice ?? variant.price, quantity)),
  );
