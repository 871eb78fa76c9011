import sharp from "sharp";
import { expect, test } from "vitest";

import { compose, motifBody } from "./compose.ts";
import { drawPicture } from "./draw.ts";
import { colorNames, drawing, drawingNames } from "./drawings.ts";
import { grounds, layouts, recipeId, recipeSize, type Recipe } from "./recipe.ts";

const tomatoes: Recipe = { kind: "still", ground: "gingham", palette: 2, layout: "heap", motifs: ["tomato"] };
const hero: Recipe = { kind: "hero", vendorColor: 3, motifs: ["carrot", "leafy-green"] };
const avatar: Recipe = { kind: "avatar", vendorColor: 5, initials: "B&" };

test("recipe id: it is independent of the order of the keys and differs with the content", () => {
  const reordered: Recipe = { motifs: ["tomato"], layout: "heap", palette: 2, ground: "gingham", kind: "still" };
  expect(recipeId(reordered)).toBe(recipeId(tomatoes));
  expect(recipeId({ ...tomatoes, palette: 3 })).not.toBe(recipeId(tomatoes));
  expect(recipeId(tomatoes)).toMatch(/^[0-9a-f]{16}$/);
});

test("drawing: every ground and layout composes to the same SVG each time", () => {
  for (const ground of grounds) {
    for (const layout of layouts) {
      const recipe: Recipe = { kind: "still", ground, palette: 0, layout, motifs: ["carrot~purple", "jar/peach"] };
      expect(compose(recipe)).toBe(compose(structuredClone(recipe)));
    }
  }
});

test("drawing: every drawing exists in every color and is well-formed", async () => {
  const all = drawingNames.flatMap((name) => colorNames.map((color) => drawing(`${name}/${color}`) ?? "missing"));
  expect(all).not.toContain("missing");
  expect(all.filter((body) => /undefined|NaN/.test(body))).toEqual([]);
  const sheet = drawingNames.map((name) => drawing(name)).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128">${sheet}</svg>`;
  expect((await sharp(Buffer.from(svg)).metadata()).format).toBe("svg");
});

test("drawing: an unknown motif, color or tint throws with its name", () => {
  for (const spec of ["durian", "jar/plaid", "tomato~plaid", "constructor", "jar/constructor", "tomato~constructor"])
    expect(() => motifBody(spec)).toThrow(`unknown motif: ${spec}`);
});

test.for([tomatoes, hero, avatar])("drawing: %o becomes the same WebP in its size each time", async (recipe) => {
  const bytes = await drawPicture(recipe);
  expect(bytes.equals(await drawPicture(recipe))).toBe(true);
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", ...recipeSize(recipe) });
});
