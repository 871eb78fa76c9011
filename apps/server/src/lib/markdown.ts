import MarkdownIt from "markdown-it";
import sanitizeHtml from "sanitize-html";

// HTML in the source is rendered as text. Images are disabled, because they would load from other origins.
const markdown = new MarkdownIt("default", { html: false, linkify: false, typographer: false }).disable("image");

/** Local paths and anchors, https, mail and telephone links. Null for all others. */
function linkTo(href: string | undefined): string | null {
  if (href === undefined) return null;
  // A browser reads "/\" and "/<tab>/" like "//": another host.
  if (/^[/#]/.test(href)) return /^\/[\\/]|[\p{Cc}\\]/u.test(href) ? null : href;
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  return ["https:", "mailto:", "tel:"].includes(url.protocol) && !url.username && !url.password ? url.href : null;
}

/** The page's title is its h1, so headings in the text start at h2. */
const heading = (level: number): sanitizeHtml.Transformer => sanitizeHtml.simpleTransform(`h${level}`, {});

const rules: sanitizeHtml.IOptions = {
  allowedTags: [
    "h2",
    "h3",
    "h4",
    "p",
    "br",
    "hr",
    "strong",
    "em",
    "s",
    "code",
    "pre",
    "blockquote",
    "ul",
    "ol",
    "li",
    "a",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
  ],
  allowedAttributes: { a: ["href", "rel"], ol: ["start"] },
  allowedSchemes: ["https", "mailto", "tel"],
  allowProtocolRelative: false,
  nestingLimit: 20,
  parseStyleAttributes: false,
  transformTags: {
    h1: heading(2),
    h5: heading(4),
    h6: heading(4),
    a: (_tag, { href }) => {
      const link = linkTo(href);
      if (link === null) return { tagName: "a", attribs: {} };
      return { tagName: "a", attribs: { href: link, ...(link.startsWith("https:") && { rel: "noopener" }) } };
    },
  },
  exclusiveFilter: ({ tag, attribs }) => (tag === "a" && !attribs["href"] ? "excludeTag" : false),
};

/**
 * Markdown of operators or vendors → HTML that is safe to render (failures.md H1, H2). Two defenses: the parser treats HTML
 * as text, and its output is sanitized.
 */
export const markdownToHtml = (source: string): string => sanitizeHtml(markdown.render(source), rules).trim();

/** The text of Markdown as one line. */
export function markdownToText(source: string): string {
  const words: string[] = [];
  for (const { type, content, children } of markdown.parse(source, {})) {
    if (type === "fence" || type === "code_block") words.push(content);
    if (type !== "inline") continue;
    words.push(
      (children ?? [])
        .map((part) => (part.type === "softbreak" || part.type === "hardbreak" ? " " : part.content))
        .join(""),
    );
  }
  return words.join(" ").replaceAll(/\s+/g, " ").trim();
}

/** Escapes a value that is inserted into Markdown. */
export const escapeMarkdown = (text: string): string => text.replaceAll(/[!-/:-@[-`{-~]/g, "\\$&");
