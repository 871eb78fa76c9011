import { type Conn, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

const PageRow = z.object({ slug: z.string(), title: z.string(), body: z.string(), updated_at: z.date() });
export type PageRow = z.infer<typeof PageRow>;

/** A stored content page; null when operators have not written it. */
export const findPage = (conn: Conn, slug: string): Promise<PageRow | null> =>
  queryOne(conn, sql`select slug, title, body, updated_at from content_page where slug = ${slug}`, PageRow);

const FaqRow = z.object({
  id: z.number(),
  question: z.string(),
  answer: z.string(),
  trigger_phrases: z.array(z.string()),
});
export type FaqRow = z.infer<typeof FaqRow>;

/** All entries, in their order. */
export const findFaq = (conn: Conn): Promise<FaqRow[]> =>
  query(
    conn,
    sql`select id, question, answer, coalesce(trigger_phrases, '{}') as trigger_phrases from faq_entry order by position, id`,
    FaqRow,
  );

const PostRow = z.object({
  id: z.number(),
  slug: z.string(),
  title: z.string(),
  image: z.object({ id: z.string(), alt: z.string(), thumbhash: z.string() }).nullable(),
  author: z.string(),
  publish_date: z.string(),
  category: z.enum(["news", "blog"]),
  body: z.string(),
  vendor: z.object({ id: z.number(), slug: z.string(), name: z.string() }).nullable(),
});
export type PostRow = z.infer<typeof PostRow>;

const postsWhere = (conn: Conn, where: Sql, part: Sql): Promise<PostRow[]> =>
  query(
    conn,
    sql`select p.id, p.slug, p.title, p.author, to_char(p.publish_date, 'YYYY-MM-DD') as publish_date, p.category, p.body,
          (select json_build_object('id', i.id, 'alt', i.alt, 'thumbhash', i.thumbhash) from picture i where i.id = p.image_id) as image,
          (select json_build_object('id', v.id, 'slug', v.slug, 'name', v.name) from vendor v where v.id = p.vendor_id) as vendor
        from blog_post p where ${where} order by p.publish_date desc, p.id desc ${part}`,
    PostRow,
  );

/** Posts published by `today`, of one category or of both. */
const isOut = (category: string | null, today: string): Sql =>
  category === null
    ? sql`p.publish_date <= ${today}::date`
    : sql`p.publish_date <= ${today}::date and p.category = ${category}`;

/** A page of posts, newest first. */
export const findPosts = (conn: Conn, category: string | null, today: string, rows: number, offset: number) =>
  postsWhere(conn, isOut(category, today), sql`limit ${rows}::int offset ${offset}::int`);

export async function countPosts(conn: Conn, category: string | null, today: string): Promise<number> {
  const row = await queryOne(
    conn,
    sql`select count(*)::int as total from blog_post p where ${isOut(category, today)}`,
    z.object({ total: z.number() }),
  );
  return row?.total ?? 0;
}

/** One published post; null when there is none. */
export async function findPost(
  conn: Conn,
  which: { id: number } | { slug: string },
  today: string,
): Promise<PostRow | null> {
  const named = "id" in which ? sql`p.id = ${which.id}::int` : sql`p.slug = ${which.slug}`;
  const [row] = await postsWhere(conn, sql`${named} and ${isOut(null, today)}`, sql`limit 1`);
  return row ?? null;
}

const StoredPage = z.object({ slug: z.string(), title: z.string(), body: z.string() });
const StoredPost = StoredPage.extend({
  author: z.string(),
  date: z.string(),
  category: z.enum(["news", "blog"]),
  vendor: z.string().nullable(),
  image: z.string().nullable(),
});

/** Every page, by slug. */
export const findAllPages = (db: Conn): Promise<z.infer<typeof StoredPage>[]> =>
  query(db, sql`select slug, title, body from content_page order by slug`, StoredPage);

/** Every post, oldest first, with the slug of its vendor and the name of its picture. */
export const findAllPosts = (db: Conn): Promise<z.infer<typeof StoredPost>[]> =>
  query(
    db,
    sql`select b.slug, b.title, b.body, b.author, to_char(b.publish_date, 'YYYY-MM-DD') as date, b.category, v.slug as vendor, coalesce(substr(i.file, 18), i.id) as image
        from blog_post b left join vendor v on v.id = b.vendor_id left join picture i on i.id = b.image_id order by b.publish_date, b.id`,
    StoredPost,
  );
