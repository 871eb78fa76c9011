import { readFileSync } from "node:fs";

import { drawing } from "./drawings.ts";
import { ground, vendorGround, vendorColors, type Canvas, type Random } from "./grounds.ts";
import { decorations, placeOnShelf, placements, type Placement } from "./layouts.ts";
import { recipeId, type Recipe } from "./recipe.ts";

const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
let motifs: Record<string, string> | undefined;
interface Letters {
  unitsPerEm: number;
  capHeight: number;
  glyphs: Record<string, { d: string; w: number }>;
}
let letters: Letters | undefined;

/** The SVG body of a motif on a 128 × 128 grid. Throws `unknown motif` with its name. */
export function motifBody(spec: string): string {
  const [name = "", tint] = spec.split("~");
  motifs ??= readJson("./motifs.json") as Record<string, string>;
  const body = name.includes("/") ? drawing(name) : Object.hasOwn(motifs, name) ? motifs[name] : drawing(name);
  if (body === undefined || (tint !== undefined && !Object.hasOwn(tints, tint)))
    throw new Error(`unknown motif: ${spec}`);
  return body;
}

const tintOf = (spec: string): string | undefined => spec.split("~")[1];

/** Color matrices (`feColorMatrix`) that turn a red tomato into a yellow one. */
const tints: Record<string, string> = {
  gold: "1 0 0 0 0  .72 .28 0 0 0  0 0 .5 0 0  0 0 0 1 0",
  orange: "1 0 0 0 0  .42 .5 0 0 0  0 0 .5 0 0  0 0 0 1 0",
  purple: ".5 .08 0 0 0  .02 .4 .1 0 0  .34 .1 .3 0 .04  0 0 0 1 0",
  pink: "1 0 0 0 0  .4 .6 0 0 0  .45 .1 .4 0 0  0 0 0 1 0",
  white: ".35 .1 .05 0 .52  .32 .14 .05 0 .5  .28 .14 .08 0 .46  0 0 0 1 0",
  dark: ".62 0 0 0 0  0 .5 0 0 0  0 0 .55 0 0  0 0 0 1 0",
  green: ".42 .2 0 0 0  .38 .55 0 0 0  .1 .05 .4 0 0  0 0 0 1 0",
  blue: ".42 .12 .1 0 .05  .3 .42 .1 0 .1  .3 .2 .5 0 .14  0 0 0 1 0",
  black: ".22 0 0 0 .02  .14 .1 0 0 .03  .1 0 .2 0 .05  0 0 0 1 0",
  tan: ".6 .1 0 0 .3  .45 .2 0 0 .22  .3 .1 .2 0 .12  0 0 0 1 0",
  red: "1 .1 0 0 0  .1 .22 0 0 0  .1 .1 .3 0 0  0 0 0 1 0",
};

/** The y coordinate at which a motif touches the ground, where it is above the bottom of the 128 × 128 grid. */
const bottoms: Record<string, number> = {
  boule: 110,
  loaf: 110,
  sausage: 112,
  fillet: 106,
  pack: 106,
  "round-cheese": 108,
  wheel: 114,
  carton: 114,
  jerky: 106,
  cookies: 122,
  "soap-bar": 104,
  "baguette-bread": 112,
  butter: 96,
  flatbread: 108,
  croissant: 108,
  bacon: 112,
  honeybee: 118,
  "blue-cheese": 112,
  "cheese-log": 106,
  bird: 112,
  roast: 110,
  patty: 110,
  bun: 108,
  "pasta-nest": 112,
  "oval-squash": 108,
};
const bottomOf = (spec: string): number => bottoms[spec.split(/[~/]/)[0] ?? ""] ?? 121;

