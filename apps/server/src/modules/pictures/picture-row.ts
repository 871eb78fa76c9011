import type { Picture } from "@marketday/contracts/common";
import type { Prisma } from "@marketday/db";
import { z } from "zod";

/** A picture row, as every store reads it. */
export const PictureRow = z.object({ id: z.string(), alt: z.string(), thumbhash: z.string() });
export type PictureRow = z.infer<typeof PictureRow>;

/** The same by Prisma's client. */
export const shownPicture = { id: true, alt: true, thumbhash: true } satisfies Prisma.pictureSelect;

/** Row → contract. Sizes are at `{url}/{160|320|480|960}.{avif|webp|jpg}` (docs/product.md §2). */
export const serializePicture = (row: PictureRow): Picture => ({
  url: `/img/${row.id}`,
  alt: row.alt,
  thumbhash: row.thumbhash,
});
export const serializePictureOrNull = (row: PictureRow | null): Picture | null => (row ? serializePicture(row) : null);
