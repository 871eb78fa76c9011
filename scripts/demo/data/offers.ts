import type { CalendarDate } from "@marketday/domain/calendar-date";
import { addMs, Day, Hour } from "@marketday/domain/time";

import { hubPlans } from "./hubs.ts";
import { type ProductPlan, signPrice } from "./products.ts";
import { chance } from "./random.ts";
import type { OfferRow, VariantRow } from "./rows.ts";

/** The ribbons that staff give to products. */
export type RibbonType = "staff-flash-sale" | "staff-insane-weekly-deal" | "staff-pick" | "staff-trending";

/** Discount, stock and ribbon of a product this week. */
export interface Special {
  ribbon: RibbonType | null;
  /** Discount: 0.2 is 20 %. */
  off: number;
  stock: "plenty" | "few" | "out" | "back";
}

const ribbonTexts: Record<RibbonType, string> = {
  "staff-flash-sale": "Flash sale",
  "staff-insane-weekly-deal": "Deal of the week",
  "staff-pick": "Staff pick",
  "staff-trending": "Trending",
};
/** The text of a ribbon. */
export const ribbonText = (type: RibbonType): string => ribbonTexts[type];

/** Together they fill "Picked for this week" (`packages/domain/src/shop.ts`), so that nothing else of the feed does. */
const PICKS_OF_HUB = 6;
const TRENDING_OF_HUB = 6;

/** Whether a product can be ordered this week, in season or as a pre-order. */
export const isListed = (plan: ProductPlan): boolean => plan.season || plan.preOrderDate !== null;

/** Shelves whose products fill a kitchen every week; those of produce have a season. */
const groceries: ReadonlySet<string> = new Set([
  "tomatoes-peppers",
  "squash-corn-beans",
  "roots",
  "onions-garlic",
  "cabbage-broccoli",
  "pumpkins-squash",
  "salad-greens",
  "microgreens",
  "mushrooms",
  "orchard-fruit",
  "berries-melons",
  "eggs",
  "poultry",
  "beef",
  "pork",
  "sausage-bacon",
  "seafood",
  "milk-cream",
  "yogurt-butter",
  "cheese",
  "bread",
  "soups",
]);

/** Whether a product is food for the week it is sold in: fresh produce in its season, eggs, bread, milk, cheese, meat. */
const isForTheWeek = ({ line, season, preOrderDate }: ProductPlan): boolean =>
  groceries.has(line.collection) &&
  season &&
  preOrderDate === null &&
  !line.tags.includes("frozen") &&
  !line.tags.includes("gift");

/** The first product of each shelf, then the second ones, and so on. */
function shelfByShelf(plans: readonly ProductPlan[]): ProductPlan[] {
  const shelves = [...Map.groupBy(plans, ({ line }) => line.collection).values()];
  const longest = Math.max(0, ...shelves.map((shelf) => shelf.length));
  return Array.from({ length: longest }, (_, turn) => shelves.flatMap((shelf) => shelf[turn] ?? [])).flat();
}

/** Food for the week in turns: one that has a season and is in it, one that is there all year, of ever other shelves. */
function seasonFirst(plans: readonly ProductPlan[]): ProductPlan[] {
  const fresh = shelfByShelf(plans.filter(({ line }) => line.season !== null));
  const always = shelfByShelf(plans.filter(({ line }) => line.season === null));
  return Array.from({ length: Math.max(fresh.length, always.length) }, (_, turn) =>
    [fresh[turn], always[turn]].filter((plan) => plan !== undefined),
  ).flat();
}

