import { pickProducts } from "@marketday/domain/shop";
import { describe, expect, test } from "vitest";

import { catalogue, inSeason, kinds, type Line } from "./catalogue.ts";
import { buildCollections } from "./collections.ts";
import { hubPlans } from "./hubs.ts";
import { weekOf } from "./market.ts";
import { buildOffers, planSpecials } from "./offers.ts";
import { sharedPicture } from "./pictures.ts";
import { buildPosts } from "./posts.ts";
import { planProducts, type ProductPlan } from "./products.ts";
import { allRecipes, type NamedRecipe } from "./recipes.ts";

const recipeOf = new Map(allRecipes.map((named) => [named.key, named]));
const motifsOf = (key: string): string[] => {
  const recipe = recipeOf.get(key)?.recipe;
  return recipe && "motifs" in recipe ? recipe.motifs.map((spec) => spec.split(/[/~]/)[0] ?? "") : [];
};
const lines: readonly Line[] = kinds.flatMap((kind) => catalogue[kind]);

/** Motifs of living animals. Fish and shrimps are sold whole. */
const animals =
  /^(baby-chick|bison|cat-face|chicken|cow|dog-face|duck|ewe|goat|hatching-chick|honeybee|ox|pig|rooster|turkey)$/;

/**
 * What the picture of a product shows, by the words of its name; the first row that fits counts, so that a soup of squash is
 * a bowl and a seed packet of tomatoes is a bag.
 */
