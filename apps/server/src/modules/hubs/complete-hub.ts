import tzLookup from "@photostructure/tz-lookup";

import { isNone, unescapeNone } from "../../lib/none.ts";
import type { Context } from "../identity/context.ts";
import type { HubFeature } from "./export-hubs.ts";
import { expectedProperties } from "./hub-file.ts";

type Path = readonly (string | number)[];

/** The properties that the word `none` empties, and their value then. */
const EMPTY: Readonly<Record<string, unknown>> = {
  description: "",
  deliveryFee: null,
  zips: [],
  pickupPoints: [],
  closures: [],
  "closures.*.reason": "",
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

/** The values of an object without the blank ones. `path` is that of `expectedProperties`. */
function givenValues(
  given: Readonly<Record<string, unknown>>,
  path: string,
  at: Path,
  refuse: (at: Path, sentence: string) => void,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const full = path + name;
    if (isBlank(value)) continue;
    if (typeof value !== "string") values[name] = value;
    else if (!isNone(value.trim())) values[name] = unescapeNone(value.trim());
    else if (Object.hasOwn(EMPTY, full)) values[name] = EMPTY[full];
    else {
      const right = expectedProperties[full];
      refuse([...at, name], `"none" empties a value, and ${name} cannot be empty.${right ? ` Write ${right}` : ""}`);
    }
  }
  return values;
}

/**
 * A pickup point with city and state of its zip where neither the file nor the stored point has them. Those of another zip do not
 * stay when they came from the stored point's.
 */
function withZipPlace({ deps: { geocoder } }: Context, given: Record<string, unknown>, kept: Record<string, unknown>) {
  const placeOf = (zip: unknown) => (typeof zip === "string" ? geocoder.place(zip) : null);
  const before = kept.zipCode === given.zipCode ? null : placeOf(kept.zipCode);
  const place = placeOf(given.zipCode ?? kept.zipCode);
  const values = { ...kept, ...given };
  for (const name of ["city", "state"] as const)
    if (given[name] === undefined && (kept[name] === undefined || (given.zipCode && kept[name] === before?.[name])))
      values[name] = place?.[name] || kept[name];
  return values;
}

/** Completes the items of a list by the stored ones with the same value of a key; the first key decides. */
function completeItems(
  list: "pickupPoints" | "closures",
  keys: readonly string[],
  {
    items,
    stored,
    at,
    refuse,
    merge,
  }: {
    items: unknown;
    stored: readonly Record<string, unknown>[];
    at: Path;
    refuse: (at: Path, sentence: string) => void;
    merge: (given: Record<string, unknown>, kept: Record<string, unknown>) => Record<string, unknown>;
  },
): unknown {
  if (!Array.isArray(items)) return items;
  return items.map((item: unknown, place) => {
    if (!isObject(item)) return item;
    const values = givenValues(item, `${list}.*.`, [...at, place], refuse);
    const [same = {}] = keys.flatMap((key) => stored.filter((each) => each[key] === values[key]));
    // A name alone does not say which of two points is meant that change names.
    const { id: _, ...kept } = same;
    return merge(values, kept);
  });
}

/** The properties that a hub has from its zip, and its time zone from its place. They follow another zip and another place. */
function derivedProperties(
  ctx: Context,
  { zipCode, city, state, lat, lng, timeZone }: HubFeature["properties"],
  given: Readonly<Record<string, unknown>>,
): string[] {
  const isOther = (name: string, value: unknown): boolean => given[name] !== undefined && given[name] !== value;
  const hasZone = tzLookup(lat, lng) === timeZone;
  const isMoved = isOther("zipCode", zipCode);
  if (!isMoved) return hasZone && (isOther("lat", lat) || isOther("lng", lng)) ? ["timeZone"] : [];
  const place = ctx.deps.geocoder.place(zipCode);
  return [
    ...(place?.city === city ? ["city"] : []),
    ...(place?.state === state ? ["state"] : []),
    ...(place?.lat === lat && place.lng === lng ? ["lat", "lng"] : []),
    ...(hasZone ? ["timeZone"] : []),
  ];
}

/**
 * Completes the properties of a hub's feature: what it leaves out, null or an empty text is the stored value, and the word `none`
 * empties a value. Lists are whole, and what their items leave out is that of the stored item with the same name or day. With another
 * zip, the place that the hub had from its zip is not completed.
 * @param refuse receives the path of each value that cannot be empty, with a sentence
 */
export function completeProperties(
  ctx: Context,
  given: unknown,
  stored: HubFeature | undefined,
  at: Path,
  refuse: (at: Path, sentence: string) => void,
): unknown {
  if (!isObject(given)) return given;
  const values = givenValues(given, "", at, refuse);
  for (const [list, keys] of [["pickupPoints", ["id", "name"]] as const, ["closures", ["day"]] as const]) {
    const items = values[list];
    if (items === undefined) continue;
    // A pickup point that is in the list is open, unless the file says otherwise.
    const storedItems = (stored?.properties[list] ?? []).map((item) =>
      "active" in item ? { ...item, active: undefined } : item,
    );
    const merge = (given: Record<string, unknown>, kept: Record<string, unknown>) =>
      list === "pickupPoints" ? withZipPlace(ctx, given, kept) : { ...kept, ...given };
    values[list] = completeItems(list, keys, { items, stored: storedItems, at: [...at, list], refuse, merge });
  }
  if (!stored) return values;
  const { zips: _zips, pickupPoints: _points, closures: _closures, ...kept } = stored.properties;
  const left = new Set(derivedProperties(ctx, stored.properties, values));
  return { ...Object.fromEntries(Object.entries(kept).filter(([name]) => !left.has(name))), ...values };
}
