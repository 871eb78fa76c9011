import { createHash } from "node:crypto";

/** Backgrounds of a still life. */
export const grounds = ["gingham", "linen", "crate", "sun", "arch"] as const;
/** Arrangements of the motifs in a still life. */
export const layouts = ["one", "pair", "trio", "heap", "row", "ring", "crate", "plate", "scatter", "stack"] as const;

interface Scene {
  ground: (typeof grounds)[number];
  /** One of the 8 papers, from 0. */
  palette: number;
  motifs: readonly string[];
}

/**
 * The content of a drawn picture. A motif is a name in `motifs.json` or in `drawings.ts` (`jar/strawberry`), with an
 * optional tint: `tomato~gold` is a yellow tomato. `vendorColor` is one of the 8 vendor colors, from 0.
 */
export type Recipe =
  | (Scene & { kind: "still"; layout: (typeof layouts)[number] })
  /** A post's or article's picture: 16 : 9. */
  | (Scene & { kind: "wide" })
  /** A vendor's hero: 2 : 1, in the vendor color. */
  | { kind: "hero"; vendorColor: number; motifs: readonly string[] }
  /** A vendor's logo: up to two initials (A to Z, &) in Vollkorn on the vendor color. */
  | { kind: "avatar"; vendorColor: number; initials: string };

const canonical = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(canonical).join(",")}]`
    : value !== null && typeof value === "object"
      ? `{${Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
          .join(",")}}`
      : JSON.stringify(value);

/** 16 hex digits of the recipe's SHA-256, independent of the order of its keys. It seeds the drawing. */
export function recipeId(recipe: Recipe): string {
  return createHash("sha256")
    .update(`1:${canonical(recipe)}`)
    .digest("hex")
    .slice(0, 16);
}

/** Width and height of a recipe's picture in pixels. */
export function recipeSize(recipe: Recipe): { width: number; height: number } {
  if (recipe.kind === "hero") return { width: 960, height: 480 };
  if (recipe.kind === "wide") return { width: 960, height: 540 };
  return { width: 960, height: 960 };
}
