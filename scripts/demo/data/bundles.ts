import { type HubPlan, hubPlans } from "./hubs.ts";
import { sharedPicture } from "./pictures.ts";
import type { ProductPlan } from "./products.ts";
import type { LooseRow, VariantRow } from "./rows.ts";

interface BundlePlan {
  slug: string;
  title: string;
  picture: string;
  description: string;
  discountPpm: number;
  /** One product of each collection, the first whose title matches, and its quantity. */
  wants: readonly (readonly [shelf: string, words: RegExp, quantity?: number])[];
}

const bundlePlans: readonly BundlePlan[] = [
  {
    slug: "sunday-breakfast",
    title: "Sunday Breakfast",
    picture: "pancake-mix",
    description: "Eggs, bacon or sausage, bread, butter and something sweet: breakfast for four, with seconds.",
    discountPpm: 80_000,
    wants: [
      ["eggs", /Dozen|Eggs/],
      ["sausage-bacon", /Bacon|Breakfast|Bratwurst/],
      ["bread", /Sandwich|Sourdough|Brioche/],
      ["yogurt-butter", /Butter/],
      ["coffee", /./],
    ],
  },
  {
    slug: "soup-night",
    title: "Soup Night",
    picture: "stew",
    description: "Roots, onions, a loaf and a good broth. You bring the pot.",
    discountPpm: 60_000,
    wants: [
      ["roots", /Carrots|Medley|Potatoes/],
      ["onions-garlic", /Onions|Leeks/],
      ["bread", /Loaf|Rye|Sourdough|Rolls/],
      ["soups", /./],
    ],
  },
  {
    slug: "pasta-for-friday",
    title: "Pasta for Friday",
    picture: "pasta-plate",
    description: "Sauce, greens, cheese and bread around whatever pasta you like.",
    discountPpm: 70_000,
    wants: [
      ["salad-greens", /./],
      ["cheese", /Mozzarella|Pecorino|Parmesan|Ricotta|Cheddar|Gouda/],
      ["bread", /Baguette|Focaccia|Ciabatta|Sourdough/],
      ["sausage-bacon", /Italian|Sausage|Kielbasa/],
    ],
  },
  {
    slug: "grill-box",
    title: "Grill Box",
    picture: "beef-steak",
    description: "Something for the fire, buns to hold it, and pickles to cut through.",
    discountPpm: 90_000,
    wants: [
      ["beef", /Ground|Patties|Steak|Strip/, 2],
      ["sausage-bacon", /Brat|Sausage|Kielbasa|Chorizo/],
      ["bread", /Buns|Rolls|Bread/],
      ["roots", /Potatoes/],
    ],
  },
  {
    slug: "cheese-and-honey",
    title: "Cheese and Honey",
    picture: "cheese-board",
    description: "Two cheeses, a jar and a loaf. Add a bottle of your own.",
    discountPpm: 50_000,
    wants: [
      ["cheese", /Cheddar|Gouda|Alpine/],
      ["cheese", /Brie|Blue|Chèvre|Feta|Curds/],
      ["honey-syrup", /Honey/],
      ["bread", /Sourdough|Loaf|Baguette/],
    ],
  },
];

/** The bundles of each hub whose parts the hub sells this week. Pre-orders and products out of stock are not part of bundles. */
export function buildBundles(
  plans: readonly ProductPlan[],
  variants: readonly VariantRow[],
  inStock: (productId: number, hubId: number) => boolean,
): { bundles: LooseRow[]; hubs: LooseRow[]; items: LooseRow[] } {
  const bundles: LooseRow[] = [];
  const hubs: LooseRow[] = [];
  const items: LooseRow[] = [];
  const firstVariant = new Map<number, number>();
  for (const variant of variants)
    if (!firstVariant.has(variant.product_id)) firstVariant.set(variant.product_id, variant.id);

  const partsOf = (bundlePlan: BundlePlan, hub: HubPlan): { plan: ProductPlan; quantity: number }[] => {
    const parts: { plan: ProductPlan; quantity: number }[] = [];
    for (const [shelf, words, quantity = 1] of bundlePlan.wants) {
      const plan = plans.find(
        (each) =>
          each.line.collection === shelf &&
          words.test(each.line.title) &&
          each.season &&
          each.preOrderDate === null &&
          each.vendor.hubIds.includes(hub.id) &&
          inStock(each.id, hub.id) &&
          !parts.some((part) => part.plan === each),
      );
      if (plan) parts.push({ plan, quantity });
    }
    return parts;
  };

  for (const hub of hubPlans) {
    for (const bundlePlan of bundlePlans) {
      const parts = partsOf(bundlePlan, hub);
      if (parts.length < 3) continue;
      const id = bundles.length + 1;
      bundles.push({
        id,
        slug: `${bundlePlan.slug}-${hub.slug}`,
        title: bundlePlan.title,
        description: `<p>${bundlePlan.description}</p>`,
        image_id: sharedPicture(bundlePlan.picture).id,
        discount_ppm: bundlePlan.discountPpm,
      });
      hubs.push({ bundle_id: id, hub_id: hub.id });
      parts.forEach(({ plan, quantity }, position) => {
        items.push({ bundle_id: id, variant_id: firstVariant.get(plan.id) ?? 0, quantity, position });
      });
    }
  }
  return { bundles, hubs, items };
}
