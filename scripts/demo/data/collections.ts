import { isListed } from "./offers.ts";
import { sharedPicture } from "./pictures.ts";
import type { ProductPlan } from "./products.ts";
import { chance } from "./random.ts";
import type { CollectionRow, LooseRow } from "./rows.ts";

interface Shelf {
  slug: string;
  title: string;
  picture: string;
  description: string;
  children?: readonly (readonly [slug: string, title: string, picture: string])[];
}

/** Departments with the shelves named in `catalogue/*.txt`. */
const departments: readonly Shelf[] = [
  {
    slug: "produce",
    title: "Produce",
    picture: "harvest-crate",
    description: "Vegetables, greens and fruit, picked for this week.",
    children: [
      ["tomatoes-peppers", "Tomatoes & peppers", "tomatoes-mixed"],
      ["squash-corn-beans", "Squash, corn & beans", "squash-mixed"],
      ["roots", "Roots & potatoes", "harvest-roots"],
      ["onions-garlic", "Onions & garlic", "onions"],
      ["cabbage-broccoli", "Cabbage & broccoli", "broccoli"],
      ["pumpkins-squash", "Pumpkins & winter squash", "butternut"],
      ["salad-greens", "Salad & greens", "salad-mix"],
      ["microgreens", "Microgreens", "microgreens"],
      ["herbs", "Herbs", "herbs"],
      ["mushrooms", "Mushrooms", "mushrooms-mixed"],
      ["orchard-fruit", "Orchard fruit", "apples-mixed"],
      ["berries-melons", "Berries & melons", "berries-mixed"],
      ["boxes", "Farm boxes", "fruit-crate"],
    ],
  },
  {
    slug: "meat-eggs",
    title: "Meat & eggs",
    picture: "beef-steak",
    description: "Raised on grass and in woods by people you can visit.",
    children: [
      ["eggs", "Eggs", "eggs-brown"],
      ["poultry", "Chicken, duck & turkey", "poultry-whole"],
      ["beef", "Beef", "beef-cut"],
      ["pork", "Pork", "pork-sampler"],
      ["sausage-bacon", "Sausage & bacon", "bacon"],
      ["lamb-bison", "Lamb, bison & goat", "lamb"],
      ["seafood", "Fish", "fish-trout"],
      ["jerky-broth", "Jerky & broth", "jerky"],
    ],
  },
  {
    slug: "dairy",
    title: "Dairy",
    picture: "milk-cream",
    description: "Milk, butter, cheese and ice cream from herds with names.",
    children: [
      ["milk-cream", "Milk & cream", "milk"],
      ["yogurt-butter", "Yogurt & butter", "butter"],
      ["cheese", "Cheese", "cheese-board"],
      ["ice-cream", "Ice cream", "ice-cream"],
    ],
  },
  {
    slug: "bakery",
    title: "Bakery",
    picture: "bread-boule",
    description: "Baked the night before it reaches you.",
    children: [
      ["bread", "Bread", "bread-boules"],
      ["pastry", "Croissants & rolls", "croissants"],
      ["cookies-cakes", "Cookies & cakes", "cookies"],
      ["pies", "Pies", "pie"],
    ],
  },
  {
    slug: "pantry",
    title: "Pantry",
    picture: "jam-strawberry",
    description: "What keeps: honey, jam, pickles, flour and beans.",
    children: [
      ["honey-syrup", "Honey & syrup", "honey"],
      ["jams", "Jam & fruit butter", "jam-raspberry"],
      ["pickles-ferments", "Pickles & ferments", "pickles"],
      ["sauces", "Salsa & sauces", "salsa"],
      ["grains-beans", "Flour, grains & beans", "flour"],
      ["pasta", "Fresh pasta", "pasta"],
      ["breakfast", "Granola & pancakes", "granola"],
      ["snacks", "Snacks & sweets", "chocolate"],
      ["spices", "Spices & salts", "spice-tin"],
    ],
  },
  {
    slug: "drinks",
    title: "Drinks",
    picture: "coffee-cup",
    description: "Coffee, tea, cider and things with bubbles.",
    children: [
      ["coffee", "Coffee", "coffee"],
      ["tea", "Tea", "tea"],
      ["cider-juice", "Cider, juice & kombucha", "cider"],
    ],
  },
  {
    slug: "prepared",
    title: "Prepared",
    picture: "stew",
    description: "Already cooked, from the other stalls.",
    children: [
      ["soups", "Soups & stews", "soup-tomato"],
      ["suppers", "Suppers", "casserole"],
      ["dips-salads", "Lunch, dips & tortillas", "salad-bowl"],
    ],
  },
  {
    slug: "flowers",
    title: "Flowers",
    picture: "bouquet",
    description: "Cut the same morning, or dried, or in a pot.",
    children: [
      ["bouquets", "Bouquets", "bouquet-small"],
      ["wreaths-dried", "Wreaths & dried flowers", "wreath"],
      ["plants", "Plants & garden", "houseplant"],
    ],
  },
  {
    slug: "home",
    title: "Home",
    picture: "candle-tin",
    description: "Soap, candles, wool and good things for pets.",
    children: [
      ["soap", "Soap & salve", "soap"],
      ["candles-wool", "Candles, wool & wood", "yarn"],
      ["pets", "For pets", "dog-treats"],
    ],
  },
];

