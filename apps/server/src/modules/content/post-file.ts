import { isCalendarDate } from "@marketday/domain/calendar-date";

import { escapeNone, isNone, NONE, unescapeNone } from "../../lib/none.ts";

/** A blog post as it is written in a file. */
export interface PostWords {
  slug: string;
  title: string;
  author: string;
  /** `YYYY-MM-DD` */
  date: string;
  category: "news" | "blog";
  /** Slug of the vendor it is about. */
  vendor: string | null;
  /** Name of its picture. */
  image: string | null;
  body: string;
}

/** Why a page or a post that is new is refused without a text. */
export const NO_WORDS = "words below the title, or the word none for an empty page";

const FIELDS = new Set(["author", "date", "category", "vendor", "image"]);

/**
 * Parses a post: `# Title`, then lines such as `date: 2026-11-21` (author, date, category, vendor, image), an empty line, and the
 * text. What is left out is that of the stored post, and the word `none` empties it. Returns what would be right where it is not.
 */
export function parsePost(slug: string, file: string, stored: PostWords | null): PostWords | string {
  const [, title = "", rest = ""] = /^\s*# +(.+)\n?([\s\S]*)$/.exec(file) ?? [];
  if (title.trim() === "") return "a first line that begins with # and holds the title";
  const lines = rest.replace(/^\n+/, "").split("\n");
  const fields: Record<string, string> = {};
  let line = 0;
  for (; line < lines.length; line += 1) {
    const [, name, value] = /^([a-z]+): *(.*)$/.exec(lines[line] ?? "") ?? [];
    if (name === undefined || value === undefined || !FIELDS.has(name)) break;
    fields[name] = value.trim();
  }
  const value = (given: string | undefined, before: string | null | undefined): string =>
    !given ? (before ?? "") : isNone(given) ? "" : unescapeNone(given);
  const author = value(fields["author"], stored?.author);
  const date = value(fields["date"], stored?.date);
  const category = fields["category"] || (stored?.category ?? "blog");
  const vendor = value(fields["vendor"], stored?.vendor);
  const image = value(fields["image"], stored?.image);
  if (!isCalendarDate(date)) return "a line below the title such as date: 2026-11-21";
  if (category !== "news" && category !== "blog") return "category: news or category: blog";
  if (author === "") return "a line below the title such as author: Ada Burns";
  const text = lines.slice(line).join("\n").trim();
  if (text === "" && stored === null) return NO_WORDS;
  const body = value(text, stored?.body);
  return { slug, title: title.trim(), author, date, category, vendor: vendor || null, image: image || null, body };
}

/** The text of a page or a post in its file: an empty one is the word for it, as a new one needs a text. */
export const bodyText = (body: string): string => (body === "" ? NONE : escapeNone(body));

/** A post as a file; `parsePost` gives it back. */
export const postText = (post: PostWords): string =>
  [
    `# ${post.title}`,
    "",
    `author: ${escapeNone(post.author)}`,
    `date: ${post.date}`,
    `category: ${post.category}`,
    ...(post.vendor ? [`vendor: ${escapeNone(post.vendor)}`] : []),
    ...(post.image ? [`image: ${escapeNone(post.image)}`] : []),
    "",
    bodyText(post.body),
    "",
  ].join("\n");
