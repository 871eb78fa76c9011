import { type CalendarDate, dateFromUtc, dateInZone } from "@marketday/domain/calendar-date";
import { lineName } from "@marketday/domain/cart";

import type { Deps } from "../../deps.ts";
import { vendorTokens } from "../../lib/tokens.ts";
import { findShortages } from "../shorts/store.ts";
import { UnitsByVariant } from "../week/arrivals-store.ts";
import { findHarvestLink, type HarvestLinkRow, isRevoked } from "../week/harvest-links.ts";
import { findHarvestItems, type HarvestItemRow } from "./items-sql.ts";

/** An item that a vendor brings to a delivery day. */
export interface HarvestItem extends Pick<HarvestItemRow, "variantId" | "unit" | "ordered" | "frozen" | "isShared"> {
  /** "Pasture Eggs, Dozen" */
  title: string;
  /** The vendor's count of fewer, which they may change. */
  own: { id: number; version: number; came: number; of: number; reason: string } | null;
  /** What a person of the market has counted, or has settled: the vendor sees it and cannot change it (failures.md N8). */
  market: { came: number; of: number } | null;
}

/** What a vendor brings to a delivery day. */
export interface Harvest {
  link: HarvestLinkRow;
  day: CalendarDate;
  items: HarvestItem[];
  /** Units that were ordered when the vendor confirmed by the link, by variant; null: they have not. */
  confirmedUnits: UnitsByVariant | null;
  /** The market has checked the vendor in. */
  hasArrived: boolean;
  /** Of what is known of the vendor's share; 0: nothing. */
  version: number;
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
  if (isRevoked(link)) return { state: "revoked", link };
  const { delivery, vendor } = link;
  const day = dateFromUtc(delivery.day);
  if (dateInZone(now, delivery.hub.time_zone) > day) return { state: "expired", link };
  const shortages = await findShortages(db, delivery.id);
  const arrival = await db.vendor_arrival.findUnique({
    where: { delivery_id_vendor_id: { delivery_id: delivery.id, vendor_id: vendor.id } },
    select: { confirmed_units: true, arrived_at: true, version: true },
  });
  const rows = await findHarvestItems(db, { deliveryId: delivery.id, vendorId: vendor.id });
  const items = rows.map(({ product, variant, ...row }): HarvestItem => {
    const counts = shortages.filter((count) => count.variant_id === row.variantId);
    const own = counts.find((count) => count.state === "counted" && count.by_vendor);
    const market = counts.find((count) => count !== own);
    return {
      ...row,
      title: lineName(product, variant),
      own: own ? { id: own.id, version: own.version, came: own.came, of: own.of, reason: own.reason } : null,
      market: market ? { came: market.came, of: market.of } : null,
    };
  });
  const hasArrived = arrival?.arrived_at != null;
  const confirmedUnits = arrival?.confirmed_units ? UnitsByVariant.parse(arrival.confirmed_units) : null;
  const harvest = { link, day, items, confirmedUnits, hasArrived, version: arrival?.version ?? 0 };
  return { state: hasArrived ? "arrived" : "open", link, harvest };
}

/** Items whose number the vendor can change. */
export const openItems = ({ items, hasArrived }: Harvest): HarvestItem[] =>
  hasArrived ? [] : items.filter((item) => item.market === null && item.ordered > 0 && !item.isShared);

/** How many come by what the vendor has sent: all that are ordered, unless they have counted fewer. */
export const comingOf = ({ ordered, own }: HarvestItem): number => Math.min(own?.came ?? ordered, ordered);

/** Units that are ordered from the vendor, by variant. */
export const unitsOf = ({ items }: Harvest): UnitsByVariant =>
  Object.fromEntries(items.map(({ variantId, ordered }) => [variantId, ordered]));

/** Whether the vendor has confirmed what is ordered now, or more. */
export const isConfirmed = ({ confirmedUnits, items }: Harvest): boolean =>
  confirmedUnits !== null && items.every(({ variantId, ordered }) => ordered <= (confirmedUnits[variantId] ?? 0));
