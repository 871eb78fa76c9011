import { AsyncBoundary } from "@marketday/client/async-boundary.tsx";
import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";

import s from "./quick-shop-tab.module.css";

const QuickShop = lazyWithRetry(() => import("./quick-shop.tsx"));

/** Quick Shop in the side panel. */
export const QuickShopTab = () => (
  <div className={s.scroll}>
    <AsyncBoundary failed="Quick Shop didn’t load.">
      <QuickShop page={1} />
    </AsyncBoundary>
  </div>
);
