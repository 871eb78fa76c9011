import type { BlogPost, ContentPage, FaqEntry } from "@marketday/contracts/content";
import { dateFromUtc } from "@marketday/domain/calendar-date";
import { BLOG_EXCERPT_LENGTH } from "@marketday/domain/limits";
import slugify from "@sindresorhus/slugify";

import type { Env } from "../../env.ts";
import { escapeMarkdown, markdownToHtml, markdownToText } from "../../lib/markdown.ts";
import { serializePictureOrNull } from "../pictures/picture-row.ts";
import type { PostRow } from "./store.ts";

type Names = Pick<Env, "marketName" | "supportEmail" | "supportPhone">;

/** Replaces the placeholders `{{market}}`, `{{email}}` and `{{phone}}` with the market's own. */
function named(text: string, env: Names, escape: (value: string) => string): string {
  const names: Record<string, string> = { market: env.marketName, email: env.supportEmail, phone: env.supportPhone };
  return text.replaceAll(/\{\{(market|email|phone)\}\}/g, (_whole, name: string) => escape(names[name] ?? ""));
}
const same = (value: string) => value;

/** A content page, stored or default. */
export const serializePage = (
  page: { slug: string; title: string; body: string; updatedAt: Date | null },
  env: Names,
): ContentPage => ({
  slug: page.slug,
  title: named(page.title, env, same),
  html: markdownToHtml(named(page.body, env, escapeMarkdown)),
  updatedAt: page.updatedAt?.toISOString() ?? null,
});

/** An entry's name in an address; equal names are distinguished by a number. */
export function serializeFaq(
  entries: readonly { id: number; question: string; answer: string; triggerPhrases: readonly string[] }[],
  env: Names,
): FaqEntry[] {
  const taken = new Set<string>();
  return entries.map(({ id, question, answer, triggerPhrases }) => {
    const words = named(question, env, same);
    const base = slugify(words) || "question";
    const slug = taken.has(base) ? `${base}-${id}` : base;
    taken.add(slug);
    return {
      id,
      slug,
      question: words,
      answer: markdownToHtml(named(answer, env, escapeMarkdown)),
      triggerPhrases: [...triggerPhrases],
    };
  });
}

/** At most 200 characters, cut between words where there is a gap near the end (spec §9). */
function excerptOf(body: string): string {
  const text = markdownToText(body);
  const characters = [...text];
  if (characters.length <= BLOG_EXCERPT_LENGTH) return text;
  const cut = characters.slice(0, BLOG_EXCERPT_LENGTH - 1).join("");
  const gap = characters[BLOG_EXCERPT_LENGTH - 1] === " " ? cut.length : cut.lastIndexOf(" ");
  const kept = gap > BLOG_EXCERPT_LENGTH / 2 ? cut.slice(0, gap) : cut;
  return `${kept.replace(/[\s,;:.–-]+$/, "")}…`;
}

export const serializePost = ({ image, body, ...post }: PostRow): BlogPost => ({
  ...post,
  publish_date: dateFromUtc(post.publish_date),
  category: post.category as BlogPost["category"],
  image: serializePictureOrNull(image),
  body: markdownToHtml(body),
  excerpt: excerptOf(body),
});
