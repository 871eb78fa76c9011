import { inSeason } from "./catalogue.ts";
import { hubPlans } from "./hubs.ts";
import type { ProductPlan } from "./products.ts";
import { chance, type Chance } from "./random.ts";
import type { OfferRow, VariantRow } from "./rows.ts";

/** A variant as a hub sells it. */
export interface Sellable {
  plan: ProductPlan;
  variant: VariantRow;
  offer: OfferRow;
  /** How often it is wanted. */
  weight: number;
}

/** A line somebody wants. */
export interface Wanted {
  of: Sellable;
  quantity: number;
}

/** What each hub sells, by hub id. */
export function sellables(
  plans: readonly ProductPlan[],
  variants: readonly VariantRow[],
  offers: readonly OfferRow[],
): Map<number, Sellable[]> {
  const planOf = new Map(plans.map((plan) => [plan.id, plan]));
  const variantOf = new Map(variants.map((variant) => [variant.id, variant]));
  const byHub = new Map<number, Sellable[]>(hubPlans.map((hub) => [hub.id, []]));
  for (const offer of offers) {
    const variant = variantOf.get(offer.variant_id);
    const plan = variant && planOf.get(variant.product_id);
    if (!plan || !variant) continue;
    const weight = chance(`want ${plan.vendor.id} ${plan.line.title}`).next() + (offer.price_cents < 1200 ? 0.25 : 0);
    byHub.get(offer.hub_id)?.push({ plan, variant, offer, weight });
  }
  return byHub;
}

/** What a hub sells to orders made at an instant: listed by then, in season then, no pre-order. */
export function shelf(of: readonly Sellable[], at: Date): Sellable[] {
  const month = at.getUTCMonth() + 1;
  const time = at.toISOString();
  return of.filter(
    ({ plan, offer }) => plan.preOrderDate === null && offer.published_at <= time && inSeason(plan.line.season, month),
  );
}

const quantities = [
  [1, 70],
  [2, 22],
  [3, 6],
  [4, 2],
] as const;

/** About `count` different lines out of what is able to be bought. */
export function basket(luck: Chance, able: readonly Sellable[], count: number): Wanted[] {
  const lines = new Map<number, Wanted>();
  for (let tries = 0; lines.size < count && tries < count * 6; tries++) {
    // Of two that catch the eye, the more wanted one.
    const [a, b] = [luck.pick(able), luck.pick(able)];
    const of = a.weight >= b.weight ? a : b;
    if (!lines.has(of.variant.id)) lines.set(of.variant.id, { of, quantity: luck.weighted(quantities) });
  }
  return [...lines.values()];
}
