import type { FeedCard as Card } from "@marketday/contracts/feed";
import { vendorColor } from "@marketday/domain/picture";
import { Avatar } from "@marketday/ui/avatar.tsx";
import { StallStripe } from "@marketday/ui/awning.tsx";
import { cx } from "@marketday/ui/cx.ts";
import { Picture } from "@marketday/ui/picture.tsx";
import { Ribbon } from "@marketday/ui/ribbon.tsx";
import type { ReactNode } from "react";
import { ErrorBoundary } from "react-error-boundary";

import { ProductListItem } from "../products/product-list-item.tsx";
import { VendorLink } from "../vendors/vendor-link.tsx";
import { ago } from "./ago.ts";
import { ribbonText, staffRibbon, verbLine } from "./arrange.ts";

import s from "./feed-card.module.css";

const WIDE_SIZES = "(min-width: 1440px) 360px, (min-width: 1024px) 420px, (min-width: 600px) 46vw, 92vw";

interface FeedCardProps {
  card: Card;
  now: Date;
  /** The level of its title. */
  heading?: "h3" | "h4";
}

/** One card of the feed, any of the nine types; a vendor's post has the border of the stall. */
export function FeedCard({ card, now, heading: Heading = "h3" }: FeedCardProps) {
  const { type, title, subtitle, avatar, avatarLabel, text, textImage, product, vendor, created } = card;
  const isPost = type === "vendor-post";
  const name = vendor?.name ?? title;
  const place = vendor ? [vendor.city, vendor.state].filter(Boolean).join(", ") : subtitle;
  const tone = staffRibbon[type];
  const verb = isPost ? ago(created, now) : tone ? null : verbLine[type];
  const meta = [place, verb].filter(Boolean).join(" · ");
  const headline = vendor && title !== vendor.name ? title : null;
  return (
    <article className={cx(s.card, isPost && s.post)} data-stall={vendor ? vendorColor(vendor.id) : undefined}>
      {vendor && <StallStripe />}
      <header className={s.head}>
        {vendor && <Avatar id={vendor.id} name={vendor.name} picture={avatar ?? vendor.avatar} />}
        {!vendor && avatar && (
          <span className={s.face}>
            <Picture picture={avatar} sizes="48px" alt={avatarLabel} />
          </span>
        )}
        <div>
          <Heading className={s.name}>
            {vendor ? (
              <VendorLink vendor={vendor} className={s.vendor}>
                {name}
              </VendorLink>
            ) : (
              name
            )}
          </Heading>
          <small className={s.meta}>{meta}</small>
        </div>
      </header>
      {tone && (
        <p className={s.ribbon}>
          <Ribbon tone={tone}>{ribbonText(card)}</Ribbon>
        </p>
      )}
      {headline && <p className={s.headline}>{headline}</p>}
      {text && <p className={s.text}>{text}</p>}
      {textImage && <Picture picture={textImage} sizes={WIDE_SIZES} ratio="wide" />}
      {product && (
        <div className={s.product}>
          <ProductListItem product={product} />
        </div>
      )}
    </article>
  );
}

/** Drops a card that breaks, never the feed. */
export const CardGuard = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary fallback={null}>{children}</ErrorBoundary>
);
