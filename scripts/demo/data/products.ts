import { addDays, type CalendarDate } from "@marketday/domain/calendar-date";
import slugify from "@sindresorhus/slugify";

import { catalogue, inSeason, type Line, type LineVariant } from "./catalogue.ts";
import { type Chance, chance } from "./random.ts";
import { newVendors, type Selling, type VendorPlan, vendorPlans } from "./vendors.ts";

/** A product: a vendor's version of a line. */
export interface ProductPlan {
  id: number;
  slug: string;
  vendor: VendorPlan;
  line: Line;
  variants: LineVariant[];
  /** In season in the week of the market. */
  season: boolean;
  /** A pre-order is delivered on or after this date. */
  preOrderDate: CalendarDate | null;
  /** Days from its first listing to the start of the week. */
  listedDaysAgo: number;
}

const has = (line: Line, word: string): boolean =>
  line.collection === word || line.tags.includes(word) || line.title.toLowerCase().includes(word);

/** The lines a vendor sells of a kind: its specialties, then lines of each shelf in turn. */
function choose(selling: Selling, taken: ReadonlySet<string>, luck: Chance): Line[] {
  const matching = luck
    .shuffle(catalogue[selling.kind])
    .filter((line) => !taken.has(line.title) && selling.only.every((word) => has(line, word)))
    .filter((line) => !selling.without.some((word) => has(line, word)));
  const specialties = matching
    .filter((line) => selling.first.some((word) => has(line, word)))
    .slice(0, Math.ceil(selling.count * 0.6));
  const shelves = Map.groupBy(
    matching.filter((line) => !specialties.includes(line)),
    (line) => `${line.collection} ${line.season?.join("-") ?? ""}`,
  );
  const chosen = [...specialties];
  const stacks = [...shelves.values()];
  for (let turn = 0; chosen.length < selling.count; turn++) {
    const left = stacks.filter((stack) => turn < stack.length);
    if (left.length === 0) throw new Error(`Only ${chosen.length} of ${selling.count} lines of ${selling.kind}`);
    for (const stack of left) {
      const line = stack[turn];
      if (line && chosen.length < selling.count) chosen.push(line);
    }
  }
  // In the order of the catalogue.
  return catalogue[selling.kind].filter((line) => chosen.includes(line));
}

/** Coffee beans are sold whole and ground, at one price. */
function grinds(line: Line, variants: readonly LineVariant[]): LineVariant[] {
  const isBeans = line.collection === "coffee" && line.picture.startsWith("coffee") && !line.title.includes("Drip");
  if (!isBeans) return [...variants];
  return variants.flatMap((variant) =>
    ["whole bean", "ground"].map((grind) => ({ ...variant, title: `${variant.title}, ${grind}` })),
  );
}

/** Rounds to quarters below 20 dollars and to halves above, as on a sign. */
export function signPrice(centsWanted: number): number {
  const step = centsWanted < 2000 ? 25 : 50;
  return Math.max(100, Math.round(centsWanted / step) * step);
}

/** Days from order to delivery of products that are always pre-ordered. */
const preOrderDays: ReadonlyMap<string, number> = new Map([
  ["Quarter Beef Sampler", 21],
  ["Whole Hog Sampler", 21],
  ["Half Ham, Smoked", 28],
  ["Turkey, Whole, Pasture Raised", 14],
  ["Gift Box, Cheese Night", 21],
  ["Everlasting Wreath", 14],
  ["Cheese Board for Four", 14],
]);

/** The first day of a season that begins within 70 days of `today`, else null. */
function seasonBegins(line: Line, today: CalendarDate): CalendarDate | null {
  if (line.season === null) return null;
  for (let days = 8; days <= 70; days++) {
    const day = addDays(today, days);
    if (day.endsWith("-01") && Number(day.slice(5, 7)) === line.season[0]) return day;
  }
  return null;
}

/** The 1,200 products of the market in the week that begins on `monday`. */
export function planProducts(monday: CalendarDate): ProductPlan[] {
  const month = Number(addDays(monday, 3).slice(5, 7));
  const slugs = new Set<string>();
  const plans: ProductPlan[] = [];
  for (const vendor of vendorPlans) {
    const luck = chance(`stall ${vendor.id}`);
    // The price level of the vendor.
    const level = 0.95 + luck.next() * 0.12;
    const taken = new Set<string>();
    const isNew = newVendors.has(vendor.id);
    for (const selling of vendor.sells) {
      for (const line of choose(selling, taken, luck)) {
        taken.add(line.title);
        const plain = slugify(line.title);
        const slug = slugs.has(plain) ? `${plain}-${slugify(vendor.name)}` : plain;
        slugs.add(slug);
        const season = inSeason(line.season, month);
        const wait = preOrderDays.get(line.title);
        const preOrderDate = season ? (wait === undefined ? null : addDays(monday, wait)) : seasonBegins(line, monday);
        plans.push({
          id: plans.length + 1,
          slug,
          vendor,
          line,
          variants: grinds(line, line.variants).map((variant) => ({
            ...variant,
            priceCents: signPrice(variant.priceCents * level),
          })),
          season,
          preOrderDate,
          listedDaysAgo: isNew ? 0 : luck.odds(0.06) ? luck.int(0, 6) : luck.int(100, 500),
        });
      }
    }
  }
  return plans;
}
