import { inSeason } from "./catalogue.ts";
import { hubPlans } from "./hubs.ts";
import type { ProductPlan } from "./products.ts";
import { chance, type Chance } from "./random.ts";
import type { OfferRow, VariantRow } from "./rows.ts";

/** A variant that a hub sells. */
export interface Sellable {
  plan: ProductPlan;
  variant: VariantRow;
  offer: OfferRow;
  /** How often it is ordered. */
  weight: number;
}

/** A line of an order. */
export interface Wanted {
  of: Sellable;
  quantity: number;
}

/** The variants that each hub sells, by hub id. */
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

/** The variants that an order at an instant can contain: listed, in season, no pre-order. */
export function orderable(of: readonly Sellable[], at: Date): Sellable[] {
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

/** About `count` different lines of `available` variants. */
export function pickLines(luck: Chance, available: readonly Sellable[], count: number): Wanted[] {
  const lines = new Map<number, Wanted>();
  for (let tries = 0; lines.size < count && tries < count * 6; tries++) {
    // Of two candidates the one with the greater weight.
    const [a, b] = [luck.pick(available), luck.pick(available)];
    const of = a.weight >= b.weight ? a : b;
    if (!lines.has(of.variant.id)) lines.set(of.variant.id, { of, quantity: luck.weighted(quantities) });
  }
  return [...lines.values()];
}
