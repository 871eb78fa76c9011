import type { Banner } from "@marketday/contracts/cart";

import type { Deps } from "../../deps.ts";
import { batchById } from "../../lib/batch.ts";
import { loadBanners } from "../banners/load-banners.ts";
import { nextDelivery } from "../hubs/deliveries.ts";
import { hubDirectory } from "../hubs/directory.ts";
import {
  type CartOwner,
  type CartRow,
  findPictured,
  loadStoredCart,
  type NoticesRow,
  type PicturedRow,
  type StoredCart,
  withBundles,
} from "./cart-sql.ts";
import { findOtherMarket, type OtherMarket } from "./other-market.ts";

/** Variants of cart lines with offers and pictures, by variant. */
export type Pictured = ReadonlyMap<number, PicturedRow>;

/** A cart with what a shopper sees around it. */
export type CartView = CartRow &
  NoticesRow & {
    banners: Banner[];
    time_zone: string | null;
    hub_name: string | null;
    other_market: OtherMarket | null;
    /** The hub's next delivery whose cutoff is still ahead, `YYYY-MM-DD`. */
    delivery_day: string | null;
    cutoff_at: Date | null;
    pictured: Pictured;
  };

/** Estimated memory of a line's offer, names and pictures. */
const LINE_BYTES = 2048;

/** Those of these variants that exist, at current offers, from the hub's cache; one statement for what is missing or stale. */
export async function loadPictured(
  { readDb, cache }: Deps,
  hubId: number | null,
  variantIds: readonly number[],
): Promise<Pictured> {
  const load = batchById(
    (ids) => findPictured(readDb, hubId, ids),
    (row) => row.variant_id,
  );
  const entries = await Promise.all(
    [...new Set(variantIds)].map((id) =>
      cache.getFresh(hubId, `line:${id}`, () => load(id), {
        isCacheable: (row) => row !== null,
        dependsOn: ["listing", "price", "picture"],
        productsOf: (row) => (row ? [row.product_id] : []),
        bytes: LINE_BYTES,
      }),
    ),
  );
  return new Map(entries.flatMap(({ value }) => (value ? [[value.variant_id, value] as const] : [])));
}

/** A stored cart as its shopper sees it: the hub's facts about the lines, the next delivery and the banners are cached. */
export async function viewCart(
  deps: Deps,
  owner: CartOwner,
  cart: StoredCart,
  hubId: number | null,
  now: Date,
): Promise<CartView> {
  const { items, ...head } = cart;
  const ids = items.map((item) => item.variant_id);
  const [directory, next, banners, pictured] = await Promise.all([
    hubDirectory(deps),
    hubId === null ? null : nextDelivery(deps, hubId, now),
    loadBanners(deps, hubId, now),
    loadPictured(deps, hubId, ids),
  ]);
  const lines = items.flatMap((item) => {
    const offered = pictured.get(item.variant_id);
    // A variant that was deleted meanwhile took its line along.
    return offered ? [{ ...item, ...offered }] : [];
  });
  const bundled = await withBundles(deps.db, hubId, lines);
  const hub = hubId === null ? undefined : directory.byId(hubId);
  return {
    ...head,
    lines: bundled,
    banners,
    time_zone: hub?.time_zone ?? null,
    hub_name: hub?.name ?? null,
    other_market: findOtherMarket(directory, bundled, hubId, "customerId" in owner),
    delivery_day: next?.day ?? null,
    cutoff_at: next?.cutoff_at ?? null,
    pictured,
  };
}

/** The cart in one statement. */
export async function loadCartView(deps: Deps, owner: CartOwner, hubId: number | null, now: Date): Promise<CartView> {
  const next = hubId === null ? null : await nextDelivery(deps, hubId, now);
  return viewCart(deps, owner, await loadStoredCart(deps.db, owner, next?.id ?? null), hubId, now);
}
