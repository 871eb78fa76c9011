import type { Vendor } from "@marketday/contracts/vendors";
import { vendorColor } from "@marketday/domain/picture";
import { Avatar } from "@marketday/ui/avatar.tsx";
import { StallStripe } from "@marketday/ui/awning.tsx";
import { cx } from "@marketday/ui/cx.ts";
import { SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { memo } from "react";

import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { FollowHeart } from "./follow-button.tsx";
import { counted } from "./numbers.ts";
import { useFollowed } from "./use-follow.ts";

import s from "./vendor-row.module.css";
import card from "@marketday/ui/link-card.module.css";

/** A stall in a list: its stripe, face, name, place, what it has; the heart at the right end. */
export const VendorRow = memo(function VendorRow({
  vendor,
  heading: Heading,
}: {
  vendor: Vendor;
  heading: "h2" | "h3";
}) {
  const { id, slug, name, city, state, avatar, products } = vendor;
  const { followers } = useFollowed(vendor);
  return (
    <article className={cx(card["card"], s.row)} data-stall={vendorColor(id)}>
      <div className={s.stripe}>
        <StallStripe />
      </div>
      <Avatar id={id} name={name} picture={avatar} />
      <div className={s.words}>
        <Heading className={s.name}>
          <OverlayLink to={paths.vendor(slug)} className={card["link"]}>
            {name}
          </OverlayLink>
        </Heading>
        <p className={s.meta}>{[city, state].filter(Boolean).join(", ")}</p>
        <p className={s.meta}>
          {[counted(products, "product"), followers > 0 && counted(followers, "follower")].filter(Boolean).join(" · ")}
        </p>
      </div>
      <span className={s.heart}>
        <FollowHeart vendor={vendor} />
      </span>
    </article>
  );
});

export const VendorRowBones = () => (
  <div className={cx(card["card"], s.row)}>
    <span className={s.face} />
    <div className={s.words}>
      <SkeletonPart kind="line" width="half" />
      <SkeletonPart kind="line" width="third" />
      <SkeletonPart kind="line" width="half" />
    </div>
  </div>
);