/** Random numbers seeded by the recipe, so that a picture is the same on every machine. */
function randomOf(recipe: Recipe): Random {
  let seed = Number.parseInt(recipeId(recipe).slice(0, 8), 16);
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

const shadow =
  `<radialGradient id="sh"><stop offset="0" stop-color="#3a2a10" stop-opacity=".34"/>` +
  `<stop offset=".7" stop-color="#3a2a10" stop-opacity=".14"/><stop offset="1" stop-color="#3a2a10" stop-opacity="0"/></radialGradient>`;

function drawMotifs(specs: readonly string[], at: readonly Placement[], random: Random): string {
  return at
    .map(([x, y, size, rotation], i) => {
      const spec = specs[i % specs.length] ?? "";
      const tint = tintOf(spec);
      const filter = tint === undefined ? "" : ` filter="url(#tint-${tint})"`;
      const angle = (rotation + random() * 6 - 3).toFixed(2);
      return (
        `<ellipse cx="${x}" cy="${y + size * (bottomOf(spec) / 128 - 0.5)}" rx="${size * 0.5}" ry="${size * 0.1}" fill="url(#sh)"/>` +
        `<g transform="translate(${x} ${y}) rotate(${angle}) scale(${(size / 128).toFixed(4)}) translate(-64 -64)"${filter}>${motifBody(spec)}</g>`
      );
    })
    .join("");
}

function svgDocument(canvas: Canvas, specs: readonly string[], inner: string): string {
  const used = [...new Set(specs.map(tintOf).filter((tint) => tint !== undefined))];
  const filters = used
    .map(
      (tint) =>
        `<filter id="tint-${tint}" color-interpolation-filters="sRGB"><feColorMatrix values="${tints[tint]}"/></filter>`,
    )
    .join("");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ` +
    `viewBox="0 0 ${canvas.width} ${canvas.height}"><defs>${shadow}${filters}</defs>${inner}</svg>`
  );
}

/** A still life. A layout with more placements than motifs repeats the motifs. */
function drawStill(recipe: Extract<Recipe, { kind: "still" }>): string {
  const canvas = { width: 1200, height: 1200 };
  const random = randomOf(recipe);
  const decoration = decorations[recipe.layout] ?? {};
  const back = ground(recipe.ground, recipe.palette, canvas, random);
  const body =
    (decoration.under ?? "") + drawMotifs(recipe.motifs, placements[recipe.layout], random) + (decoration.over ?? "");
  return svgDocument(canvas, recipe.motifs, back + body);
}

function drawWide(recipe: Extract<Recipe, { kind: "wide" | "hero" }>): string {
  const canvas = { width: 1600, height: recipe.kind === "hero" ? 800 : 900 };
  const random = randomOf(recipe);
  const hero = recipe.kind === "hero";
  const back = hero ? vendorGround(recipe.vendorColor, canvas) : ground(recipe.ground, recipe.palette, canvas, random);
  const at = placeOnShelf(Math.max(recipe.motifs.length, 3), canvas.height, canvas.height * (hero ? 0.86 : 0.88));
  // Placements are ordered from the outermost one; the recipe's first motif is in the middle, in front.
  const specs = at.map((_, i) => recipe.motifs[(at.length - 1 - i) % recipe.motifs.length] ?? "");
  return svgDocument(canvas, recipe.motifs, back + drawMotifs(specs, at, random));
}

function drawAvatar(recipe: Extract<Recipe, { kind: "avatar" }>): string {
  const canvas = { width: 400, height: 400 };
  letters ??= readJson("./letters.json") as Letters;
  const { glyphs, capHeight } = letters;
  const [base, light] = vendorColors[recipe.vendorColor] ?? ["#1F5B3A", "#3C7B58"];
  const chars = [...recipe.initials].map((char) => glyphs[char] ?? { d: "", w: 0 });
  const width = chars.reduce((sum, glyph) => sum + glyph.w, 0);
  const scale = Math.min(250 / width, 190 / capHeight);
  let x = 0;
  const text = chars
    .map((glyph) => {
      const path = `<path transform="translate(${x} 0)" d="${glyph.d}"/>`;
      x += glyph.w;
      return path;
    })
    .join("");
  const left = 200 - (width * scale) / 2;
  const bottom = 200 + (capHeight * scale) / 2;
  const plate =
    `<rect width="400" height="400" fill="${base}"/><circle cx="200" cy="200" r="168" fill="none" stroke="${light}" stroke-width="6"/>` +
    `<circle cx="200" cy="200" r="156" fill="none" stroke="${light}" stroke-width="2"/>`;
  return svgDocument(
    canvas,
    [],
    `${plate}<g fill="#FFFDF8" transform="translate(${left} ${bottom}) scale(${scale})">${text}</g>`,
  );
}

/** The picture of a recipe as SVG, without grain. Throws on an unknown motif. */
export function compose(recipe: Recipe): string {
  if (recipe.kind === "still") return drawStill(recipe);
  if (recipe.kind === "avatar") return drawAvatar(recipe);
  return drawWide(recipe);
}
