import { DELIVERY_FEE_DEFAULT } from "@marketday/domain/limits";

import type { AmountComparison } from "../../lib/amount-changes.ts";
import { type FieldChanges, FieldComparison } from "../../lib/field-changes.ts";
import type { HubFeature } from "./export-hubs.ts";
import { COMMISSION_DEFAULT_PPM, type HubAmounts } from "./hub-store.ts";

/** "5 points from -86.2 39.9 to -86 40.1" */
function outlineText(geometry: HubFeature["geometry"]): string {
  if (!geometry) return "";
  const points = (geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates).flat(2);
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lng, lat] of points) {
    [west, east] = [Math.min(west, lng), Math.max(east, lng)];
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
  }
  return `${points.length} points from ${west} ${south} to ${east} ${north}`;
}

/** The values of a hub by their names in a file; those of a list by its items, pickup points by their names `pointNames`. */
function valuesOf(
  { properties, geometry }: HubFeature,
  amounts: ReadonlySet<string>,
  pointNames: ReadonlyMap<number, string>,
): Map<string, string> {
  const { pickupPoints, closures, zips, ...plain } = properties;
  return new Map([
    ...Object.entries(plain).flatMap(([name, value]) => (amounts.has(name) ? [] : [[name, String(value)] as const])),
    ["zips", zips.toSorted().join(", ")],
    ...pickupPoints.flatMap((point) => {
      const { id, name: _, ...rest } = point;
      return Object.entries(rest).map(
        ([name, value]) => [`pickupPoints, ${pointNames.get(id)}, ${name}`, String(value)] as const,
      );
    }),
    ...closures.map(({ day, reason }) => [`closures, ${day}`, reason || "closed"] as const),
    ["geometry", outlineText(geometry)],
  ]);
}

/** Adds the values of a hub that differ, except the named amounts and the names of pickup points. */
function compareHubs(
  comparison: FieldComparison,
  before: HubFeature,
  after: HubFeature,
  amounts: ReadonlySet<string>,
): void {
  // A renamed point is the same one; the outcome of an import lists its names.
  const pointNames = new Map(after.properties.pickupPoints.map(({ id, name }) => [id, name]));
  const [from, to] = [valuesOf(before, amounts, pointNames), valuesOf(after, amounts, pointNames)];
  for (const name of new Set([...from.keys(), ...to.keys()]))
    comparison.add(before.properties.slug, name, from.get(name), to.get(name));
  const isRedrawn = JSON.stringify(before.geometry) !== JSON.stringify(after.geometry);
  if (isRedrawn && from.get("geometry") === to.get("geometry"))
    comparison.add(before.properties.slug, "geometry", from.get("geometry"), `${to.get("geometry")}, redrawn`);
}

/** The hubs of a file as they are in the market, by slug. */
export type StoredHubs = ReadonlyMap<string, { feature: HubFeature; wkt: readonly string[] }>;

/** The amounts of a hub as its file names them, each with its column and the market's amount, where it has one. */
const AMOUNTS = [
  ["deliveryFee", "delivery_fee_cents", "cents", DELIVERY_FEE_DEFAULT],
  ["taxRate", "tax_rate_ppm", "ppm", null],
  ["processingPercent", "processing_ppm", "ppm", null],
  ["processingFixed", "processing_fixed_cents", "cents", null],
  ["commission", "commission_ppm", "ppm", COMMISSION_DEFAULT_PPM],
] as const;

/** Adds the amounts of a hub that change. Where there was none, or 0, they are compared with the market's. */
export function compareAmounts(
  comparison: AmountComparison,
  subject: string,
  before: HubAmounts | null,
  after: HubAmounts,
): void {
  for (const [field, column, unit, usual] of AMOUNTS) {
    const [from, to] = [before ? (before[column] ?? usual) : null, after[column] ?? usual];
    if (from !== to && (before || usual !== null || to !== 0))
      comparison.add({ subject, field, unit, before: from, after: to }, { reference: from || usual });
  }
}

/** The values of existing hubs that differ, except amounts. */
export function compareStored(before: StoredHubs, after: StoredHubs): FieldChanges {
  const comparison = new FieldComparison();
  const amounts = new Set<string>(AMOUNTS.map(([name]) => name));
  for (const [slug, { feature }] of before) compareHubs(comparison, feature, after.get(slug)!.feature, amounts);
  return comparison.finish();
}
