import { useBanners } from "./api.ts";
import { BannerList } from "./banner-list.tsx";

import s from "./market-banners.module.css";

/**
 * What the market has to say: all of it above the feed, or where the first row of tiles would leave the first view, only the
 * warnings, and the rest after that row.
 */
export function MarketBanners({ only }: { only?: "warnings" | "news" }) {
  const { data } = useBanners();
  if (!data || data.length === 0) return null;
  return (
    <section className={s.banners} aria-label={only === "warnings" ? "Warnings" : "From the market"}>
      <BannerList banners={data} only={only} />
    </section>
  );
}
