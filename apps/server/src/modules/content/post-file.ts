import { isCalendarDate } from "@marketday/domain/calendar-date";

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

const FIELDS = new Set(["author", "date", "category", "vendor", "image"]);

/**
 * Parses a post: `# Title`, then lines such as `date: 2026-11-21` (author, date, category, vendor, image), an empty line, and the
 * text. Returns what would be right where it is not.
 */
export function parsePost(slug: string, text: string): PostWords | string {
  const clean = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const [, title = "", rest = ""] = /^\s*# +(.+)\n?([\s\S]*)$/.exec(clean) ?? [];
  if (title.trim() === "") return "a first line that begins with # and holds the title";
  const lines = rest.replace(/^\n+/, "").split("\n");
  const fields: Record<string, string> = {};
  let line = 0;
  for (; line < lines.length; line += 1) {
    const [, name, value] = /^([a-z]+): *(.*)$/.exec(lines[line] ?? "") ?? [];
    if (name === undefined || value === undefined || !FIELDS.has(name)) break;
    fields[name] = value.trim();
  }
  const { author = "", date = "", category = "blog", vendor = "", image = "" } = fields;
  if (!isCalendarDate(date)) return "a line below the title such as date: 2026-11-21";
  if (category !== "news" && category !== "blog") return "category: news or category: blog";
  if (author === "") return "a line below the title such as author: Ada Burns";
  const body = lines.slice(line).join("\n").trim();
  return { slug, title: title.trim(), author, date, category, vendor: vendor || null, image: image || null, body };
}

/** A post as a file; `parsePost` gives it back. */
export const postText = (post: PostWords): string =>
  [
    `# ${post.title}`,
    "",
    `author: ${post.author}`,
    `date: ${post.date}`,
    `category: ${post.category}`,
    ...(post.vendor ? [`vendor: ${post.vendor}`] : []),
    ...(post.image ? [`image: ${post.image}`] : []),
    "",
    post.body,
    "",
  ].join("\n");
