/**
 * Draws the demo's pictures: `data/pictures/*.webp`, and `data/pictures.json` with the id, text and ThumbHash of each.
 * Takes some minutes. Run it after a change of `data/recipes.ts` or of `drawing/`: `node scripts/demo/build-pictures.ts`.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";

import { fileThumbhash, pictureId } from "@marketday/server/modules/pictures/import-pictures";

import { type DemoPicture, pictureFile, picturePath } from "./data/pictures.ts";
import { allRecipes } from "./data/recipes.ts";
import { drawPicture } from "./drawing/draw.ts";

if (import.meta.main) {
  const folder = new URL("./data/pictures/", import.meta.url);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const lines: string[] = [];
  for (const { key, alt, recipe } of allRecipes) {
    const bytes = await drawPicture(recipe);
    await writeFile(picturePath(key), bytes);
    const picture: DemoPicture = {
      id: pictureId(pictureFile(key), bytes),
      alt,
      thumbhash: await fileThumbhash(bytes),
    };
    lines.push(`  ${JSON.stringify(key)}: ${JSON.stringify(picture)}`);
  }
  await writeFile(new URL("./data/pictures.json", import.meta.url), `{\n${lines.join(",\n")}\n}\n`);
  console.log(`${lines.length} pictures`);
}
