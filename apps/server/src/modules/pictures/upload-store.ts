import type { Tx } from "@marketday/db";

import { findSamePictures } from "./picture-sql.ts";

/** What writing a picture did. `replaced`: a picture with the same name had different content. */
export type WrittenPicture = "created" | "replaced" | "unchanged";

interface NewPicture {
  id: string;
  name: string;
  alt: string;
  thumbhash: string;
}

/** Makes everything that shows one of these pictures show another one; avatars of customers stay. */
async function replaceUses(tx: Tx, before: string[], id: string): Promise<void> {
  const old = { in: before };
  await tx.product_picture.updateMany({ where: { picture_id: old }, data: { picture_id: id } });
  await tx.vendor.updateMany({ where: { avatar_id: old }, data: { avatar_id: id } });
  await tx.vendor.updateMany({ where: { hero_id: old }, data: { hero_id: id } });
  await tx.collection.updateMany({ where: { image_id: old }, data: { image_id: id } });
  await tx.bundle.updateMany({ where: { image_id: old }, data: { image_id: id } });
  await tx.post.updateMany({ where: { text_image_id: old }, data: { text_image_id: id } });
  await tx.blog_post.updateMany({ where: { image_id: old }, data: { image_id: id } });
}

/** Writes a picture of a file. A different picture with the same name is replaced wherever it is used. */
export async function writePicture(
  tx: Tx,
  { id, name, alt, thumbhash }: NewPicture,
  now: Date,
): Promise<WrittenPicture> {
  const same = await findSamePictures(tx, { id, name });
  if (same.some((picture) => picture.id === id)) return "unchanged";
  await tx.picture.create({
    data: { id, alt, thumbhash, file: `${id}-${name}`, created_at: now },
    select: { id: true },
  });
  if (same.length === 0) return "created";
  const before = same.map((picture) => picture.id);
  await replaceUses(tx, before, id);
  await tx.picture.deleteMany({ where: { id: { in: before }, customers: { none: {} } } });
  return "replaced";
}
