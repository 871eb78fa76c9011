import { readFileSync } from "node:fs";

import type { Recipe } from "@marketday/server/modules/pictures/recipe";

/** A row of table `picture` that is composed from a recipe. */
export interface DemoPicture {
  /** 16 hex digits. */
  id: string;
  alt: string;
  /** base64 ThumbHash. */
  thumbhash: string;
  recipe: Recipe;
}

const shared = JSON.parse(readFileSync(new URL("./recipes.json", import.meta.url), "utf8")) as Record<
  string,
  DemoPicture
>;

/** The shared pictures by name, as `build-recipes.ts` wrote them. */
export const sharedPictures: ReadonlyMap<string, DemoPicture> = new Map(Object.entries(shared));

/** A shared picture. Throws with the name of one that is not there. */
export function sharedPicture(name: string): DemoPicture {
  const picture = sharedPictures.get(name);
  if (!picture) throw new Error(`No such picture: ${name}`);
  return picture;
}
