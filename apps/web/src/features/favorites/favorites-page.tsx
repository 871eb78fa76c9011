import { pageAddress, usePageNumber } from "@marketday/client/page-number.ts";

import { useTitle } from "../../lib/use-title.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import QuickShop from "./quick-shop.tsx";

import s from "./favorites-page.module.css";

/** /favorites: Quick Shop, 40 a page (spec §2.1, §9). */
export default function FavoritesPage() {
  useTitle("Quick Shop");
  const { navigate } = useNavigation();
  return (
    <div className={s.page}>
      <h1>Quick Shop</h1>
      <QuickShop page={usePageNumber()} onPage={(page) => void navigate(pageAddress(paths.favorites, page))} />
    </div>
  );
}
