import type { Hub } from "@marketday/contracts/hubs";
import type { Product } from "@marketday/contracts/products";

/** The signs the market puts on things; each is drawn in `badge.tsx`. */
export type BadgeKind =
  | "local-first"
  | "regional-specialty"
  | "beyond-local"
  | "general-store"
  | "chefs-selection"
  | "kansas-farms";

/** What is written on or under each. */
export const badgeNames: Record<BadgeKind, string> = {
  "local-first": "Local First",
  "regional-specialty": "Regional Specialty",
  "beyond-local": "Beyond Local",
  "general-store": "General Store",
  "chefs-selection": "Chef’s Selection",
  "kansas-farms": "Kansas Farms",
};

type Place = Pick<Hub, "state">;

/** The Kansas farms badge stands on what a Kansas vendor sells in a Kansas market (spec §2.4 Info modals). */
export const isKansasFarm = (vendorState: string, hub: Place | null): boolean =>
  vendorState === "KS" && hub?.state === "KS";

type Made = Pick<Product, "originCountry"> & { vendor: Pick<Product["vendor"], "state"> };

/**
 * How near to the market a product comes from: grown abroad is Beyond Local, from a vendor of another state Regional
 * Specialty, from the market's own state Local First. Null while the market is not known.
 */
export function nearness(
  { originCountry, vendor }: Made,
  hub: Place | null,
): "local-first" | "regional-specialty" | "beyond-local" | null {
  if (!hub) return null;
  if (originCountry && !isUnitedStates(originCountry)) return "beyond-local";
  return vendor.state === hub.state ? "local-first" : "regional-specialty";
}

const isUnitedStates = (country: string): boolean =>
  /^(usa?|u\.s\.(a\.)?|united states( of america)?)$/i.test(country.trim());

/** The badges of a product in a market, the nearest first. */
export function badgesOf(product: Made, hub: Place | null): BadgeKind[] {
  const near = nearness(product, hub);
  return [...(near ? [near] : []), ...(isKansasFarm(product.vendor.state, hub) ? ["kansas-farms" as const] : [])];
}
