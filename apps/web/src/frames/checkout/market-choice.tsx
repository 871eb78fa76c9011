import * as calls from "@marketday/contracts/calls";
import type { Cart } from "@marketday/contracts/cart";

import OtherMarketNotice from "../../features/cart/other-market.tsx";
import { call } from "../../lib/api.ts";
import { closeFrame } from "../shell/host.ts";

interface MarketChoiceProps {
  market: NonNullable<Cart["otherMarket"]>;
  /** The shopper's own market. */
  hubId: number | null;
  /** Something in the cart is sold there. */
  hasOwn: boolean;
}

/** A cart of another market: the checkout goes on in the one that is chosen, as the server renders it. */
export default function MarketChoice({ market, hubId, hasOwn }: MarketChoiceProps) {
  const moveTo = async (id: number) => {
    await call(calls.putHubSwitch, { params: { id } });
    location.reload();
  };
  const stay = async () => {
    if (hasOwn && hubId !== null) await moveTo(hubId);
    else closeFrame(true);
  };
  return (
    <OtherMarketNotice
      market={market}
      verb="Check out"
      onGo={() => moveTo(market.id)}
      onStay={market.isUndecided || !hasOwn ? stay : undefined}
    />
  );
}
