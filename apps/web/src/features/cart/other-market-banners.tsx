import type { Cart } from "@marketday/contracts/cart";

import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { BannerList } from "../banners/banner-list.tsx";
import { useSwitchHub } from "../hubs/switch-hub.ts";
import { useShopper } from "../session/api.ts";
import OtherMarketNotice from "./other-market.tsx";

interface OtherMarketBannersProps {
  cart: Cart;
  market: NonNullable<Cart["otherMarket"]>;
  banners: Cart["banners"];
}

/** The banners of a cart of another market: that one first, with the way to either market. */
export default function OtherMarketBanners({ cart, market, banners }: OtherMarketBannersProps) {
  const { hubId } = useShopper();
  const switchHub = useSwitchHub();
  const { navigate } = useNavigation();
  const hasOwn = cart.items.some(({ watching, isPublished }) => isPublished && !watching);
  const stay = async () => {
    if (hubId !== null) await switchHub(hubId);
    if (!hasOwn) void navigate(paths.shop);
  };
  return (
    <>
      <OtherMarketNotice
        market={market}
        verb="Go on"
        onGo={() => switchHub(market.id)}
        onStay={market.isUndecided || !hasOwn ? stay : undefined}
      />
      <BannerList banners={banners.filter(({ id }) => id !== `market-${market.id}`)} />
    </>
  );
}
