import { cx } from "@marketday/ui/cx.ts";
import { Icon, type IconName } from "@marketday/ui/icon/icon.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";
import { useEffect, useState } from "react";
import { useLocation } from "react-router";

import { useCartCount } from "../features/cart/use-cart.ts";
import type { Modal } from "../navigation/modals.ts";
import { OverlayLink, useNavigation, usePendingPage } from "../navigation/overlays.ts";
import { paths } from "../navigation/paths.ts";

import s from "./tab-bar.module.css";

interface Entry {
  id: string;
  label: string;
  icon: IconName;
  to?: string;
  modal?: Modal;
}

/** The tab bar in the spec's order (§2.3); a new entry is a line here. */
const entries: Entry[] = [
  { id: "shop", label: "Shop", icon: "stall", to: paths.shop },
  { id: "favorites", label: "Quick Shop", icon: "bookmark", to: paths.favorites },
  { id: "cart", label: "Cart", icon: "wagon", modal: { kind: "cart" } },
  { id: "gift-cards", label: "Gift Cards", icon: "gift", to: paths.giftCard },
  { id: "more", label: "More", icon: "more", to: paths.more },
];

/** At the bottom of a phone. The cart is a modal: a layer over the page, not a page. */
export function TabBar() {
  const shown = useLocation();
  // The tab that was pressed is the current one at once, however long its page takes.
  const { pathname } = usePendingPage() ?? shown;
  const { isOverlay, openModal } = useNavigation();
  const count = useCartCount();
  return (
    <nav className={s.bar} aria-label="Main">
      {entries.map(({ id, label, icon, to, modal }) => {
        const face = (
          <>
            <Icon name={icon} />
            {label}
            {id === "cart" && count > 0 && <Badge count={count} />}
          </>
        );
        if (modal)
          return (
            <button
              key={id}
              type="button"
              id={`tab-${id}`}
              className={s.entry}
              onClick={() => openModal(modal, `tab-${id}`)}
            >
              {face}
            </button>
          );
        const address = to ?? paths.shop;
        if (isOverlay(address))
          return (
            <OverlayLink key={id} id={`tab-${id}`} to={address} className={s.entry}>
              {face}
            </OverlayLink>
          );
        return (
          <Link
            key={id}
            id={`tab-${id}`}
            to={address}
            className={s.entry}
            aria-current={pathname === address ? "page" : undefined}
            // Of no use to search engines, and closed to them.
            rel={id === "more" ? "nofollow" : undefined}
          >
            {face}
          </Link>
        );
      })}
    </nav>
  );
}

/** The number of things in the cart; it bumps when it changes, not when it appears. */
function Badge({ count }: { count: number }) {
  const [first] = useState(count);
  const [bump, setBump] = useState(false);
  useEffect(() => {
    if (count !== first) setBump(true);
  }, [count, first]);
  return (
    <span key={count} className={cx(s.badge, bump && s.bump)}>
      <VisuallyHidden>: </VisuallyHidden>
      {count}
      <VisuallyHidden>{count === 1 ? " item" : " items"}</VisuallyHidden>
    </span>
  );
}
