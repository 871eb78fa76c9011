import type { Client, Prisma } from "@marketday/db";
import { type CalendarDate, dateFromUtc, dateToUtc } from "@marketday/domain/calendar-date";

import { shownPicture } from "../pictures/picture-row.ts";
import type { PostWords } from "./post-file.ts";

const shownPage = { slug: true, title: true, body: true, updated_at: true } satisfies Prisma.content_pageSelect;
export type PageRow = Prisma.content_pageGetPayload<{ select: typeof shownPage }>;

/** A stored content page; null when operators have not written it. */
export const findPage = (db: Client, slug: string): Promise<PageRow | null> =>
  db.content_page.findUnique({ where: { slug }, select: shownPage });

const shownEntry = { id: true, question: true, answer: true, trigger_phrases: true } satisfies Prisma.faq_entrySelect;
export type FaqRow = Prisma.faq_entryGetPayload<{ select: typeof shownEntry }>;

/** All entries, in their order. */
export const findFaq = (db: Client): Promise<FaqRow[]> =>
  db.faq_entry.findMany({ select: shownEntry, orderBy: [{ position: "asc" }, { id: "asc" }] });

const shownPost = {
  id: true,
  slug: true,
  title: true,
  author: true,
  publish_date: true,
  category: true,
  body: true,
  image: { select: shownPicture },
  vendor: { select: { id: true, slug: true, name: true } },
} satisfies Prisma.blog_postSelect;
export type PostRow = Prisma.blog_postGetPayload<{ select: typeof shownPost }>;

/** Posts published by `today`, of one category or of both. */
const isOut = (category: string | null, today: CalendarDate) => ({
  publish_date: { lte: dateToUtc(today) },
  ...(category !== null && { category }),
});

/** A page of posts, newest first. */
export const findPosts = (
  db: Client,
  category: string | null,
  today: CalendarDate,
  rows: number,
  offset: number,
): Promise<PostRow[]> =>
  db.blog_post.findMany({
    where: isOut(category, today),
    select: shownPost,
    orderBy: [{ publish_date: "desc" }, { id: "desc" }],
    skip: offset,
    take: rows,
  });

export const countPosts = (db: Client, category: string | null, today: CalendarDate): Promise<number> =>
  db.blog_post.count({ where: isOut(category, today) });

/** One published post; null when there is none. */
export const findPost = (
  db: Client,
  which: { id: number } | { slug: string },
  today: CalendarDate,
): Promise<PostRow | null> => db.blog_post.findFirst({ where: { ...which, ...isOut(null, today) }, select: shownPost });

/** Every page, by slug. */
export const findAllPages = (db: Client): Promise<{ slug: string; title: string; body: string }[]> =>
  db.content_page.findMany({ select: { slug: true, title: true, body: true }, orderBy: { slug: "asc" } });

/** Every post, oldest first, with the slug of its vendor and the name of its picture. */
export async function findAllPosts(db: Client): Promise<PostWords[]> {
  const posts = await db.blog_post.findMany({
    select: {
      slug: true,
      title: true,
      body: true,
      author: true,
      publish_date: true,
      category: true,
      vendor: { select: { slug: true } },
      image: { select: { id: true, file: true } },
    },
    orderBy: [{ publish_date: "asc" }, { id: "asc" }],
  });
  return posts.map(({ publish_date, category, vendor, image, ...post }) => ({
    ...post,
    date: dateFromUtc(publish_date),
    category: category as PostWords["category"],
    vendor: vendor?.slug ?? null,
    // `{16 hex digits}-{name}`
    image: image && (image.file?.slice(17) ?? image.id),
  }));
}
