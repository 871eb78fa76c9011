/**
 * Whether the file is a HEIC picture, as of iPhones: ISO/IEC 23008-12 brands with HEVC. sharp's decoder has no HEVC, so it opens none.
 * @param bytes the first 64 bytes at least, where the file has them
 */
export const isHeic = (bytes: Buffer): boolean =>
  bytes.toString("latin1", 4, 8) === "ftyp" && /hei[cxms]|hev[cxms]/.test(bytes.toString("latin1", 8, 64));
