import { useLocation, useNavigate } from "react-router";

import { pageOf } from "../../lib/page-of.ts";
import { useTitle } from "../../lib/use-title.tsx";
import { paths } from "../../navigation/paths.ts";
import QuickShop from "./quick-shop.tsx";

import s from "./favorites-page.module.css";

/** /favorites: Quick Shop, 40 a page (spec §2.1, §9). */
export default function FavoritesPage() {
  useTitle("Quick Shop");
  const navigate = useNavigate();
  const page = pageOf(new URLSearchParams(useLocation().search));
  return (
    <div className={s.page}>
      <h1>Quick Shop</h1>
      <QuickShop
        page={page}
        onPage={(number) => void navigate(number === 1 ? paths.favorites : `${paths.favorites}?page=${number}`)}
      />
    </div>
  );
}
