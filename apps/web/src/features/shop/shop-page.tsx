import { useMarketNow } from "@marketday/client/clock.ts";
import { isComingBack } from "@marketday/client/overlays/page-scroll.tsx";
import { skipOffscreenRendering } from "@marketday/client/skip-offscreen-rendering.ts";
import { StaleNotice } from "@marketday/client/stale-notice.tsx";
import { useMedia } from "@marketday/client/use-media.ts";
import { weekOf } from "@marketday/domain/hub-week";
import { Button } from "@marketday/ui/button.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { useDeferredValue, useMemo } from "react";

import { useTitle } from "../../lib/use-title.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { MarketBanners } from "../banners/market-banners.tsx";
import { useFreshCart } from "../cart/use-cart.ts";
import { useHub } from "../hubs/api.ts";
import { GridBones, ProductGrid } from "../products/product-grid.tsx";
import { useShopper } from "../session/api.ts";
import { useFeed } from "./api.ts";
import { arrangeFeed } from "./arrange.ts";
import { CardGuard, FeedCard } from "./feed-card.tsx";
import { WeekCard } from "./week-card.tsx";

import s from "./shop-page.module.css";

/** The shop is the feed itself: the week, what was picked for it, rails, and the stalls' own words. */
export function ShopPage() {
  const { hubId, isPending, isError, refetch } = useShopper();
  const { openModal } = useNavigation();
  const hub = useHub();
  const now = useMarketNow();
  const weekday = hub && weekOf(hub, now)?.weekday;
  useTitle(weekday ? `${weekday} market` : "Shop");

  if (isError || (hubId === null && !isPending))
    return (
      <>
        <h1 className="sr">Shop</h1>
        {isError ? (
          <ErrorState message="We couldn't reach the market." onRetry={() => void refetch()} />
        ) : (
          <EmptyState
            icon="pin"
            title="Which market delivers to you?"
            action={
              <Button id="shop-welcome" onClick={() => openModal({ kind: "welcome" }, "shop-welcome")}>
                Enter your zip code
              </Button>
            }
          >
            Every market has its own stalls and its own day.
          </EmptyState>
        )}
      </>
    );
  return (
    <>
      <WeekCard hub={hub} now={now} />
      <Feed now={now} />
    </>
  );
}

/** Where the grid has two columns (product-grid.module.css, with the gutters). */
const TWO_COLUMNS = "(max-width: 451.98px)";

/** Tiles of the first pass: more than a first view has. */
const FIRST_TILES = 12;

/**
 * False while the app takes over the server's view, which is as short, and true in a second rendering right after it: what
 * is in the first view responds before what is below it is rendered. A page that comes back to a place below is whole at once.
 */
const useSecondPass = (): boolean => useDeferredValue(true, isComingBack() || !document.querySelector(".static-view"));

function Feed({ now }: { now: Date }) {
  const query = useFeed();
  useFreshCart();
  const isWhole = useSecondPass();
  // On a phone all of the banners would push the prices of the first row out of the first view.
  const isNarrow = useMedia(TWO_COLUMNS);
  const { data: feed, error, refetch } = query;
  const all = useMemo(() => arrangeFeed(feed ?? []), [feed]);
  const { picks, rails, cards } = isWhole ? all : { picks: all.picks.slice(0, FIRST_TILES), rails: [], cards: [] };
  const isBetween = isNarrow && (feed ? picks.length > 2 : !error);
  const banners = isBetween ? <MarketBanners only="warnings" /> : <MarketBanners />;

  if (!feed)
    return (
      <>
        {banners}
        {error ? (
          <ErrorState message={error.message} onRetry={() => void refetch()}>
            Everything in your cart is saved.
          </ErrorState>
        ) : (
          <GridBones count={8} label="the market" />
        )}
      </>
    );
  if (feed.length === 0)
    return (
      <>
        {banners}
        <EmptyState icon="stall" title="The stalls are being set up">
          New items arrive through the week.
        </EmptyState>
      </>
    );
  return (
    <>
      {banners}
      <StaleNotice query={query} />
      {picks.length > 0 && (
        <section aria-labelledby="picked">
          <div className={s.head}>
            <h2 id="picked">Picked for this week</h2>
          </div>
          <ProductGrid products={picks} first between={isBetween && <MarketBanners only="news" />} />
        </section>
      )}
      {!isWhole && <div className={s.rest} />}
      {rails.map(({ id, title, products }) => (
        <section key={id} aria-labelledby={`rail-${id}`}>
          <div className={s.head}>
            <h2 id={`rail-${id}`}>{title}</h2>
          </div>
          <ProductGrid products={products} rail />
        </section>
      ))}
      {cards.length > 0 && (
        <section aria-labelledby="stalls">
          <div className={s.head}>
            <h2 id="stalls">From the stalls</h2>
          </div>
          <div ref={skipOffscreenRendering} className={s.cards}>
            {cards.map((card) => (
              <CardGuard key={card.id}>
                <FeedCard card={card} now={now} />
              </CardGuard>
            ))}
          </div>
        </section>
      )}
    </>
  );
}
