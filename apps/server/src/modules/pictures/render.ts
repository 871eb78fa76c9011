import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

import sharp from "sharp";

import { compose } from "./compose.ts";
import { recipeSchema, recipeSize } from "./recipe.ts";

// One thread a picture: with two at once, half of the shared thread pool stays free for files and password hashes.
sharp.concurrency(1);
sharp.cache({ memory: 24, files: 0, items: 50 });

/** Widths a picture is served in (docs/product.md §2). */
export const widths = [160, 320, 480, 960] as const;
/** Formats a picture is served in. */
export const formats = ["avif", "webp", "jpg"] as const;
export type Width = (typeof widths)[number];
export type Format = (typeof formats)[number];

/** What a picture's row says: a recipe to compose, or the name of an uploaded file. */
export interface PictureSource {
  recipe: unknown;
  file: string | null;
}

export interface RendererOptions {
  /** The row of a picture, or null when there is none. Asked only when a size is not in the cache. */
  find: (id: string) => Promise<PictureSource | null>;
  /** Where finished sizes are kept: `{dir}/{id}/{width}.{format}`. */
  dir: string;
  /** Reads an uploaded file; without it, from `{dir}/uploads`. */
  read?: (file: string) => Promise<Buffer>;
  /** Called when a size is really made, not taken from the cache. */
  onRender?: (name: string) => void;
  /** Called when a finished size could not be kept, on a full disk for one; it is sent all the same. */
  onNotKept?: (error: unknown) => void;
}

/** A picture before it is sized: raw RGB. */
interface Base {
  data: Buffer;
  width: number;
  height: number;
}

const atOnce = 2;
const basesKept = 12;
/** Bases are composed at these widths: a tile's costs a quarter of a full one, and most pictures are only seen as tiles. */
type BaseWidth = 480 | 960;
const grains = new Map<BaseWidth, Promise<Buffer>>();

/** The same paper grain for every picture of this process, `width` × `width` raw RGB; finer noise looks alike when small. */
function paperGrain(width: BaseWidth): Promise<Buffer> {
  const known = grains.get(width);
  if (known) return known;
  const noise = { type: "gaussian", mean: 128, sigma: width === 960 ? 16 : 9 } as const;
  const made = sharp({ create: { width, height: width, channels: 3, background: "#808080", noise } })
    .raw()
    .toBuffer();
  grains.set(width, made);
  made.catch(() => grains.delete(width));
  return made;
}

async function composeBase(recipe: unknown, width: BaseWidth): Promise<Base> {
  const parsed = recipeSchema.parse(recipe);
  const full = recipeSize(parsed);
  const height = (full.height * width) / full.width;
  const raw = { width, height, channels: 3 } as const;
  const plain = await sharp(Buffer.from(compose(parsed)))
    .resize(width, height)
    .removeAlpha()
    .modulate({ saturation: 0.86 })
    .raw()
    .toBuffer();
  const paper = sharp(await paperGrain(width), { raw: { width, height: width, channels: 3 } });
  const noise = await paper.extract({ left: 0, top: 0, width, height }).raw().toBuffer();
  const data = await sharp(plain, { raw })
    .composite([{ input: noise, raw, blend: "soft-light" }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return { data, width, height };
}

/** An upload: turned upright, cut square around what draws the eye, stripped of everything but its pixels. */
async function uploadBase(file: Buffer, width: BaseWidth): Promise<Base> {
  const { data, info } = await sharp(file, { limitInputPixels: 40_000_000 })
    .rotate()
    .resize(width, width, { fit: "cover", position: "attention" })
    .flatten({ background: "#FFFDF8" })
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function encode(base: Base, width: Width, format: Format): Promise<Buffer> {
  const { data, ...size } = base;
  const image = sharp(data, { raw: { ...size, channels: 3 } }).resize(width);
  // Effort 3 gives the same bytes within 3 % for twice the time (measured on 12 pictures at the four widths).
  if (format === "avif") return image.avif({ quality: 52, effort: 2 }).toBuffer();
  if (format === "webp") return image.webp({ quality: 74 }).toBuffer();
  return image.jpeg({ quality: 78 }).toBuffer();
}

/** Lets `limit` tasks run at once; the rest wait their turn, first come first served. */
function gate(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(temporary, bytes);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Makes and keeps the sizes of pictures. `(id, width, format)` answers the bytes, or null for a picture that is not there.
 * A size is made once, whoever asks meanwhile; two pictures are worked on at a time, so that a page of sixty new ones
 * leaves the API its processor. Rejects when the recipe or the upload cannot be read.
 */
export function createRenderer(options: RendererOptions) {
  const { find, dir, onRender, onNotKept } = options;
  const readUpload = options.read ?? ((file: string) => readFile(join(dir, "uploads", basename(file))));
  const inTurn = gate(atOnce);
  const making = new Map<string, Promise<Buffer | null>>();
  const bases = new Map<string, Promise<Base>>();

  function base(id: string, source: PictureSource, width: BaseWidth): Promise<Base> {
    const key = `${id} ${width}`;
    const known = bases.get(key);
    bases.delete(key);
    const { file, recipe } = source;
    const make = () =>
      file === null ? composeBase(recipe, width) : readUpload(file).then((bytes) => uploadBase(bytes, width));
    const made = known ?? make();
    bases.set(key, made);
    made.catch(() => bases.delete(key));
    const oldest = bases.size > basesKept ? bases.keys().next().value : undefined;
    if (oldest !== undefined) bases.delete(oldest);
    return made;
  }

  async function make(id: string, width: Width, format: Format, path: string): Promise<Buffer | null> {
    const source = await find(id);
    if (!source || (source.file === null && source.recipe === null)) return null;
    return inTurn(async () => {
      const bytes = await encode(await base(id, source, width > 480 ? 960 : 480), width, format);
      onRender?.(`${id}/${width}.${format}`);
      await mkdir(join(dir, id), { recursive: true })
        .then(() => writeWhole(path, bytes))
        .catch((error: unknown) => onNotKept?.(error));
      return bytes;
    });
  }

  return async (id: string, width: Width, format: Format): Promise<Buffer | null> => {
    const path = join(dir, id, `${width}.${format}`);
    const cached = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
      throw error;
    });
    if (cached) return cached;
    const running = making.get(path);
    if (running) return running;
    const made = make(id, width, format, path).finally(() => making.delete(path));
    making.set(path, made);
    return made;
  };
}
