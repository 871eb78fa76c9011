import type { Banner as BannerData } from "@marketday/contracts/cart";
import { shownBanners } from "@marketday/domain/cart";
import { Banner } from "@marketday/ui/banner.tsx";

import { OverlayLink, useNavigation } from "../../navigation/overlays.ts";
import { dismiss, useDismissed } from "./dismissed.ts";

import s from "./banner-list.module.css";

interface BannerListProps {
  banners: BannerData[];
  /** Only some of those that show: the warnings, in few lines, or what is none. */
  only?: "warnings" | "news" | undefined;
}

/** At most three when there are more (spec §2.4 Cart). What is no warning can be put away and stays away. */
export function BannerList({ banners, only }: BannerListProps) {
  const { hasPage, isOverlay } = useNavigation();
  const dismissed = useDismissed();
  const open = banners.filter(({ id, type }) => type === "warning" || !dismissed.includes(id));
  const shown = shownBanners(open).filter(({ type }) => !only || (type === "warning") === (only === "warnings"));
  return shown.map(({ id, type, title, body, action }) => (
    <Banner
      key={id}
      tone={type}
      title={title}
      compact={only === "warnings"}
      {...(type === "warning" ? {} : { onDismiss: () => dismiss(id) })}
    >
      {body}{" "}
      {action && (hasPage(action) || isOverlay(action)) && (
        <OverlayLink to={action} className={s.link}>
          Find out more
        </OverlayLink>
      )}
    </Banner>
  ));
}
