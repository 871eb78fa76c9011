import { useBanners } from "./api.ts";
import { BannerList } from "./banner-list.tsx";

import s from "./market-banners.module.css";

/** What the market has to say, above the feed. */
export function MarketBanners() {
  const { data } = useBanners();
  if (!data || data.length === 0) return null;
  return (
    <section className={s.banners} aria-label="From the market">
      <BannerList banners={data} />
    </section>
  );
}
