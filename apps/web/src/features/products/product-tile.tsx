import type { Product } from "@marketday/contracts/products";
import { pictureSizes } from "@marketday/domain/picture";
import { showStars } from "@marketday/domain/review";
import { cx } from "@marketday/ui/cx.ts";
import { Picture } from "@marketday/ui/picture.tsx";
import { Price } from "@marketday/ui/price.tsx";
import { Ribbon } from "@marketday/ui/ribbon.tsx";
import { SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { Stars } from "@marketday/ui/stars.tsx";
import { memo } from "react";

import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { useCartQuantity } from "../cart/use-cart.ts";
import { HeartButton } from "../favorites/heart-button.tsx";
import { KansasBadge } from "../info/kansas-badge.tsx";
import { VendorLink } from "../vendors/vendor-link.tsx";
import { AddControl } from "./add-control.tsx";
import { isSoldOut, ribbonOf, unitLine } from "./format.ts";

import s from "./product-tile.module.css";

interface ProductTileProps {
  product: Product;
  /** The tile's picture is in the first view. */
  priority?: "first" | "eager";
  heading?: "h3" | "h4";
}

/**
 * Compact card: picture with its control, title, vendor, price sign, unit line. The whole tile is one link, the
 * control lies above it. In the cart it is outlined, everywhere.
 */
export const ProductTile = memo(function ProductTile({ product, priority, heading: Heading = "h3" }: ProductTileProps) {
  const [variant] = product.variants;
  const { quantity, watching } = useCartQuantity(variant?.id);
  const ribbon = ribbonOf(product);
  const out = product.variants.length > 0 && product.variants.every(isSoldOut);
  return (
    <article className={cx(s.tile, quantity > 0 && !watching && s.inCart, out && s.out)}>
      <div className={s.words}>
        <Heading className={s.title}>
          <OverlayLink to={paths.product(product.slug)} className={s.link}>
            {product.title}
          </OverlayLink>
        </Heading>
        <p className={s.vendor}>
          <VendorLink vendor={product.vendor} className={s.vendorLink} />
        </p>
        <div className={s.foot}>
          {variant && <Price price={variant.price} salePrice={variant.salePrice} />}
          {showStars(product.ratingCount, product.avgRating) && (
            <span className={s.rating}>
              <Stars rating={product.avgRating} count={product.ratingCount} />
            </span>
          )}
          <span className={s.unit}>{unitLine(product)}</span>
        </div>
      </div>
      <div className={s.picture}>
        <Picture picture={product.images[0]} sizes={pictureSizes.tile} alt="" {...(priority ? { priority } : {})} />
        {ribbon && (
          <span className={s.ribbon}>
            <Ribbon tone={ribbon.tone}>{ribbon.text}</Ribbon>
          </span>
        )}
        <span className={s.badge}>
          <KansasBadge state={product.vendor.state} />
        </span>
      </div>
      <div className={s.control}>
        <AddControl product={product} quantity={quantity} watching={watching} />
      </div>
      <div className={s.heart}>
        <HeartButton product={product} floating />
      </div>
    </article>
  );
});

/** The boxes of a tile that is on its way. */
export const TileBones = () => (
  <div className={s.tile}>
    <div className={s.picture}>
      <SkeletonPart kind="square" />
    </div>
    <div className={s.words}>
      <SkeletonPart kind="line" />
      <SkeletonPart kind="line" width="half" />
      <div className={s.foot}>
        <SkeletonPart kind="title" width="third" />
        <SkeletonPart kind="line" width="half" />
      </div>
    </div>
  </div>
);
