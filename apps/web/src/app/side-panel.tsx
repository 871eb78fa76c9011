import { AsyncBoundary } from "@marketday/client/async-boundary.tsx";
import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { Tabs } from "@marketday/ui/tabs.tsx";
import { type ReactNode, useState } from "react";

import { CartPanel } from "../features/cart/cart-panel.tsx";
import { useCartCount } from "../features/cart/use-cart.ts";
import { QuickShopTab } from "../features/favorites/quick-shop-tab.tsx";
import { messages } from "../lib/messages.ts";

import s from "./side-panel.module.css";

const GiftCardsTab = lazyWithRetry(() => import("../features/gift-cards/gift-cards-tab.tsx"));
const MoreMenu = lazyWithRetry(() => import("../features/more/more-menu.tsx"));

type PanelTab = "cart" | "gift-cards" | "favorites" | "more";

/** The tabs of the panel, in the spec's order (§2.3); a new one is a line here. */
const panelTabs: { id: PanelTab; heading: string; label: (count: number) => ReactNode; panel: ReactNode }[] = [
  {
    id: "cart",
    heading: "Your cart",
    label: (count) => (count > 0 ? `Cart · ${count}` : "Cart"),
    panel: <CartPanel />,
  },
  { id: "gift-cards", heading: "Gift cards", label: () => "Gift Cards", panel: <GiftCardsTab /> },
  { id: "favorites", heading: "Quick Shop", label: () => "Quick Shop", panel: <QuickShopTab /> },
  { id: "more", heading: "More", label: () => "More", panel: <MoreMenu /> },
];

/** Until the code of a panel is here. */
const waitingFor = (heading: string) => (
  <Skeleton label={heading}>
    <SkeletonPart kind="row" />
    <SkeletonPart kind="row" />
  </Skeleton>
);

/** Beside the page on a desktop: never modal. */
export default function SidePanel() {
  const [tab, setTab] = useState<PanelTab>("cart");
  const count = useCartCount();
  return (
    <aside id="side-panel" className={s.side} aria-label="Shopping panel">
      <Tabs
        fill
        label="Shopping panel"
        current={tab}
        onChange={setTab}
        tabs={panelTabs.map(({ id, label, heading, panel }) => ({
          id,
          label: label(count),
          panel: (
            <>
              <h2 className="sr">{heading}</h2>
              <AsyncBoundary waiting={waitingFor(heading)} failed={messages.network}>
                {panel}
              </AsyncBoundary>
            </>
          ),
        }))}
      />
    </aside>
  );
}
