import type { Client } from "@marketday/db";

/** Address and title of a published collection, independent of any hub. Null: unknown or unpublished. */
export const findPublishedCollection = (
  db: Client,
  which: { id: number } | { slug: string },
): Promise<{ slug: string; title: string } | null> =>
  db.collection.findFirst({ where: { ...which, is_published: true }, select: { slug: true, title: true } });
