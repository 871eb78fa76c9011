import type { Hub } from "@marketday/contracts/hubs";
import type { Product } from "@marketday/contracts/products";

import { type BadgeKind, isKansasFarm } from "./origin.ts";

type Market = Pick<Hub, "state">;
type Made = Pick<Product, "originCountry"> & { vendor: Pick<Product["vendor"], "state"> };

/**
 * How near to the market a product comes from: grown abroad is Beyond Local, from a vendor of another state Regional
 * Specialty, from the market's own state Local First. Null while the market is not known.
 */
export function nearness(
  { originCountry, vendor }: Made,
  hub: Market | null,
): "local-first" | "regional-specialty" | "beyond-local" | null {
  if (!hub) return null;
  if (originCountry && !isUnitedStates(originCountry)) return "beyond-local";
  return vendor.state === hub.state ? "local-first" : "regional-specialty";
}

const isUnitedStates = (country: string): boolean =>
  /^(usa?|u\.s\.(a\.)?|united states( of america)?)$/i.test(country.trim());

/** The badges of a product in a market, the nearest first. */
export function badgesOf(product: Made, hub: Market | null): BadgeKind[] {
  const near = nearness(product, hub);
  return [...(near ? [near] : []), ...(isKansasFarm(product.vendor.state, hub) ? ["kansas-farms" as const] : [])];
}
