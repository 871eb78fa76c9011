import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { AppError } from "../../lib/app-error.ts";
import { isHeic } from "../../lib/heic.ts";
import { loadSharp } from "../../lib/load-sharp.ts";

/** The longer side of a stored photo, px. */
const SIDE = 1600;
const MOST_PIXELS = 40_000_000;
/** Enough to tell the format of a file. */
const HEAD_BYTES = 64;

const badPhoto = (message = "Photos must be JPEG, PNG or WebP.") =>
  new AppError(400, message, { code: "bad_photo", field: "photos" });

/** The image format by the first bytes; file name and content type are ignored. */
function kindOf(bytes: Buffer): "jpeg" | "png" | "webp" | null {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return "jpeg";
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return "png";
  if (bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP") return "webp";
  return null;
}

const folderOf = (dataDir: string) => join(dataDir, "problems");

/** The path of a photo's file. */
export const photoPath = (dataDir: string, file: string): string => join(folderOf(dataDir), file);

/** Streams an upload to a new file, so that no photo is held in memory. Returns its name and size in bytes. */
export async function storeUpload(dataDir: string, upload: Readable): Promise<{ file: string; size: number }> {
  await mkdir(folderOf(dataDir), { recursive: true });
  const file = `${randomUUID()}.upload`;
  const out = createWriteStream(photoPath(dataDir, file), { flags: "wx", mode: 0o600 });
  try {
    await pipeline(upload, out);
    return { file, size: out.bytesWritten };
  } catch (error) {
    await deletePhotos(dataDir, [file]);
    throw error;
  }
}

async function headOf(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Re-encodes an upload as a plain JPEG of at most 1600 px and returns its new name. Metadata, scripts and appended files are dropped
 * (failures.md I14). Throws for a file that is no image, and for more than 40 megapixels before they are decoded; no file is
 * left then.
 */
export async function reencodePhoto(dataDir: string, upload: string): Promise<string> {
  const path = photoPath(dataDir, upload);
  const head = await headOf(path);
  if (isHeic(head))
    throw badPhoto(
      "HEIC photos can't be opened here. Save the photo as JPEG and add it again (on an iPhone: Settings, Camera, Formats, Most Compatible).",
    );
  const kind = kindOf(head);
  if (!kind) throw badPhoto();
  const sharp = await loadSharp();
  const picture = sharp(path, { limitInputPixels: MOST_PIXELS, failOn: "error", animated: false });
  let metadata: { format?: string; width?: number; height?: number };
  try {
    metadata = await picture.metadata();
  } catch {
    throw badPhoto("A photo could not be read, or it is too large to open.");
  }
  if (metadata.format !== kind) throw badPhoto();
  if ((metadata.width ?? 0) * (metadata.height ?? 0) > MOST_PIXELS)
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
    await deletePhotos(dataDir, [file]);
    throw error;
  }
}

/** Deletes uploads and photos. */
export const deletePhotos = async (dataDir: string, files: readonly string[]): Promise<void> => {
  await Promise.all(files.map((file) => rm(photoPath(dataDir, file), { force: true })));
};
