import type { Product } from "@marketday/contracts/products";
import { cx } from "@marketday/ui/cx.ts";
import { Picture } from "@marketday/ui/picture.tsx";
import { Price } from "@marketday/ui/price.tsx";
import { memo } from "react";

import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { useCartQuantity } from "../cart/use-cart.ts";
import { HeartButton } from "../favorites/heart-button.tsx";
import { VendorLink } from "../vendors/vendor-link.tsx";
import { AddControl } from "./add-control.tsx";
import { unitLine } from "./format.ts";

import s from "./product-list-item.module.css";

interface ProductListItemProps {
  product: Product;
  /** A separate line below the price: "You ordered this twice". */
  note?: string | null;
}

/** A product in a list: 72 px picture, title, vendor, price, and its controls at the right end. */
export const ProductListItem = memo(function ProductListItem({ product, note }: ProductListItemProps) {
  const [variant] = product.variants;
  const { quantity, watching } = useCartQuantity(variant?.id);
  return (
    <div className={cx(s.item, quantity > 0 && !watching && s.inCart)}>
      <div className={s.picture}>
        <Picture picture={product.images[0]} sizes="72px" alt="" />
      </div>
      <div className={s.words}>
        <OverlayLink to={paths.product(product.slug)} className={s.title}>
          {product.title}
        </OverlayLink>
        <span className={s.meta}>
          <VendorLink vendor={product.vendor} className={s.vendor} />
        </span>
        <span className={s.price}>
          {variant && <Price price={variant.price} salePrice={variant.salePrice} size="row" />}
          <span className={s.meta}>{variant ? unitLine(product) : "Not in your market this week"}</span>
        </span>
        {note && <span className={s.meta}>{note}</span>}
      </div>
      <div className={s.controls}>
        <AddControl product={product} quantity={quantity} watching={watching} />
        <HeartButton product={product} />
      </div>
    </div>
  );
});
