import { PHOTO_FILE_BYTES_MAX } from "@marketday/domain/limits";

/** A photo is sent no larger than this on its longer side, px: the server keeps it no larger either. */
const SIDE = 1600;

/** A photo as it is sent: a JPEG of a few hundred kB, also over a weak line. Rejects for what is no picture. */
export async function shrink(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  try {
    const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await new Promise<Blob>((done, fail) =>
      canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/jpeg", 0.8),
    );
  } finally {
    picture.close();
  }
}

const MIB = 1024 * 1024;

/** Why a file is not opened at all; null: it may be. */
export const tooLargeToOpen = ({ name, size }: Pick<File, "name" | "size">): string | null =>
  size > PHOTO_FILE_BYTES_MAX
    ? `${name} is too large (${Math.ceil(size / MIB)} MB). Choose a photo of up to ${PHOTO_FILE_BYTES_MAX / MIB} MB.`
    : null;

/** Why a file could not be opened. Safari opens HEIC, other browsers don't. */
export const cannotOpen = ({ name, type }: Pick<File, "name" | "type">): string =>
  /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name)
    ? `${name} is a HEIC photo, which this browser can't open. Save it as JPEG and add it again.`
    : `${name} isn't an image this browser can open`;
