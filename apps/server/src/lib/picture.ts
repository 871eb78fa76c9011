import type { Picture } from "@marketday/contracts/common";

/** A picture row, as every store reads it. */
export interface PictureRow {
  id: string;
  alt: string;
  thumbhash: string;
}

/** Row → contract. Sizes are at `{url}/{160|320|480|960}.{avif|webp|jpg}` (docs/product.md §2). */
export const serializePicture = (row: PictureRow): Picture => ({
  url: `/img/${row.id}`,
  alt: row.alt,
  thumbhash: row.thumbhash,
});
export const serializePictureOrNull = (row: PictureRow | null): Picture | null => (row ? serializePicture(row) : null);