const shownAs: readonly (readonly [name: RegExp, motifs: RegExp])[] = [
  [/Overnight Oats/, /^tub$/],
  [/Tortillas/, /^flatbread$/],
  [/Shepherd/, /^tray$/],
  [/Chocolate Bar/, /^chocolate-bar$/],
  [/Cauliflower/, /^cauliflower$/],
  [/Blend, (Medium|Light)|French Roast|Decaf/, /^bag$/],
  [/Seed Packet|Grow Kit|Worm Castings|Frozen|Flour|Cornmeal|Grits|Polenta|Oats$|Farro/, /^bag$/],
  [/Starts$/, /^seedling$/],
  [/Dog (Bones|Biscuits)|Soup Bones/, /^bone$/],
  [/Dog Treats|Cat Treats|Sweet Potato Chews/, /^bag$/],
  [/Catnip Mice/, /^toy-mouse$/],
  [/Microgreens|Pea Shoots|Wheatgrass|Micro Arugula/, /^sprouts$/],
  [/Pie$|Galette|Quiche/, /^pie$/],
  [/Soup$|Chili$|Stew$|Pozole/, /^(bowl|pot-of-food)$/],
  [/Lasagna Sheets|Rigatoni/, /^bag$/],
  [/Lasagna/, /^lasagna$/],
  [/Mac and Cheese|Enchiladas|Parmesan$/, /^tray$/],
  [/Curry/, /^curry-rice$/],
  [/Jambalaya/, /^shallow-pan-of-food$/],
  [/Meatloaf/, /^loaf$/],
  [/Pizza/, /^(pizza|margherita)$/],
  [/Tamales/, /^tamale$/],
  [/Burritos/, /^burrito$/],
  [/Taco/, /^taco$/],
  [/Sandwich$/, /^sandwich$/],
  [/Naan|Focaccia/, /^flatbread$/],
  [/Crackers/, /^crackers$/],
  [/Hummus|Guacamole|Dip$|Beer Cheese|Pimento|Spread|(Egg|Chicken) Salad|Pâté|Ricotta$/, /^tub$/],
  [/Salad$|Salad Mix/, /^green-salad$/],
  [/Ravioli/, /^ravioli$/],
  [/Dumplings|Pierogi|Tortelloni/, /^dumpling$/],
  [/Gnocchi|Pecans/, /^nuts$/],
  [/Fettuccine|Pappardelle|Linguine|Tagliatelle|Noodles/, /^pasta-nest$/],
  [/Supper Kit, Pasta/, /^spaghetti$/],
  [/Ice Cream|Brown Butter Pecan/, /^(ice-cream|tub)$/],
  [/Fruit Pops/, /^popsicle$/],
  [/Yogurt|Curds|Feta|Cream Cheese|Cottage|Sour Cream|Crème|Grated/, /^tub$/],
  [/Broth|Ragù|Bolognese|Marinated|Stock$|Herring|Roe$|Tallow|Lard|Ghee/, /^jar$/],
  [/Chèvre/, /^cheese-log$/],
  [/Halloumi|Brownies/, /^block$/],
  [/Blue, Creamy/, /^blue-cheese$/],
  [
    /Cheddar, |Cheddar$|Gouda|Alpine|Havarti|Pepper Jack|Swiss|Tomme|Goat Round|Pecorino|Cheese Board/,
    /^(cheese-wedge|wheel)$/,
  ],
  [/-style Round|Mozzarella/, /^round-cheese$/],
  [/Butter$|Butter, /, /^(butter|cloth-jar|jar)$/],
  [/Honey Butter|Pear Butter/, /^(butter|cloth-jar)$/],
  [/Milk$|Cream Top|Milk,|Heavy Cream|Half and Half|Buttermilk, |Eggnog|Kefir/, /^milk$/],
  [/Pancake Mix/, /^pancakes$/],
  [/Granola/, /^bag$/],
  [/Sausage|Bratwurst|Chorizo|Kielbasa|Andouille|Hot Dogs|Merguez|Breakfast Links/, /^sausage$/],
  [/Jerky|Snack Sticks|Leather/, /^jerky$/],
  [/Bacon/, /^bacon$/],
  [/Patties|Burgers|Fish Cakes|Lion's Mane Cakes|English Muffins/, /^patty$/],
  [/Steak$|New York Strip|Filet Mignon|Bison Ribeye|Beef Sampler/, /^(cut-of-meat|pack)$/],
  [/Ribs/, /^ribs$/],
  [
    /Pork Belly|Hog Sampler|Ground (Beef|Chuck|Pork|Lamb|Bison|Chicken|Turkey)|Chops|Stew (Beef|Meat)|Liver|Brisket/,
    /^pack$/,
  ],
  [/Stew Meat|Tenderloin|Oxtail|Ham Steak|Chicken (Breast|Feet)|Thighs|Half Chicken|Duck Breast|Rabbit/, /^pack$/],
  [/Roast$|Leg of Lamb|Turkey Breast/, /^roast$/],
  [/Whole Chicken|Stewing Hen|Whole Duck|Turkey, Whole/, /^bird$/],
  [/Drumsticks|Wings|Turkey Legs/, /^poultry-leg$/],
  [/Osso Buco|Ham|Hocks/, /^meat-on-bone$/],
  [/Quail Eggs/, /^quail-eggs$/],
  [/Eggs/, /^(egg|carton)$/],
  [/Shrimp/, /^shrimp$/],
  [/Fillets|Portions|Sockeye|Smoked (Trout|Salmon)/, /^fillet$/],
  [/Trout, Whole|Fish Heads/, /^fish$/],
  [/Cut Comb/, /^honeycomb$/],
  [/Candle|Tapers/, /^candle$/],
  [/Food Wraps|Towel/, /^towel$/],
  [
    /Cider Kit|Salt$|Rub$|Seasoning|Paprika|Oregano|Cordyceps|Seeds, Roasted|Cocoa|Espresso Beans|Caramels|Candies/,
    /^tin$/,
  ],
  [/Salve|Lip Balm|Peppermint Tea/, /^tin$/],
  [/Mustard|Pesto|Salsa|Marinara|Crushed|Barbecue|Pickle|Spears|Dilly|Kraut|kraut|Kimchi|Curtido|Hot Carrots/, /^jar$/],
  [/Pollen|Maple Cream|Wildflower Jar|Sourdough Starter/, /^jar$/],
  [
    /Hot Sauce|Ketchup|Oil$|Maple Syrup|Tincture|Elderberry|Vinegar|Kombucha|Beer$|Shrub|Juice|Chai|Cold Brew|Lotion/,
    /^bottle$/,
  ],
  [/Cider$|Cider, |Lemonade|Sorghum/, /^jug$/],
  [/Honey$|Honey Bear|Straws|Creamed/, /^(honey-pot|jar|cloth-jar)$/],
  [/ Jam$|Jelly|Marmalade|Preserves/, /^cloth-jar$/],
  [/Tea$|Earl Grey/, /^(teapot|teacup-without-handle|tin)$/],
  [/Guji|Huehue|Huila|Mandheling|Espresso|Drip|Chicory|Dried Mushroom/, /^bag$/],
  [/Kettle Corn|Popcorn/, /^popcorn$/],
  [/Sourdough|Rye|Loaf|Bread|Rolls$|Buns$|Boule/, /^(boule|loaf|bread|bun|roll)$/],
  [/Baguette/, /^baguette-bread$/],
  [/Pretzels/, /^pretzel$/],
  [/Bagels/, /^bagel$/],
  [/Croissants/, /^croissant$/],
  [/Kolaches/, /^roll$/],
  [/Muffins/, /^muffin$/],
  [/Doughnuts/, /^doughnut$/],
  [/Scones/, /^scone$/],
  [/Waffles/, /^waffle$/],
  [/Cookies|Shortbread/, /^cookies?$/],
  [/Carrot Cake/, /^block$/],
  [/Almond Cake/, /^patty$/],
  [/Shortcake/, /^shortcake$/],
  [/Cupcakes/, /^cupcake$/],
  [/Pudding/, /^custard$/],
  [/Soap|Shampoo Bar|Scrub Bar/, /^(soap-bar|soap)$/],
  [/Yarn|Dryer Balls/, /^yarn$/],
  [/Cutting Board/, /^board$/],
  [/Wooden Spoon/, /^spoon$/],
  [/Kindling|Firewood/, /^wood$/],
  [/Gift Box/, /^wrapped-gift$/],
  [/Basket/, /^basket$/],
  [/Gloves/, /^gloves$/],
  [/Wreath/, /^wreath$/],
  [/Swag|Lavender|Dried Flower|Snapdragons/, /^sprigs$/],
  [/Bouquet/, /^bouquet$/],
  [/Sunflower Bunch/, /^sunflower$/],
  [/Tulip|Lisianthus/, /^tulip$/],
  [/Zinnia|Dahlia/, /^rosette$/],
  [/Peony|Roses/, /^rose$/],
  [/Hyacinths/, /^hyacinth$/],
  [/Flowering Branches/, /^cherry-blossom$/],
  [/Paperwhites|Edible Flowers/, /^blossom$/],
  [/Fern|Pothos/, /^potted-plant$/],
  [/Mini Tree/, /^evergreen-tree$/],
  [/Potted|Herb Planter|Topiary|Herb Trio/, /^pot-herb$/],
  [/Box|Crate/, /^(leafy-green|carrot|potato|red-apple|bunch)$/],
  [/Oyster Mush|King Trumpet|Maitake/, /^oyster-mushroom$/],
  [/Lion's Mane/, /^lions-mane$/],
  [/Shiitake|Cremini|Chestnut Mush|Mushroom/, /^brown-mushroom$/],
  [/Chestnuts/, /^chestnut$/],
  [/Tomatoes/, /^tomato$/],
  [/Bell Peppers/, /^bell-pepper$/],
  [/Peppers|Jalapeños/, /^hot-pepper$/],
  [/Eggplant/, /^eggplant$/],
  [/Zucchini|Crookneck|Summer Squash/, /^zucchini$/],
  [/Delicata|Spaghetti Squash/, /^oval-squash$/],
  [/Butternut/, /^butternut$/],
  [/Squash|Pumpkin|Hubbard/, /^pumpkin$/],
  [/Cucumbers/, /^cucumber$/],
  [/Corn/, /^ear-of-corn$/],
  [/Green Beans/, /^green-beans$/],
  [/Dragon Tongue/, /^streaked-beans$/],
  [/Beans|Soup Mix/, /^beans$/],
  [/Okra/, /^okra$/],
  [/Peas/, /^pea-pod$/],
  [/Sweet Potatoes/, /^roasted-sweet-potato$/],
  [/Potatoes/, /^potato$/],
  [/Carrots|Root Medley/, /^carrot$/],
  [/Beets/, /^root-vegetable$/],
  [/Radishes|Turnips|Kohlrabi/, /^bulb$/],
  [/Ginger/, /^ginger-root$/],
  [/Onions|Shallots/, /^onion$/],
  [/Garlic/, /^garlic$/],
  [/Scallions|Leeks/, /^leek$/],
  [/Broccoli/, /^broccoli$/],
  [/Napa|Lettuce/, /^leafy-green$/],
  [/Cabbage|Brussels/, /^cabbage$/],
  [/Kale|Chard|Collard|Watercress|Mizuna|Braising|Flat Parsley/, /^bunch$/],
  [/Spinach|Arugula|Spring Mix|^Sage/, /^leaves$/],
  [/Chives/, /^chives$/],
  [/Basil|Cilantro|Spearmint/, /^herb$/],
  [/Dill|Thyme/, /^sprigs$/],
  [/Asparagus/, /^asparagus$/],
  [/Asian Pears/, /^red-apple$/],
  [/Apple/, /^(red-apple|green-apple)$/],
  [/Seconds for Sauce/, /^red-apple$/],
  [/Pears/, /^pear$/],
  [/Persimmons/, /^tangerine$/],
  [/Pawpaws/, /^mango$/],
  [/Peaches|Nectarines/, /^peach$/],
  [/Plums|Apricots/, /^plum$/],
  [/Cherries/, /^cherries$/],
  [/Strawberries|Berry Flat/, /^strawberry$/],
  [/Blueberries/, /^blueberries$/],
  [/Raspberries|Blackberries/, /^berries$/],
  [/Grapes/, /^grapes$/],
  [/Cantaloupe/, /^melon$/],
  [/Watermelon/, /^watermelon$/],
  [/Wheat Berries/, /^sheaf-of-rice$/],
];

describe("pictures of the demo", () => {
  test("demo: no product, collection or vendor of meat is shown by a living animal", () => {
    const byId = new Map(allRecipes.map(({ key }) => [sharedPicture(key).id, key]));
    const monday = weekOf(new Date("2026-11-18T15:00:00Z")).monday;
    const collections = buildCollections(planProducts(monday)).collections.map(({ slug, image_id }) => ({
      name: slug,
      key: byId.get(image_id) ?? "",
    }));
    const products = lines.flatMap(({ title, picture, scene }) => [
      { name: title, key: picture },
      { name: title, key: scene },
    ]);
    const alive = ({ key }: { key: string }) => motifsOf(key).some((motif) => animals.test(motif));
    expect([...collections, ...products].filter(alive)).toEqual([]);
    const isOfMeat = ({ recipe }: NamedRecipe) =>
      recipe.kind === "hero" && recipe.motifs.some((motif) => /^(cut-of-meat|bacon|bird|roast|pack)/.test(motif));
    expect(allRecipes.filter(isOfMeat).filter(alive)).toEqual([]);
  });

  test("demo: the picture of each product shows what its name says", () => {
    const unlike = lines.flatMap(({ title, picture }) => {
      const row = shownAs.find(([name]) => name.test(title));
      return row && motifsOf(picture).some((motif) => row[1].test(motif))
        ? []
        : [`${title}: ${motifsOf(picture).join(", ")}, not ${row?.[1].source ?? "in the table"}`];
    });
    expect(unlike).toEqual([]);
  });
});

test("demo: every size of every product says how much it is", () => {
  const plans = planProducts(weekOf(new Date("2026-11-18T15:00:00Z")).monday);
  const { variants } = buildOffers(plans, new Map(), new Date("2026-11-16T00:00:00Z"));
  expect(variants.filter(({ unit }) => !/\p{L}{2}/u.test(unit ?? ""))).toEqual([]);
});

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const months = Array.from({ length: 12 }, (_, place) => place + 1);

test.for(months)("demo: a market made in month %i opens with food of the season in every hub", (month) => {
  const { monday, anchor } = weekOf(new Date(Date.UTC(2026, month - 1, 24, 12)));
  const plans = planProducts(monday);
  const posts = buildPosts(plans, planSpecials(plans, monday), anchor);
  const planOf = new Map(plans.map((plan) => [plan.id, plan]));
  for (const hub of hubPlans) {
    const feed = posts
      .toSorted((a, b) => (textOf(a["created_at"]) < textOf(b["created_at"]) ? 1 : -1))
      .flatMap((post) => {
        const plan = planOf.get(Number(post["product_id"]));
        if (!plan?.vendor.hubIds.includes(hub.id)) return [];
        return [{ type: textOf(post["type"]), product: { id: plan.id, plan, variants: [{ inventory: 1 }] } }];
      });
    const picks = pickProducts<{ id: number; plan: ProductPlan; variants: { inventory: number }[] }>(feed).map(
      ({ plan }) => plan,
    );
    expect(picks, hub.name).toHaveLength(12);
    expect(picks.filter(({ line }) => !inSeason(line.season, month))).toEqual([]);
    const notFood = /^(bouquets|wreaths-dried|plants|soap|candles-wool|pets|spices|coffee|tea|boxes)$/;
    expect(picks.filter(({ line }) => notFood.test(line.collection) || line.tags.includes("gift"))).toEqual([]);
    expect(new Set(picks.map(({ line }) => line.collection)).size, hub.name).toBeGreaterThanOrEqual(5);
    // What has a season stands before what there is all year.
    const fresh = picks.map(({ line }) => line.season !== null);
    expect(fresh.indexOf(false), `${hub.name}: ${picks.map(({ line }) => line.title).join(", ")}`).toBe(
      fresh.lastIndexOf(true) + 1,
    );
  }
});
