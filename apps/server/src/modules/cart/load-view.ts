import type { Banner } from "@marketday/contracts/cart";

import type { Deps } from "../../deps.ts";
import { loadBanners } from "../banners/load-banners.ts";
import { nextDelivery } from "../hubs/deliveries.ts";
import { hubDirectory } from "../hubs/directory.ts";
import { type CartOwner, type CartRow, loadCart, loadCartWithNotices, type NoticesRow } from "./store.ts";

/** A cart with what a shopper sees around it. */
export type CartView = CartRow &
  NoticesRow & {
    banners: Banner[];
    time_zone: string | null;
    /** The hub's next delivery whose cutoff is still ahead, `YYYY-MM-DD`. */
    delivery_day: string | null;
    cutoff_at: Date | null;
  };

/** The cart in one statement; its hub, next delivery and banners are cached. */
export async function loadCartView(deps: Deps, owner: CartOwner, hubId: number | null, now: Date): Promise<CartView> {
  const next = hubId === null ? null : await nextDelivery(deps, hubId, now);
  const [directory, banners, cart] = await Promise.all([
    hubDirectory(deps),
    loadBanners(deps, hubId, now),
    "customerId" in owner
      ? loadCartWithNotices(deps.db, owner.customerId, hubId, next?.id ?? null)
      : loadCart(deps.db, owner, hubId).then((row) => ({ ...row, auto_problem: null, lost_hold: null })),
  ]);
  return {
    ...cart,
    banners,
    time_zone: (hubId !== null && directory.byId(hubId)?.time_zone) || null,
    delivery_day: next?.day ?? null,
    cutoff_at: next?.cutoff_at ?? null,
  };
}
