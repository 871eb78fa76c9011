import sanitizeHtml from "sanitize-html";

/** Raised whenever the rules below get stricter: what is stored is cleaned again at the next start (failures.md H3). */
export const SANITIZER_VERSION = 1;

const PROTOCOLS = new Set(["https:", "mailto:"]);

/** An address we link to, written the one way a browser reads it; null for all others, relative ones too. */
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
  // Their content is not text: a browser reads it by other rules, or never shows it.
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
  // Without an address only its words stay.
  exclusiveFilter: ({ tag, attribs }) => (tag === "a" && !attribs["href"] ? "excludeTag" : false),
};

const clean = (html: string): string => sanitizeHtml(html, rules).trim();

/**
 * HTML that somebody wrote → HTML that may be stored and shown (failures.md H1): paragraphs, line breaks, bold, italic,
 * lists, small headings and links to https and mail addresses. Everything else goes; of unknown tags the text stays.
 * What comes out comes out again the same.
 */
export function sanitizeDescription(html: string): string {
  let before = clean(html);
  // A tag that went may have held its neighbors apart: they are read again without it, until nothing moves any more.
  for (let tries = 0; tries < 5; tries += 1) {
    const after = clean(before);
    if (after === before) break;
    before = after;
  }
  return before;
}
