import type { Vendor } from "@marketday/contracts/vendors";
import { pictureSizes, vendorColor } from "@marketday/domain/picture";
import { Avatar } from "@marketday/ui/avatar.tsx";
import { StallStripe } from "@marketday/ui/awning.tsx";
import { DialogTitle } from "@marketday/ui/dialog.tsx";
import { Picture } from "@marketday/ui/picture.tsx";
import { SkeletonPart } from "@marketday/ui/skeleton.tsx";

import { KansasBadge } from "../info/kansas-badge.tsx";
import { Description } from "./description.tsx";

import s from "./vendor-head.module.css";

/** The head of a stall's screens: hero in the stall's colour, the face over its edge, name, place, what it says. */
export function VendorHead({ vendor, title = vendor.name }: { vendor: Vendor; title?: string }) {
  return (
    <div className={s.head} data-stall={vendorColor(vendor.id)}>
      <div className={s.hero}>
        {vendor.heroImage && (
          <Picture picture={vendor.heroImage} sizes={pictureSizes.hero} ratio="band" priority="first" alt="" />
        )}
      </div>
      <StallStripe />
      <div className={s.face}>
        <Avatar id={vendor.id} name={vendor.name} picture={vendor.avatar} size="lg" />
      </div>
      <div className={s.words}>
        <DialogTitle>{title}</DialogTitle>
        <p className={s.place}>
          <KansasBadge state={vendor.state} />
          {[vendor.city, vendor.state].filter(Boolean).join(", ")}
        </p>
      </div>
      <Description key={vendor.id} html={vendor.description} />
    </div>
  );
}

/** Its boxes while it is on its way. */
export const VendorHeadBones = () => (
  <div className={s.head}>
    <div className={s.hero} />
    <SkeletonPart kind="title" width="half" />
    <SkeletonPart kind="line" width="third" />
    <SkeletonPart kind="line" />
    <SkeletonPart kind="line" width="half" />
  </div>
);
