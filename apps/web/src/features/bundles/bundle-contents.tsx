import type { Bundle } from "@marketday/contracts/bundles";
import { Chip } from "@marketday/ui/chip.tsx";
import { cx } from "@marketday/ui/cx.ts";
import { Picture } from "@marketday/ui/picture.tsx";

import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { VendorLink } from "../vendors/vendor-link.tsx";
import { variantOf } from "./contents.ts";

import s from "./bundle-contents.module.css";

/** What is in it: how many of what, from whom, made of what; what cannot be had this week is marked. */
export const BundleContents = ({ bundle }: { bundle: Bundle }) => (
  <ul className={s.contents} aria-label="In this bundle">
    {bundle.products.map((product) => {
      const { id, slug, title, images, vendor, quantity, ingredients, available, variantId } = product;
      const variant = variantOf(product);
      return (
        <li key={`${id}-${variantId}`} className={cx(s.line, !available && s.out)}>
          <div className={s.picture}>
            <Picture picture={images[0]} sizes="64px" alt="" />
          </div>
          <div className={s.words}>
            <p className={s.title}>
              <span className={s.count}>
                {quantity}
                <span aria-hidden="true"> × </span>
                <span className="sr"> of </span>
              </span>
              <OverlayLink to={paths.product(slug)} className={s.link}>
                {title}
              </OverlayLink>
            </p>
            <p className={s.meta}>
              {variant?.size && `${variant.size} · `}
              <VendorLink vendor={vendor} className={s.vendor} />
            </p>
            {ingredients && (
              <p className={s.ingredients}>
                <b>Ingredients:</b> {ingredients}
              </p>
            )}
            {!available && <Chip tone="tomato">Sold out this week</Chip>}
          </div>
        </li>
      );
    })}
  </ul>
);
