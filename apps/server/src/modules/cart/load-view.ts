import type { Banner } from "@marketday/contracts/cart";

import type { Deps } from "../../deps.ts";
import { loadBanners } from "../banners/load-banners.ts";
import { nextDelivery } from "../hubs/deliveries.ts";
import { hubDirectory } from "../hubs/directory.ts";
import {
  type CartOwner,
  type CartRow,
  findLinePictures,
  type LinePicturesRow,
  loadCart,
  loadCartWithNotices,
  type NoticesRow,
} from "./store.ts";

/** Pictures of cart lines, by product. */
export type LinePictures = ReadonlyMap<number, LinePicturesRow>;

/** A cart with what a shopper sees around it. */
export type CartView = CartRow &
  NoticesRow & {
    banners: Banner[];
    time_zone: string | null;
    /** The hub's next delivery whose cutoff is still ahead, `YYYY-MM-DD`. */
    delivery_day: string | null;
    cutoff_at: Date | null;
    pictures: LinePictures;
  };

/** The pictures of these lines, from the cache; one statement for those that are missing. */
export async function loadLinePictures(deps: Deps, lines: readonly { product_id: number }[]): Promise<LinePictures> {
  const ids = [...new Set(lines.map((line) => line.product_id))];
  const keyOf = (id: number) => `line-pictures:${id}`;
  const missing = ids.filter((id) => !deps.cache.peek("catalogue", keyOf(id)));
  let found: Promise<LinePicturesRow[]> | undefined;
  const load = async (id: number) =>
    (await (found ??= findLinePictures(deps.db, missing))).find((row) => row.product_id === id) ?? null;
  const cached = await Promise.all(ids.map((id) => deps.cache.get("catalogue", keyOf(id), () => load(id))));
  return new Map(cached.flatMap(({ value }) => (value ? [[value.product_id, value]] : [])));
}

/** The cart in one statement; its hub, next delivery, banners and pictures are cached. */
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
    pictures: await loadLinePictures(deps, cart.lines),
  };
}
