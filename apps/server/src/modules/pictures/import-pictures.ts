import { createHash } from "node:crypto";
import { access, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Hour } from "@marketday/domain/time";
import { rgbaToThumbHash } from "thumbhash";

import { withClientDryRun } from "../../lib/dry-run.ts";
import { ImportRefused, type Problem, type Rejected } from "../../lib/file-problem.ts";
import { isHeic } from "../../lib/heic.ts";
import { takeImportLock } from "../../lib/import-lock-sql.ts";
import { loadSharp } from "../../lib/load-sharp.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { findUploadedFiles } from "./file-store.ts";
import { writePicture, type WrittenPicture } from "./upload-store.ts";

const MAX_BYTES = 20 * 1024 * 1024;
const MAX_PIXELS = 40_000_000;
const KINDS = new Set(["jpeg", "png", "webp", "heif", "gif", "tiff"]);
const NOT_A_PICTURE = "this is not a picture that can be shown. Use JPEG, PNG, WebP, AVIF, GIF or TIFF.";
/** Names of cameras, phones and copies ("(1)"). Lists in other files separate names with |. */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const NAME = /^[^.|\\/\u0000-\u001F\u007F][^|\\/\u0000-\u001F\u007F]{0,99}$/;

export interface PictureFile {
  /** The name in other files of operators: "eggs.jpg". */
  name: string;
  path: string;
  /** Its path in the imported folder, for messages; by default its name. */
  relativePath?: string;
}

/** Files with the name of an existing picture and different content are replaced. */
type PictureCounts = Record<WrittenPicture, number>;

export type PicturesOutcome = PictureCounts & Rejected & { replacedNames: string[] };

interface ParsedPicture {
  id: string;
  name: string;
  alt: string;
  thumbhash: string;
  path: string;
}

/** The folder with the files of pictures, named `{id}-{name}`. */
export const uploadFolder = ({ dataDir }: { dataDir: string }): string => join(dataDir, "pictures", "uploads");

const wrong = ({ name, relativePath }: PictureFile, sentence: string): Problem => ({
  file: relativePath ?? name,
  line: 0,
  position: null,
  column: null,
  value: null,
  right: sentence,
});

/** The id of a picture: 16 hex digits of the SHA-256 of its name and its bytes. */
export const pictureId = (name: string, bytes: Buffer): string =>
  createHash("sha256").update(`${name}\n`).update(bytes).digest("hex").slice(0, 16);

