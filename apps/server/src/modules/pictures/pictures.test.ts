import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import fastify, { type FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { compose, motifBody } from "./compose.ts";
import { colourNames, drawing, drawingNames } from "./drawings.ts";
import { grounds, layouts, recipeId, recipeSchema, recipeSize, type Recipe } from "./recipe.ts";
import { formats, widths } from "./render.ts";
import { picturesRoutes } from "./routes.ts";
import { recipeThumbhash } from "./thumb.ts";

const tomatoes: Recipe = { kind: "still", ground: "gingham", palette: 2, layout: "heap", motifs: ["tomato"] };
const hero: Recipe = { kind: "hero", stall: 3, motifs: ["carrot", "leafy-green"] };
const avatar: Recipe = { kind: "avatar", stall: 5, initials: "B&" };

describe("recipes", () => {
  test("the id does not depend on the order of the keys, and differs with the content", () => {
    const turned = recipeSchema.parse({
      motifs: ["tomato"],
      layout: "heap",
      palette: 2,
      ground: "gingham",
      kind: "still",
    });
    expect(recipeId(turned)).toBe(recipeId(tomatoes));
    expect(recipeId({ ...tomatoes, palette: 3 })).not.toBe(recipeId(tomatoes));
    expect(recipeId(tomatoes)).toMatch(/^[0-9a-f]{16}$/);
  });

  test("every ground and layout composes to the same drawing each time", () => {
    for (const ground of grounds) {
      for (const layout of layouts) {
        const recipe: Recipe = { kind: "still", ground, palette: 0, layout, motifs: ["carrot~purple", "jar/peach"] };
        expect(compose(recipe)).toBe(compose(structuredClone(recipe)));
      }
    }
  });

  test("every drawing of ours exists in every colour and is well-formed", async () => {
    const all = drawingNames.flatMap((name) => colourNames.map((colour) => drawing(`${name}/${colour}`) ?? "missing"));
    expect(all).not.toContain("missing");
    expect(all.filter((body) => /undefined|NaN/.test(body))).toEqual([]);
    const sheet = drawingNames.map((name) => drawing(name)).join("");
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128">${sheet}</svg>`;
    expect((await sharp(Buffer.from(svg)).metadata()).format).toBe("svg");
  });

  test("an unknown motif, colour or tint is refused by name", () => {
    for (const spec of [
      "durian",
      "jar/plaid",
      "tomato~plaid",
      "constructor",
      "jar/constructor",
      "tomato~constructor",
    ]) {
      expect(() => motifBody(spec)).toThrow(`unknown motif: ${spec}`);
    }
  });

  test("a ThumbHash is the same each time", async () => {
    const first = await recipeThumbhash(tomatoes);
    expect(first).toBe(await recipeThumbhash(tomatoes));
    expect(Buffer.from(first, "base64").length).toBeGreaterThan(10);
  });
});

describe("GET /img", () => {
  const rows = new Map<string, { recipe: unknown; file: string | null }>();
  let app: FastifyInstance;
  let dir: string;
  let rendered: string[];
  let upload: Buffer;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "pictures-"));
    rendered = [];
    rows.clear();
    for (const recipe of [tomatoes, hero, avatar]) rows.set(recipeId(recipe), { recipe, file: null });
    app = fastify();
    app.setNotFoundHandler((_request, reply) => reply.code(404).send(["Not found.", { code: "not_found" }]));
    await app.register(picturesRoutes, {
      find: (id: string) => Promise.resolve(rows.get(id) ?? null),
      read: () => Promise.resolve(upload),
      dir,
      onRender: (name: string) => rendered.push(name),
    });
  });
  afterEach(async () => {
    await app.close();
    await rm(dir, { recursive: true, force: true });
  });

  test.for([tomatoes, hero, avatar])("%o comes in every size and format", async (recipe) => {
    const { width: fullWidth, height: fullHeight } = recipeSize(recipe);
    for (const width of widths) {
      for (const format of formats) {
        const answer = await app.inject(`/img/${recipeId(recipe)}/${width}.${format}`);
        expect(answer.statusCode).toBe(200);
        const meta = await sharp(answer.rawPayload).metadata();
        expect([meta.width, meta.height]).toEqual([width, (width * fullHeight) / fullWidth]);
        expect(meta.format).toBe({ avif: "heif", webp: "webp", jpg: "jpeg" }[format]);
        expect(answer.headers["content-type"]).toBe(format === "jpg" ? "image/jpeg" : `image/${format}`);
        expect(answer.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
        expect(answer.headers["x-content-type-options"]).toBe("nosniff");
      }
    }
  });

  test("a second request gets the same bytes from the cache", async () => {
    const url = `/img/${recipeId(tomatoes)}/320.webp`;
    const first = await app.inject(url);
    const second = await app.inject(url);
    expect(second.rawPayload.equals(first.rawPayload)).toBe(true);
    expect(rendered).toEqual([`${recipeId(tomatoes)}/320.webp`]);
  });

  test("twenty first requests at once make it once and leave no half-written file", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.inject(`/img/${recipeId(tomatoes)}/160.avif`)),
    );
    expect(new Set(answers.map((answer) => answer.rawPayload.toString("base64"))).size).toBe(1);
    expect(rendered.length).toBe(1);
    expect(await readdir(join(dir, recipeId(tomatoes)))).toEqual(["160.avif"]);
  });

  test.for([
    "/img/0123456789abcdef/480.avif",
    `/img/${recipeId(tomatoes)}/481.avif`,
    `/img/${recipeId(tomatoes)}/480.png`,
    `/img/${recipeId(tomatoes)}/480.avif.webp`,
    `/img/${recipeId(tomatoes)}/0480.avif`,
    `/img/${recipeId(tomatoes)}/..%2f..%2fetc%2fpasswd`,
    "/img/..%2f..%2f..%2f..%2fetc/480.avif",
    "/img/../../etc/480.avif",
    `/img/${recipeId(tomatoes).toUpperCase()}/480.avif`,
  ])("%s is not found", { tags: ["fail:I17"] }, async (url) => {
    expect((await app.inject(url)).statusCode).toBe(404);
    expect(rendered).toEqual([]);
    expect(await readdir(dir)).toEqual([]);
  });

  test("an upload is turned upright, cut square and stripped", async () => {
    const pixels = { width: 300, height: 200, channels: 3, background: "#B5301C" } as const;
    upload = await sharp({ create: pixels })
      .withExif({ IFD0: { Copyright: "secret place" } })
      .jpeg()
      .toBuffer();
    rows.set("00000000000000aa", { recipe: null, file: "x.jpg" });
    const answer = await app.inject("/img/00000000000000aa/320.jpg");
    const meta = await sharp(answer.rawPayload).metadata();
    expect([meta.width, meta.height, meta.exif]).toEqual([320, 320, undefined]);
    expect(answer.rawPayload.includes("secret place")).toBe(false);
  });

  test("a row with a broken recipe is a 500 and stays uncached, so that a mended row works", async () => {
    rows.set("00000000000000bb", { recipe: { kind: "still" }, file: null });
    expect((await app.inject("/img/00000000000000bb/160.webp")).statusCode).toBe(500);
    rows.set("00000000000000bb", { recipe: tomatoes, file: null });
    expect((await app.inject("/img/00000000000000bb/160.webp")).statusCode).toBe(200);
    expect((await stat(join(dir, "00000000000000bb/160.webp"))).size).toBeGreaterThan(500);
  });
});
