import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { PictureRow } from "./rows.ts";

/** A picture of the demo, as `build-pictures.ts` wrote it. */
export interface DemoPicture {
  /** 16 hex digits, those that `market images import` gives the file. */
  id: string;
  alt: string;
  /** base64 ThumbHash. */
  thumbhash: string;
}

/** The pictures by key. */
export const sharedPictures: ReadonlyMap<string, DemoPicture> = new Map(
  Object.entries(
    JSON.parse(readFileSync(new URL("./pictures.json", import.meta.url), "utf8")) as Record<string, DemoPicture>,
  ),
);

/** The name operators find a picture under: `tomatoes-red.webp`. */
export const pictureFile = (key: string): string => `${key}.webp`;

/** The rows of table `picture`. */
export const pictureRows = (): PictureRow[] =>
  [...sharedPictures].map(([key, picture]) => ({ ...picture, file: `${picture.id}-${pictureFile(key)}` }));

/** The path of a picture's file. */
export const picturePath = (key: string): string =>
  fileURLToPath(new URL(`./pictures/${pictureFile(key)}`, import.meta.url));

/** A picture by its key. Throws `No such picture` with the key. */
export function sharedPicture(key: string): DemoPicture {
  const picture = sharedPictures.get(key);
  if (!picture) throw new Error(`No such picture: ${key}`);
  return picture;
}