/** The special of each product in the week that begins on `monday`. */
export function planSpecials(plans: readonly ProductPlan[], monday: CalendarDate): Map<number, Special> {
  const luck = chance(`specials ${monday}`);
  const specials = new Map<number, Special>();
  for (const plan of plans) {
    const ahead = plan.preOrderDate !== null;
    const off = !ahead && luck.odds(0.075) ? luck.pick([0.1, 0.15, 0.15, 0.2]) : 0;
    const draw = luck.next();
    const stock = ahead || draw > 0.17 ? "plenty" : draw < 0.05 ? "out" : draw < 0.13 ? "few" : "back";
    specials.set(plan.id, { ribbon: null, off, stock });
  }
  const used = new Set<number>();
  const titles = new Set<string>();
  for (const hub of hubPlans) {
    const sold = luck.shuffle(
      plans.filter((plan) => plan.vendor.hubIds[0] === hub.id && plan.season && plan.preOrderDate === null),
    );
    const forTheWeek = seasonFirst(sold.filter(isForTheWeek));
    // Ribbons are spread over names, and those of a type over vendors, where there are enough.
    const assign = (type: RibbonType, count: number, off: number | null, from: readonly ProductPlan[]): void => {
      const free = from.filter((plan) => !used.has(plan.id));
      const vendors = new Set<number>();
      const spread = free.filter(
        ({ vendor, line }) => !titles.has(line.title) && !vendors.has(vendor.id) && vendors.add(vendor.id),
      );
      const others = free.filter(({ line }) => !titles.has(line.title));
      for (const plan of [...new Set([...spread, ...others, ...free])].slice(0, count)) {
        used.add(plan.id);
        titles.add(plan.line.title);
        specials.set(plan.id, { ribbon: type, off: off ?? specials.get(plan.id)?.off ?? 0, stock: "plenty" });
      }
    };
    assign("staff-pick", PICKS_OF_HUB, null, forTheWeek);
    assign("staff-trending", TRENDING_OF_HUB, null, forTheWeek);
    assign("staff-insane-weekly-deal", 1, 0.4, sold);
    assign("staff-flash-sale", 2, 0.25, sold);
  }
  return specials;
}

/** Variants and offers, with ids in the order of the plans. `anchor` is the start of the week. */
export function buildOffers(
  plans: readonly ProductPlan[],
  specials: ReadonlyMap<number, Special>,
  anchor: Date,
): { variants: VariantRow[]; offers: OfferRow[] } {
  const variants: VariantRow[] = [];
  const offers: OfferRow[] = [];
  const ago = (days: number, hours = 0): string => addMs(anchor, -days * Day.ms - hours * Hour.ms).toISOString();
  for (const plan of plans) {
    const luck = chance(`offer ${plan.vendor.id} ${plan.line.title}`);
    const { off, stock } = specials.get(plan.id) ?? { off: 0, stock: "plenty" };
    plan.variants.forEach((variant, position) => {
      const id = variants.length + 1;
      variants.push({
        id,
        product_id: plan.id,
        title: variant.title,
        position,
        unit: variant.title.charAt(0).toLowerCase() + variant.title.slice(1),
        measure: variant.measure,
        measure_amount: variant.amount,
        pre_order_date: plan.preOrderDate,
      });
      const weekly = Math.max(
        6,
        Math.round((luck.int(18, 60) * (variant.priceCents > 2500 ? 0.35 : 1)) / (position + 1)),
      );
      plan.vendor.hubIds.forEach((hubId, place) => {
        const price = variant.priceCents + (place > 0 && luck.odds(0.3) ? (variant.priceCents < 2000 ? 25 : 50) : 0);
        const sale = off > 0 ? signPrice(price * (1 - off)) : null;
        const left =
          stock === "out" ? 0 : stock === "few" ? luck.int(1, 4) : luck.int(Math.ceil(weekly * 0.45), weekly);
        offers.push({
          id: offers.length + 1,
          variant_id: id,
          hub_id: hubId,
          price_cents: price,
          sale_price_cents: sale !== null && sale < price ? sale : null,
          inventory: plan.preOrderDate ? luck.int(20, 60) : left,
          weekly_inventory: plan.preOrderDate ? null : weekly,
          is_published: isListed(plan),
          published_at: ago(plan.listedDaysAgo, place * 5 + position),
          sold_out_at: stock === "out" ? ago(0, luck.int(2, 30)) : null,
          restocked_at: stock === "back" ? ago(luck.int(0, 5), luck.int(1, 20)) : null,
          on_sale_since: sale !== null && sale < price ? ago(luck.int(0, 6), luck.int(1, 20)) : null,
        });
      });
    });
  }
  return { variants, offers };
}
