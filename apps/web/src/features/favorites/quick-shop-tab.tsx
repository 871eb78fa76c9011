import { later } from "../../lib/later.tsx";
import { Piece } from "../../lib/piece.tsx";

import s from "./quick-shop-tab.module.css";

const QuickShop = later(() => import("./quick-shop.tsx"));

/** Quick Shop in the side panel. */
export const QuickShopTab = () => (
  <div className={s.scroll}>
    <Piece failed="Quick Shop didn't load.">
      <QuickShop page={1} />
    </Piece>
  </div>
);
