import { type CalendarDate, dateFromUtc, dateInZone } from "@marketday/domain/calendar-date";

import type { Deps } from "../../deps.ts";
import { vendorTokens } from "../../lib/tokens.ts";
import { findShortDay } from "../shorts/day-items-sql.ts";
import { titleOf } from "../shorts/read-shorts.ts";
import { findShortages } from "../shorts/store.ts";
import { findHarvestLink, type HarvestLinkRow } from "../week/harvest-links.ts";

/** An item that a vendor brings to a delivery day. */
export interface HarvestItem {
  variantId: number;
  /** "Pasture Eggs, Dozen" */
  title: string;
  unit: string | null;
  ordered: number;
  /** The vendor's count of fewer, which they may change. */
  own: { id: number; version: number; came: number; reason: string } | null;
  /** What a person of the market has counted, or has settled: the vendor sees it and cannot change it (failures.md N8). */
  market: { came: number; of: number } | null;
}

/** What a vendor brings to a delivery day. */
export interface Harvest {
  link: HarvestLinkRow;
  day: CalendarDate;
  items: HarvestItem[];
  isConfirmed: boolean;
  /** The market has checked the vendor in. */
  hasArrived: boolean;
}

/** What a link opens. `expired`: the delivery day has ended in its market. */
export type HarvestState =
  | { state: "open" | "arrived"; link: HarvestLinkRow; harvest: Harvest }
  | { state: "revoked" | "expired"; link: HarvestLinkRow }
  | { state: "unknown" };

/** Reads the link of a mail, and what its vendor brings to its day. */
export async function readHarvest({ db, env }: Deps, token: string, now: Date): Promise<HarvestState> {
  const id = vendorTokens("harvest", env.sessionSecrets).read(token);
  const link = id === null ? null : await findHarvestLink(db, id);
  if (!link) return { state: "unknown" };
  if (link.revoked_at) return { state: "revoked", link };
  const { delivery, vendor } = link;
  const day = dateFromUtc(delivery.day);
  if (dateInZone(now, delivery.hub.time_zone) > day) return { state: "expired", link };
  const found = await findShortDay(db, delivery.hub.slug, day, now);
  if (!found) return { state: "unknown" };
  const shortages = await findShortages(db, delivery.id);
  const share = { delivery_id: delivery.id, vendor_id: vendor.id };
  const arrival = await db.vendor_arrival.findUnique({
    where: { delivery_id_vendor_id: share },
    select: { confirmed_at: true, arrived_at: true },
  });
  const items = found.items
    .filter((item) => item.vendor.id === vendor.id)
    .map((item): HarvestItem => {
      const counts = shortages.filter((row) => row.variant_id === item.variantId);
      const own = counts.find((row) => row.state === "counted" && row.by_vendor);
      const market = counts.find((row) => row !== own);
      return {
        variantId: item.variantId,
        title: titleOf(item),
        unit: item.unit,
        ordered: item.ordered,
        own: own ? { id: own.id, version: own.version, came: own.came, reason: own.reason } : null,
        market: market ? { came: market.came, of: market.of } : null,
      };
    })
    .filter((item) => item.ordered > 0 || item.market);
  const hasArrived = arrival?.arrived_at != null;
  const harvest = { link, day, items, isConfirmed: arrival?.confirmed_at != null, hasArrived };
  return { state: hasArrived ? "arrived" : "open", link, harvest };
}

/** Items whose number the vendor can change. */
export const openItems = ({ items, hasArrived }: Harvest): HarvestItem[] =>
  hasArrived ? [] : items.filter((item) => item.market === null && item.ordered > 0);

/** How many come by what the vendor has sent: all that are ordered, unless they have counted fewer. */
export const comingOf = ({ ordered, own }: HarvestItem): number => Math.min(own?.came ?? ordered, ordered);
