/**
 * Writes `data/recipes.json`: every shared picture with its id and ThumbHash, so that filling a market composes nothing.
 * Run it after a change of `data/recipes.ts` or of the drawings: `node scripts/demo/build-recipes.ts`.
 */
import { writeFile } from "node:fs/promises";

import { recipeId } from "@marketday/server/modules/pictures/recipe";
import { recipeThumbhash } from "@marketday/server/modules/pictures/thumb";

import type { DemoPicture } from "./data/pictures.ts";
import { namedRecipes, type NamedRecipe } from "./data/recipes.ts";
import { vendorPictures, vendorPlans } from "./data/vendors.ts";

/** The row of one shared picture. */
export async function buildPicture({ alt, recipe }: NamedRecipe): Promise<DemoPicture> {
  return { id: recipeId(recipe), alt, thumbhash: await recipeThumbhash(recipe), recipe };
}

/** All pictures of the market: the shared ones, then each stall's plate and hero. */
export const allRecipes: readonly NamedRecipe[] = [
  ...namedRecipes,
  ...vendorPlans.flatMap((plan) => {
    const { avatar, hero } = vendorPictures(plan);
    return [
      { key: `avatar-${plan.id}`, alt: `${plan.name}, its plate`, recipe: avatar.recipe },
      { key: `hero-${plan.id}`, alt: `The stall of ${plan.name}`, recipe: hero.recipe },
    ];
  }),
];

if (import.meta.main) {
  const lines: string[] = [];
  for (const named of allRecipes)
    lines.push(`  ${JSON.stringify(named.key)}: ${JSON.stringify(await buildPicture(named))}`);
  await writeFile(new URL("./data/recipes.json", import.meta.url), `{\n${lines.join(",\n")}\n}\n`);
  console.log(`${lines.length} pictures`);
}
