import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import fastify, { type FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { fileThumbhash } from "./import-pictures.ts";
import { formats, widths } from "./render.ts";
import { picturesRoutes } from "./routes.ts";

const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#B5301C" } })
    .withExif({ IFD0: { Copyright: "secret place" } })
    .jpeg()
    .toBuffer();

test("ThumbHash: a picture has the same one each time", async () => {
  const bytes = await photo(300, 200);
  const first = await fileThumbhash(bytes);
  expect(first).toBe(await fileThumbhash(bytes));
  expect(Buffer.from(first, "base64").length).toBeGreaterThan(4);
});

describe("GET /img", () => {
  const id = "00000000000000aa";
  const files = new Map<string, string>();
  const uploads = new Map<string, Buffer>();
  let app: FastifyInstance;
  let dir: string;
  let rendered: string[];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "pictures-"));
    rendered = [];
    files.clear();
    uploads.clear();
    files.set(id, "x.jpg");
    uploads.set("x.jpg", await photo(300, 200));
    app = fastify();
    app.setNotFoundHandler((_request, reply) => reply.code(404).send(["Not found.", { code: "not_found" }]));
    await app.register(picturesRoutes, {
      find: (id: string) => Promise.resolve(files.get(id) ?? null),
      read: (file: string) => Promise.resolve(uploads.get(file)!),
      dir,
      onRender: (name: string) => rendered.push(name),
    });
  });
  afterEach(async () => {
    await app.close();
    await rm(dir, { recursive: true, force: true });
  });

  test.for([
    { size: [1200, 1600], height: 960, of: "a photo, cut square" },
    { size: [960, 480], height: 480, of: "a vendor's hero, uncut" },
    { size: [960, 540], height: 540, of: "an article's picture, uncut" },
    { size: [540, 960], height: 960, of: "a portrait, cut square" },
  ])("pictures: $of, is served in every size and format", async ({ size: [width = 0, height = 0], height: full }) => {
    uploads.set("x.jpg", await photo(width, height));
    for (const width of widths) {
      for (const format of formats) {
        const response = await app.inject(`/img/${id}/${width}.${format}`);
        expect(response.statusCode).toBe(200);
        const meta = await sharp(response.rawPayload).metadata();
        expect([meta.width, meta.height]).toEqual([width, (width * full) / 960]);
        expect(meta.format).toBe({ avif: "heif", webp: "webp", jpg: "jpeg" }[format]);
        expect(response.headers["content-type"]).toBe(format === "jpg" ? "image/jpeg" : `image/${format}`);
        expect(response.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
        expect(response.headers["x-content-type-options"]).toBe("nosniff");
      }
    }
  });

  test("pictures: a second request gets the same bytes from the cache", async () => {
    const url = `/img/${id}/320.webp`;
    const first = await app.inject(url);
    const second = await app.inject(url);
    expect(second.rawPayload.equals(first.rawPayload)).toBe(true);
    expect(rendered).toEqual([`${id}/320.webp`]);
  });

  test("pictures: twenty concurrent first requests render once and leave no partial file", async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => app.inject(`/img/${id}/160.avif`)));
    expect(new Set(responses.map((response) => response.rawPayload.toString("base64"))).size).toBe(1);
    expect(rendered.length).toBe(1);
    expect(await readdir(join(dir, id))).toEqual(["160.avif"]);
  });

  test.for([
    "/img/0123456789abcdef/480.avif",
    `/img/${id}/481.avif`,
    `/img/${id}/480.png`,
    `/img/${id}/480.avif.webp`,
    `/img/${id}/0480.avif`,
    `/img/${id}/..%2f..%2fetc%2fpasswd`,
    "/img/..%2f..%2f..%2f..%2fetc/480.avif",
    "/img/../../etc/480.avif",
    `/img/${id.toUpperCase()}/480.avif`,
  ])("pictures: %s is 404", { tags: ["fail:I17"] }, async (url) => {
    expect((await app.inject(url)).statusCode).toBe(404);
    expect(rendered).toEqual([]);
    expect(await readdir(dir)).toEqual([]);
  });

  test("pictures: a photo is rotated upright, cut square and stripped of its metadata", async () => {
    const response = await app.inject(`/img/${id}/320.jpg`);
    const meta = await sharp(response.rawPayload).metadata();
    expect([meta.width, meta.height, meta.exif]).toEqual([320, 320, undefined]);
    expect(response.rawPayload.includes("secret place")).toBe(false);
  });

  test("pictures: a damaged file is a 500 that is not cached; once the file is repaired the picture is served", async () => {
    uploads.set("x.jpg", Buffer.from("not a picture"));
    expect((await app.inject(`/img/${id}/160.webp`)).statusCode).toBe(500);
    uploads.set("x.jpg", await photo(300, 200));
    expect((await app.inject(`/img/${id}/160.webp`)).statusCode).toBe(200);
    expect((await stat(join(dir, `${id}/160.webp`))).size).toBeGreaterThan(50);
  });
});
