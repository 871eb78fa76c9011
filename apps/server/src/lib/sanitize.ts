import sanitizeHtml from "sanitize-html";

/** Increased when the rules below get stricter: stored descriptions are sanitized again at the next start (failures.md H3). */
export const SANITIZER_VERSION = 1;

const PROTOCOLS = new Set(["https:", "mailto:"]);

/** The normalized URL of an allowed link; null for all others, including relative ones. */
function linkTo(href: string | undefined): string | null {
  if (href === undefined || !URL.canParse(href)) return null;
  const url = new URL(href);
  return PROTOCOLS.has(url.protocol) && !url.username && !url.password ? url.href : null;
}

const rules: sanitizeHtml.IOptions = {
  allowedTags: ["p", "br", "b", "strong", "i", "em", "ul", "ol", "li", "h3", "h4", "a"],
  allowedAttributes: { a: ["href", "rel"] },
  allowedSchemes: ["https", "mailto"],
  allowProtocolRelative: false,
  // Their content is not text: browsers parse it by other rules, or never render it.
  nonTextTags: [
    "script",
    "style",
    "textarea",
    "option",
    "select",
    "noscript",
    "noembed",
    "noframes",
    "iframe",
    "object",
    "embed",
    "xmp",
    "plaintext",
    "title",
    "template",
    "svg",
    "math",
  ],
  nestingLimit: 12,
  parseStyleAttributes: false,
  transformTags: {
    a: (_tag, { href }) => {
      const link = linkTo(href);
      const attribs: Record<string, string> = link === null ? {} : { href: link, rel: "noopener nofollow" };
      return { tagName: "a", attribs };
    },
  },
  // A link without a URL is reduced to its text.
  exclusiveFilter: ({ tag, attribs }) => (tag === "a" && !attribs["href"] ? "excludeTag" : false),
};

const clean = (html: string): string => sanitizeHtml(html, rules).trim();

/**
 * HTML of users → HTML that is safe to store and render (failures.md H1): paragraphs, line breaks, bold, italic, lists, small
 * headings and links to https and mail addresses. Everything else is removed; the text of unknown tags stays. Idempotent.
 */
export function sanitizeDescription(html: string): string {
  let before = clean(html);
  // Removing a tag can join its neighbors into a new one: repeat until nothing changes.
  for (let tries = 0; tries < 5; tries += 1) {
    const after = clean(before);
    if (after === before) break;
    before = after;
  }
  return before;
}
