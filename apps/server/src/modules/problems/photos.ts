import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import sharp from "sharp";

import { AppError } from "../../lib/app-error.ts";

/** A photo is kept no larger than this on its longer side, px. */
const SIDE = 1600;
const MOST_PIXELS = 40_000_000;

const badPhoto = (message = "Photos must be JPEG, PNG or WebP.") =>
  new AppError(400, message, { code: "bad_photo", field: "photos" });

/** What a file is by its first bytes; its name and its sender's word count for nothing. */
export function kindOf(bytes: Buffer): "jpeg" | "png" | "webp" | null {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return "jpeg";
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return "png";
  if (bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP") return "webp";
  return null;
}

/**
 * Draws a photo anew as a plain JPEG of at most 1600 px: what else was in the file (place, script, a second file) is gone
 * (failures.md I14). Refuses what is no picture, and more than 40 megapixels before they are unpacked.
 */
export async function redraw(bytes: Buffer): Promise<Buffer> {
  const kind = kindOf(bytes);
  if (!kind) throw badPhoto();
  const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: "error", animated: false });
  let found: { format?: string; width?: number; height?: number };
  try {
    found = await picture.metadata();
  } catch {
    throw badPhoto("A photo could not be read, or it is too large to open.");
  }
  if (found.format !== kind) throw badPhoto();
  if ((found.width ?? 0) * (found.height ?? 0) > MOST_PIXELS)
    throw badPhoto("A photo could not be read, or it is too large to open.");
  try {
    return await picture
      .rotate()
      .resize({ width: SIDE, height: SIDE, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#fff" })
      .jpeg({ quality: 80 })
      .toBuffer();
  } catch {
    throw badPhoto("A photo could not be read, or it is too large to open.");
  }
}

const folderOf = (dataDir: string) => join(dataDir, "problems");

/** Where a photo's file lies. */
export const photoPath = (dataDir: string, file: string): string => join(folderOf(dataDir), file);

/** Keeps redrawn photos under names of ours, and gives those. All or none. */
export async function keepPhotos(dataDir: string, photos: readonly Buffer[]): Promise<string[]> {
  await mkdir(folderOf(dataDir), { recursive: true });
  const files: string[] = [];
  try {
    for (const bytes of photos) {
      const file = `${randomUUID()}.jpg`;
      files.push(file);
      await writeFile(photoPath(dataDir, file), bytes, { flag: "wx" });
    }
    return files;
  } catch (error) {
    await dropPhotos(dataDir, files);
    throw error;
  }
}

/** Removes photos whose report was not kept. */
export const dropPhotos = async (dataDir: string, files: readonly string[]): Promise<void> => {
  await Promise.all(files.map((file) => rm(photoPath(dataDir, file), { force: true })));
};
