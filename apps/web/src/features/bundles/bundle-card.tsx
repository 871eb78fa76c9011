import type { Bundle } from "@marketday/contracts/bundles";
import { Chip } from "@marketday/ui/chip.tsx";
import { cx } from "@marketday/ui/cx.ts";
import { formatMoney } from "@marketday/ui/money.ts";
import { Picture } from "@marketday/ui/picture.tsx";
import { Price } from "@marketday/ui/price.tsx";
import { SkeletonPart } from "@marketday/ui/skeleton.tsx";

import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { BundlePicture } from "./bundle-picture.tsx";

import s from "./bundle-card.module.css";
import card from "@marketday/ui/link-card.module.css";

/** How many of the contents the strip has room for. */
const SHOWN = 5;

/** A wide card: the picture, what is in it as a strip, the total and what it saves. The whole card is one link. */
export function BundleCard({ bundle, first }: { bundle: Bundle; first: boolean }) {
  const { slug, title, products, total, saving, subscriptionStatus } = bundle;
  const count = products.reduce((sum, { quantity }) => sum + quantity, 0);
  const more = products.length - SHOWN;
  return (
    <article className={cx(card["card"], s.card)}>
      <div className={s.picture}>
        <BundlePicture bundle={bundle} sizes="(min-width: 600px) 240px, 100vw" first={first} />
      </div>
      <div className={s.words}>
        <h2 className={s.title}>
          <OverlayLink to={paths.bundle(slug)} className={card["link"]}>
            {title}
          </OverlayLink>
        </h2>
        <p className={s.meta}>
          {count} {count === 1 ? "thing" : "things"} from {from(bundle)}
        </p>
        <ul className={s.strip} aria-label={`In ${title}`}>
          {products.slice(0, SHOWN).map(({ id, title: name, images, quantity, available }) => (
            <li key={id} className={cx(s.item, !available && s.out)}>
              <Picture picture={images[0]} sizes="56px" alt="" />
              <span className="sr">
                {quantity} of {name}
                {!available && ", sold out this week"}
              </span>
              {quantity > 1 && (
                <span className={s.count} aria-hidden="true">
                  {quantity}
                </span>
              )}
            </li>
          ))}
          {more > 0 && <li className={s.more}>+{more}</li>}
        </ul>
        <p className={s.foot}>
          <Price price={total} />
          {saving > 0 && <Chip tone="squash">{`Save ${formatMoney(saving)}`}</Chip>}
          {subscriptionStatus === "subscribed" && <Chip>Subscribed</Chip>}
        </p>
      </div>
    </article>
  );
}

/** "Rooted Acre Farm", "two stalls": whose hands packed it. */
function from({ products }: Bundle): string {
  const names = new Set(products.map(({ vendor }) => vendor.name));
  const [only] = names;
  return names.size === 1 && only ? only : `${names.size} stalls`;
}

export const BundleCardBones = () => (
  <div className={cx(card["card"], s.card)}>
    <div className={s.picture}>
      <SkeletonPart kind="square" />
    </div>
    <div className={s.words}>
      <SkeletonPart kind="title" width="half" />
      <SkeletonPart kind="line" width="third" />
      <SkeletonPart kind="row" />
      <SkeletonPart kind="title" width="third" />
    </div>
  </div>
);