interface Selection extends Shelf {
  menu: boolean;
  fits: (plan: ProductPlan) => boolean;
  max: number;
}

const kansas = (plan: ProductPlan): boolean => plan.vendor.state === "KS";
const tagged =
  (...tags: string[]) =>
  (plan: ProductPlan): boolean =>
    tags.some((tag) => plan.line.tags.includes(tag));
const shelf =
  (...slugs: string[]) =>
  (plan: ProductPlan): boolean =>
    slugs.includes(plan.line.collection);

/** Collections across the departments; those of the main menu first. */
const selections: readonly Selection[] = [
  {
    slug: "local-first",
    title: "Local First",
    picture: "corn-crate",
    description: "Grown or made in the counties this market delivers to.",
    menu: true,
    max: 600,
    fits: (plan) =>
      plan.line.originCountry === null && plan.vendor.hubIds.length < 3 && !shelf("coffee", "tea", "home")(plan),
  },
  {
    slug: "general-store",
    title: "General Store",
    picture: "shopping",
    description: "What a corner shop would have: flour, beans, soap, coffee, candles and something for the dog.",
    menu: true,
    max: 400,
    fits: shelf(
      "honey-syrup",
      "jams",
      "sauces",
      "grains-beans",
      "coffee",
      "tea",
      "snacks",
      "spices",
      "breakfast",
      "soap",
      "candles-wool",
      "pets",
    ),
  },
  {
    slug: "chefs-selection",
    title: "Chef's Selection",
    picture: "mushrooms-mixed",
    description: "What the cooks among us take home.",
    menu: true,
    max: 160,
    fits: (plan) =>
      shelf("mushrooms", "microgreens", "cheese", "lamb-bison", "seafood", "pasta", "grains-beans")(plan) ||
      tagged("heirloom")(plan),
  },
  {
    slug: "kansas-farms",
    title: "Kansas farms",
    picture: "wheat",
    description: "Grown, raised or milled in Kansas.",
    menu: false,
    max: 400,
    fits: kansas,
  },
  {
    slug: "quick-suppers",
    title: "Quick suppers",
    picture: "skillet",
    description: "On the table in thirty minutes.",
    menu: false,
    max: 150,
    fits: shelf("suppers", "soups", "pasta", "sausage-bacon"),
  },
  {
    slug: "gluten-free",
    title: "Gluten free",
    picture: "dry-beans",
    description: "Marked gluten free by the stall that makes it.",
    menu: false,
    max: 300,
    fits: tagged("gluten free"),
  },
  {
    slug: "gifts",
    title: "Gifts",
    picture: "gift-box",
    description: "Ready to give, most of them wrapped.",
    menu: false,
    max: 120,
    fits: tagged("gift"),
  },
];

/** Collections and their products, in display order. */
export function buildCollections(plans: readonly ProductPlan[]): { collections: CollectionRow[]; members: LooseRow[] } {
  const collections: CollectionRow[] = [];
  const members: LooseRow[] = [];
  const byShelf = Map.groupBy(plans, (plan) => plan.line.collection);
  const known = new Set(departments.flatMap((department) => (department.children ?? []).map(([slug]) => slug)));
  const unknown = [...byShelf.keys()].filter((slug) => !known.has(slug));
  if (unknown.length > 0) throw new Error(`No collection ${unknown.join(", ")}`);

  const add = (entry: Omit<CollectionRow, "id" | "position" | "image_id"> & { picture: string }): number => {
    const { picture, ...row } = entry;
    collections.push({
      ...row,
      id: collections.length + 1,
      position: collections.length,
      image_id: sharedPicture(picture).id,
    });
    return collections.length;
  };
  const fill = (collectionId: number, of: readonly ProductPlan[]): void => {
    // Listed products first, shuffled so that neighbors are of different vendors.
    const mixed = chance(`collection ${collectionId}`)
      .shuffle(of)
      .toSorted((a, b) => Number(isListed(b)) - Number(isListed(a)));
    mixed.forEach((plan, position) => members.push({ collection_id: collectionId, product_id: plan.id, position }));
  };

  for (const selection of selections) {
    const id = add({
      slug: selection.slug,
      title: selection.title,
      description: selection.description,
      picture: selection.picture,
      parent_id: null,
      show_in_collections: !selection.menu,
      show_in_main_menu: selection.menu,
    });
    fill(id, chance(`choice ${selection.slug}`).sample(plans.filter(selection.fits), selection.max));
  }
  for (const department of departments) {
    const parent = add({
      slug: department.slug,
      title: department.title,
      description: department.description,
      picture: department.picture,
      parent_id: null,
      show_in_collections: true,
      show_in_main_menu: false,
    });
    fill(
      parent,
      (department.children ?? []).flatMap(([slug]) => byShelf.get(slug) ?? []),
    );
    for (const [slug, title, picture] of department.children ?? []) {
      const id = add({
        slug,
        title,
        description: "",
        picture,
        parent_id: parent,
        show_in_collections: true,
        show_in_main_menu: false,
      });
      fill(id, byShelf.get(slug) ?? []);
    }
  }
  return { collections, members };
}
