import { z } from "zod";

import { CalendarDate, IdOrSlugParams, Instant, PageQuery, Picture } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** A page of words that operators write in Markdown. `html` is made and sanitised by the server. */
export const ContentPage = z
  .object({
    slug: z.string(),
    title: z.string(),
    html: z.string(),
    /** Null: the words a fresh market comes with. */
    updatedAt: Instant.nullable(),
  })
  .meta({ id: "ContentPage" });
export type ContentPage = z.infer<typeof ContentPage>;

/** spec §3 FAQ entry; `answer` is sanitised HTML, `slug` names the entry in an address: `/faq#slug`. */
export const FaqEntry = z
  .object({
    id: z.number().int(),
    slug: z.string(),
    question: z.string(),
    answer: z.string(),
    /** Other words people use for it. */
    triggerPhrases: z.array(z.string()),
  })
  .meta({ id: "FaqEntry" });
export type FaqEntry = z.infer<typeof FaqEntry>;

/** What a blog post is about; `news` also stands on /about. */
export const BlogCategory = z.enum(["news", "blog"]);
export type BlogCategory = z.infer<typeof BlogCategory>;

/** spec §3 Blog post; `body` is sanitised HTML, `excerpt` its first 200 characters as text (spec §9). */
export const BlogPost = z
  .object({
    id: z.number().int(),
    slug: z.string(),
    title: z.string(),
    image: Picture.nullable(),
    author: z.string(),
    publish_date: CalendarDate,
    category: BlogCategory,
    body: z.string(),
    excerpt: z.string(),
    /** The stall that wrote it. */
    vendor: z.object({ id: z.number().int(), slug: z.string(), name: z.string() }).nullable(),
  })
  .meta({ id: "BlogPost" });
export type BlogPost = z.infer<typeof BlogPost>;

/** docs/product.md §11: terms, privacy, about, team, jobs, help, become-a-vendor, driver-application. Unknown: 404. */
export const getContent = endpoint({
  method: "GET",
  url: "/content/:slug",
  schema: { params: z.object({ slug: z.string().min(1).max(100) }), response: { 200: ContentPage } },
});

/** docs/product.md §11: all entries, in their order. */
export const listFaq = endpoint({
  method: "GET",
  url: "/faq",
  schema: { response: { 200: z.array(FaqEntry) } },
});

/** spec §7.11: newest first, 12 a page; of both categories when none is requested. */
export const listBlogPosts = endpoint({
  method: "GET",
  url: "/blog-posts",
  schema: {
    querystring: PageQuery.extend({ category: BlogCategory.optional() }),
    response: {
      200: z.object({
        payload: z.array(BlogPost),
        page: z.number().int(),
        perPage: z.number().int(),
        totalRows: z.number().int(),
      }),
    },
  },
});

/** spec §7.11. Unknown, or not out yet: 404. */
export const getBlogPost = endpoint({
  method: "GET",
  url: "/blog-posts/:id",
  schema: { params: IdOrSlugParams, response: { 200: BlogPost } },
});
