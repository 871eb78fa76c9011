import { query, sql } from "@marketday/db";
import { z } from "zod";

import type { Context } from "../../lib/context.ts";
import type { ContentFile } from "./import-content.ts";
import { postText } from "./post-file.ts";
import { findFaq } from "./store.ts";

const Page = z.object({ slug: z.string(), title: z.string(), body: z.string() });
const Post = Page.extend({
  author: z.string(),
  date: z.string(),
  category: z.enum(["news", "blog"]),
  vendor: z.string().nullable(),
  image: z.string().nullable(),
});

/** Every page, the FAQ and the blog as Markdown files, as `importContent` takes them. */
export async function exportContent({ deps: { db } }: Pick<Context, "deps">): Promise<ContentFile[]> {
  const pages = await query(db, sql`select slug, title, body from content_page order by slug`, Page);
  const faq = await findFaq(db);
  const posts = await query(
    db,
    sql`select b.slug, b.title, b.body, b.author, to_char(b.publish_date, 'YYYY-MM-DD') as date, b.category, v.slug as vendor, coalesce(substr(i.file, 18), i.id) as image
        from blog_post b left join vendor v on v.id = b.vendor_id left join picture i on i.id = b.image_id order by b.publish_date, b.id`,
    Post,
  );
  const entries = faq.map(
    ({ question, answer, trigger_phrases: also }) =>
      `## ${question}\n\n${answer}\n${also.length > 0 ? `\nAlso: ${also.join(", ")}\n` : ""}`,
  );
  return [
    ...pages.map(({ slug, title, body }) => ({ name: `${slug}.md`, text: `# ${title}\n\n${body}\n` })),
    ...(entries.length > 0 ? [{ name: "faq.md", text: entries.join("\n") }] : []),
    ...posts.map((post) => ({ name: `blog/${post.slug}.md`, text: postText(post) })),
  ];
}
