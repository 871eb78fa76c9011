import { createHash } from "node:crypto";

import { z } from "zod";

/** Grounds of a still life. */
export const grounds = ["gingham", "linen", "crate", "sun", "arch"] as const;
/** How the motifs of a still life lie. */
export const layouts = ["one", "pair", "trio", "heap", "row", "ring", "crate", "plate", "scatter", "stack"] as const;

/**
 * The edition of the drawings. A picture is cached for ever under its id, so a change of how a recipe looks is a new
 * edition, hence new ids.
 */
const edition = 1;

const motif = z.string().min(1).max(60);

/**
 * What a picture is made of. `motifs` are names of `motifs.json` or of our own drawings (`jar/strawberry`), each with an
 * optional tint: `tomato~gold` is a yellow tomato. `palette` is one of 8 papers, `stall` one of the
 * 8 vendor colors.
 */
export const recipeSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("still"),
    ground: z.enum(grounds),
    palette: z.int().min(0).max(7),
    layout: z.enum(layouts),
    motifs: z.array(motif).min(1).max(6),
  }),
  /** A vendor's hero: 2 : 1, in the stall colour. */
  z.object({ kind: z.literal("hero"), stall: z.int().min(0).max(7), motifs: z.array(motif).min(1).max(6) }),
  /** A post's or article's picture: 16 : 9. */
  z.object({
    kind: z.literal("wide"),
    ground: z.enum(grounds),
    palette: z.int().min(0).max(7),
    motifs: z.array(motif).min(1).max(6),
  }),
  /** A vendor's or shopper's plate: up to two initials in Vollkorn on the stall colour. */
  z.object({ kind: z.literal("avatar"), stall: z.int().min(0).max(7), initials: z.string().regex(/^[A-Z&]{1,2}$/) }),
]);

/** What a picture is made of; see `recipeSchema`. */
export type Recipe = z.infer<typeof recipeSchema>;

const canonical = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(canonical).join(",")}]`
    : value !== null && typeof value === "object"
      ? `{${Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
          .join(",")}}`
      : JSON.stringify(value);

/** The id of the picture a recipe makes: 16 hex digits of its SHA-256, whatever the order of its keys. */
export function recipeId(recipe: Recipe): string {
  return createHash("sha256")
    .update(`${edition}:${canonical(recipe)}`)
    .digest("hex")
    .slice(0, 16);
}

/** Width and height of the picture a recipe makes, in pixels at its largest size. */
export function recipeSize(recipe: Recipe): { width: number; height: number } {
  if (recipe.kind === "hero") return { width: 960, height: 480 };
  if (recipe.kind === "wide") return { width: 960, height: 540 };
  return { width: 960, height: 960 };
}