/** The base64 ThumbHash of a picture. Rejects what sharp cannot read. */
export async function fileThumbhash(bytes: Buffer): Promise<string> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .rotate()
    .resize(32, 32, { fit: "inside" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString("base64");
}

/** Whether the file has the signature of a JPEG, PNG, GIF, WebP or TIFF. */
const hasPictureSignature = (bytes: Buffer): boolean =>
  /^(\u00FF\u00D8\u00FF|\u0089PNG|GIF8|RIFF....WEBP|II\*\0|MM\0\*)/s.test(bytes.toString("latin1", 0, 16)); // oxlint-disable-line no-control-regex -- signatures of files

async function readPicture(file: PictureFile): Promise<ParsedPicture | Problem> {
  const { name, path } = file;
  if (!NAME.test(name))
    return wrong(file, "this name cannot be used in other files. Rename it without | and to at most 100 letters.");
  const bytes = await readFile(path);
  if (bytes.length === 0) return wrong(file, "the file is empty. Copy it again from the camera or phone.");
  if (bytes.length > MAX_BYTES)
    return wrong(
      file,
      `the picture has ${Math.ceil(bytes.length / 1024 / 1024)} MB. Export it smaller: the most is 20 MB, and 2,000 pixels across are plenty.`,
    );
  if (isHeic(bytes))
    return wrong(
      file,
      "this is a HEIC picture, which most browsers cannot show. Export it as JPEG (on an iPhone: Settings, Camera, Formats, Most Compatible).",
    );
  const sharp = await loadSharp();
  try {
    const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (!format || !KINDS.has(format)) return wrong(file, NOT_A_PICTURE);
    if (width * height > MAX_PIXELS)
      return wrong(
        file,
        `the picture has ${Math.round((width * height) / 1_000_000)} megapixels. Export it smaller: the most is 40, and 2,000 pixels across are plenty.`,
      );
    const alt = name
      .replace(/\.\w+$/, "")
      .replace(/\s*\(\d+\)$/, "")
      .replaceAll(/[-_.\s]+/g, " ")
      .trim();
    return { id: pictureId(name, bytes), name, alt, thumbhash: await fileThumbhash(bytes), path };
  } catch {
    const isDamaged = hasPictureSignature(bytes);
    return wrong(
      file,
      isDamaged ? "the picture is cut off or damaged. Copy it again from the camera or phone." : NOT_A_PICTURE,
    );
  }
}

/** Normalizes the names (NFC, as keyboards type them) and reports duplicate names. */
function normalizeNames(files: readonly PictureFile[]): { files: PictureFile[]; problems: Problem[] } {
  const seen = new Map<string, string>();
  const problems: Problem[] = [];
  const unique = files.flatMap((file) => {
    const name = file.name.normalize("NFC");
    const first = seen.get(name);
    if (first === undefined) {
      seen.set(name, file.relativePath ?? name);
      return [{ ...file, name }];
    }
    problems.push(wrong(file, `${first} has the same name. Rename one of the two.`));
    return [];
  });
  return { files: unique, problems };
}

/** Copies a picture to `{folder}/{id}-{name}` atomically. @returns the new path, or null when the file exists already */
export async function storeUpload(
  folder: string,
  { id, name, path }: { id: string; name: string; path: string },
): Promise<string | null> {
  const to = join(folder, `${id}-${name}`);
  if (
    await access(to).then(
      () => true,
      () => false,
    )
  )
    return null;
  const temporary = `${to}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, await readFile(path));
    await rename(temporary, to);
    return to;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The time for a folder, which may have thousands of pictures. */
const IMPORT_MS = Hour.ms;

/**
 * Imports all pictures or none, and with `keepGoing` all valid ones. A picture is identified by its file's name: a different
 * picture with the same name replaces it wherever it is used.
 * @throws ImportRefused with the files that are not pictures
 */
export async function importPictures(
  ctx: Context,
  files: readonly PictureFile[],
  options: {
    dryRun: boolean;
    keepGoing: boolean;
    signal: AbortSignal;
    onProgress?: (done: number, total: number) => void;
  },
): Promise<PicturesOutcome> {
  const counts: PictureCounts = { created: 0, replaced: 0, unchanged: 0 };
  const pictures: ParsedPicture[] = [];
  const { files: unique, problems } = normalizeNames(files);
  for (const [place, file] of unique.entries()) {
    options.signal.throwIfAborted();
    options.onProgress?.(place, unique.length);
    const read = await readPicture(file);
    if ("id" in read) pictures.push(read);
    else problems.push(read);
  }
  if (problems.length > 0 && !options.keepGoing) throw new ImportRefused(problems);
  const folder = uploadFolder(ctx.deps.env);
  const made: string[] = [];
  const replacedNames: string[] = [];
  const work = withClientDryRun(
    ctx.deps.db,
    options.dryRun,
    async (tx) => {
      await takeImportLock(tx);
      if (!options.dryRun) await mkdir(folder, { recursive: true });
      for (const picture of options.dryRun ? [] : pictures) {
        const path = await storeUpload(folder, picture);
        if (path !== null) made.push(path);
      }
      for (const picture of pictures) {
        options.signal.throwIfAborted();
        const written = await writePicture(tx, picture, ctx.now);
        counts[written] += 1;
        if (written === "replaced") replacedNames.push(picture.name);
      }
      const data = { ...counts, rejected: problems.length };
      await writeAuditEntry(tx, ctx, { action: "images import", subject: "pictures", reason: "", data });
      options.signal.throwIfAborted();
    },
    { retries: 0, timeoutMs: IMPORT_MS },
  );
  await work.catch(async (error: unknown) => {
    for (const path of made) await rm(path, { force: true });
    throw error;
  });
  return { ...counts, replacedNames, rejected: problems };
}

/** The pictures' files with their names. */
export const findUploads = async ({ deps }: Pick<Context, "deps">): Promise<PictureFile[]> =>
  (await findUploadedFiles(deps.db)).map((file) => ({
    name: file.slice(17),
    path: join(uploadFolder(deps.env), file),
  }));
