import type { FieldComparison } from "../../lib/field-changes.ts";
import type { HubFeature } from "./export-hubs.ts";

/** "5 points from -86.2 39.9 to -86 40.1" */
function outlineText(geometry: HubFeature["geometry"]): string {
  if (!geometry) return "";
  const points = (geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates).flat(2);
  const [lngs, lats] = [points.map(([lng]) => lng), points.map(([, lat]) => lat)];
  return `${points.length} points from ${Math.min(...lngs)} ${Math.min(...lats)} to ${Math.max(...lngs)} ${Math.max(...lats)}`;
}

/** The values of a hub by their names in a file; those of a list by its items. */
function valuesOf({ properties, geometry }: HubFeature, amounts: ReadonlySet<string>): Map<string, string> {
  const { pickupPoints, closures, zips, ...plain } = properties;
  return new Map([
    ...Object.entries(plain).flatMap(([name, value]) => (amounts.has(name) ? [] : [[name, String(value)] as const])),
    ["zips", zips.toSorted().join(", ")],
    ...pickupPoints.flatMap(({ name: point, ...rest }) =>
      Object.entries(rest).map(([name, value]) => [`pickupPoints, ${point}, ${name}`, String(value)] as const),
    ),
    ...closures.map(({ day, reason }) => [`closures, ${day}`, reason || "closed"] as const),
    ["geometry", outlineText(geometry)],
  ]);
}

/** Adds the values of a hub that differ, except the named amounts. */
export function compareHubs(
  comparison: FieldComparison,
  before: HubFeature,
  after: HubFeature,
  amounts: ReadonlySet<string>,
): void {
  const [from, to] = [valuesOf(before, amounts), valuesOf(after, amounts)];
  for (const name of new Set([...from.keys(), ...to.keys()]))
    comparison.add(before.properties.slug, name, from.get(name), to.get(name));
  const isRedrawn = JSON.stringify(before.geometry) !== JSON.stringify(after.geometry);
  if (isRedrawn && from.get("geometry") === to.get("geometry"))
    comparison.add(before.properties.slug, "geometry", from.get("geometry"), `${to.get("geometry")}, redrawn`);
}
