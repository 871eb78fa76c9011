import { escapeNone } from "../../lib/none.ts";
import type { Context } from "../identity/context.ts";
import type { ContentFile } from "./import-content.ts";
import { bodyText, postText } from "./post-file.ts";
import { findFaq, findAllPages, findAllPosts } from "./store.ts";

/** Every page, the FAQ and the blog as Markdown files, as `importContent` takes them. */
export async function exportContent({ deps: { db } }: Pick<Context, "deps">): Promise<ContentFile[]> {
  const pages = await findAllPages(db);
  const faq = await findFaq(db);
  const posts = await findAllPosts(db);
  const entries = faq.map(
    ({ question, answer, trigger_phrases: also }) =>
      `## ${question}\n\n${escapeNone(answer)}\n${also.length > 0 ? `\nAlso: ${escapeNone(also.join(", "))}\n` : ""}`,
  );
  return [
    ...pages.map(({ slug, title, body }) => ({ name: `${slug}.md`, text: `# ${title}\n\n${bodyText(body)}\n` })),
    ...(entries.length > 0 ? [{ name: "faq.md", text: entries.join("\n") }] : []),
    ...posts.map((post) => ({ name: `blog/${post.slug}.md`, text: postText(post) })),
  ];
}
