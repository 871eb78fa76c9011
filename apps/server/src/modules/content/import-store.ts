import { isDeepStrictEqual } from "node:util";

import type { Prisma, Tx } from "@marketday/db";
import { calendarDate, dateToUtc } from "@marketday/domain/calendar-date";

import { findPictureIds } from "../pictures/picture-sql.ts";
import type { FaqWords } from "./files.ts";
import type { PostWords } from "./post-file.ts";

/** Writes pages by their slugs. @returns how many are new or different */
export async function writePages(
  tx: Tx,
  pages: readonly { slug: string; title: string; body: string }[],
  now: Date,
): Promise<number> {
  const columns = { slug: true, title: true, body: true };
  const found = await tx.content_page.findMany({ where: { slug: { in: slugsOf(pages) } }, select: columns });
  const stored = new Map(found.map((page) => [page.slug, page]));
  let changed = 0;
  for (const page of pages) {
    if (isDeepStrictEqual(page, stored.get(page.slug))) continue;
    const data = { ...page, updated_at: now };
    const { slug } = page;
    await tx.content_page.upsert({ where: { slug }, create: data, update: data, select: { slug: true } });
    stored.set(slug, page);
    changed += 1;
  }
  return changed;
}

const slugsOf = (rows: readonly { slug: string }[]): string[] => rows.map(({ slug }) => slug);

/** Replaces the FAQ. @returns the number of changed rows */
export async function writeFaq(tx: Tx, faq: readonly FaqWords[]): Promise<number> {
  const gone = await tx.faq_entry.deleteMany({ where: { question: { notIn: faq.map(({ question }) => question) } } });
  const stored = await tx.faq_entry.findMany();
  const added: Prisma.faq_entryCreateManyInput[] = [];
  let changed = gone.count;
  for (const [position, { question, answer, triggerPhrases }] of faq.entries()) {
    const entry = { question, answer, trigger_phrases: triggerPhrases, position };
    const before = stored.filter((each) => each.question === question);
    if (before.length === 0) added.push(entry);
    const differing = before.filter((each) => !isDeepStrictEqual(each, { id: each.id, ...entry }));
    if (differing.length === 0) continue;
    const ids = differing.map(({ id }) => id);
    changed += (await tx.faq_entry.updateMany({ where: { id: { in: ids } }, data: entry })).count;
  }
  if (added.length > 0) await tx.faq_entry.createMany({ data: added });
  return changed + added.length;
}

/** Ids of the vendors and pictures that posts name. */
export interface PostReferences {
  vendors: ReadonlyMap<string, number>;
  pictures: ReadonlyMap<string, string>;
}

export async function findPostReferences(tx: Tx, posts: readonly PostWords[]): Promise<PostReferences> {
  const slugs = posts.flatMap(({ vendor }) => vendor ?? []);
  const names = posts.flatMap(({ image }) => image ?? []);
  const vendors =
    slugs.length === 0
      ? []
      : await tx.vendor.findMany({ where: { slug: { in: slugs } }, select: { slug: true, id: true } });
  return {
    vendors: new Map(vendors.map(({ slug, id }) => [slug, id])),
    pictures: names.length === 0 ? new Map() : await findPictureIds(tx, names),
  };
}

/** Writes posts by their slugs. @returns how many are new or different */
export async function writePosts(
  tx: Tx,
  posts: readonly PostWords[],
  { vendors, pictures }: PostReferences,
): Promise<number> {
  const found = await tx.blog_post.findMany({ where: { slug: { in: slugsOf(posts) } }, omit: { id: true } });
  const stored = new Map(found.map((post) => [post.slug, post]));
  let changed = 0;
  for (const { date, vendor, image, ...words } of posts) {
    const post = {
      ...words,
      publish_date: dateToUtc(calendarDate(date)),
      vendor_id: vendor === null ? null : vendors.get(vendor)!,
      image_id: image === null ? null : pictures.get(image)!,
    };
    const { slug } = post;
    if (isDeepStrictEqual(post, stored.get(slug))) continue;
    await tx.blog_post.upsert({ where: { slug }, create: post, update: post, select: { id: true } });
    stored.set(slug, post);
    changed += 1;
  }
  return changed;
}
