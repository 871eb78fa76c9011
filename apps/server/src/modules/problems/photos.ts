import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import sharp from "sharp";

import { AppError } from "../../lib/app-error.ts";

/** A photo is kept no larger than this on its longer side, px. */
const SIDE = 1600;
const MOST_PIXELS = 40_000_000;

const badPhoto = (message = "Photos must be JPEG, PNG or WebP.") =>
  new AppError(400, message, { code: "bad_photo", field: "photos" });

/** What a file is by its first bytes; its name and its sender's word count for nothing. */
function kindOf(bytes: Buffer): "jpeg" | "png" | "webp" | null {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return "jpeg";
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return "png";
  if (bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP") return "webp";
  return null;
}

const folderOf = (dataDir: string) => join(dataDir, "problems");

/** Where a photo's file lies. */
export const photoPath = (dataDir: string, file: string): string => join(folderOf(dataDir), file);

/** Streams an upload to a file of its own, so that no photo is held in memory while it arrives; answers its name and size. */
export async function storeUpload(dataDir: string, upload: Readable): Promise<{ file: string; size: number }> {
  await mkdir(folderOf(dataDir), { recursive: true });
  const file = `${randomUUID()}.upload`;
  const out = createWriteStream(photoPath(dataDir, file), { flags: "wx", mode: 0o600 });
  try {
    await pipeline(upload, out);
    return { file, size: out.bytesWritten };
  } catch (error) {
    await dropPhotos(dataDir, [file]);
    throw error;
  }
}

async function headOf(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Redraws an upload as a plain JPEG of at most 1600 px under a new name, and gives that: what else was in the file (place,
 * script, a second file) is gone (failures.md I14). Refuses what is no picture, and more than 40 megapixels before they
 * are unpacked; no file of ours is left then.
 */
export async function redraw(dataDir: string, upload: string): Promise<string> {
  const path = photoPath(dataDir, upload);
  const kind = kindOf(await headOf(path));
  if (!kind) throw badPhoto();
  const picture = sharp(path, { limitInputPixels: MOST_PIXELS, failOn: "error", animated: false });
  let found: { format?: string; width?: number; height?: number };
  try {
    found = await picture.metadata();
  } catch {
    throw badPhoto("A photo could not be read, or it is too large to open.");
  }
  if (found.format !== kind) throw badPhoto();
  if ((found.width ?? 0) * (found.height ?? 0) > MOST_PIXELS)
    throw badPhoto("A photo could not be read, or it is too large to open.");
  let jpeg: Buffer;
  try {
    jpeg = await picture
      .rotate()
      .resize({ width: SIDE, height: SIDE, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#fff" })
      .jpeg({ quality: 80 })
      .toBuffer();
  } catch {
    throw badPhoto("A photo could not be read, or it is too large to open.");
  }
  const file = `${randomUUID()}.jpg`;
  try {
    await writeFile(photoPath(dataDir, file), jpeg, { flag: "wx" });
    return file;
  } catch (error) {
    await dropPhotos(dataDir, [file]);
    throw error;
  }
}

/** Removes uploads, and photos whose report was not kept. */
export const dropPhotos = async (dataDir: string, files: readonly string[]): Promise<void> => {
  await Promise.all(files.map((file) => rm(photoPath(dataDir, file), { force: true })));
};
