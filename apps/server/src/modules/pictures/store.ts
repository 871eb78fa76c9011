import type { Picture } from "@marketday/contracts/common";
import { type Prisma, type Sql, sql } from "@marketday/db";
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

/** The `PictureRow` with this id as JSON, or null; `id` is an SQL expression. */
export const pictureOf = (id: Sql): Sql =>
  sql`(select json_build_object('id', i.id, 'alt', i.alt, 'thumbhash', i.thumbhash) from picture i where i.id = ${id})`;

/** The `PictureRow` of a joined picture as JSON: a product's first one as `pic`, its vendor's as `avatar`. */
export const joinedPicture = {
  pic: sql`case when pic.id is null then null else jsonb_build_object('id', pic.id, 'alt', pic.alt, 'thumbhash', pic.thumbhash) end`,
  avatar: sql`case when avatar.id is null then null else jsonb_build_object('id', avatar.id, 'alt', avatar.alt, 'thumbhash', avatar.thumbhash) end`,
};
