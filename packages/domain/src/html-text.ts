/** The end of a block or a cell is a space, so that its words do not run into the next one's. */
const BLOCK_END = /<(?:br|hr|\/(?:p|li|ul|ol|h[1-6]|div|blockquote|pre|td|th|tr))\b[^>]*>/gi;
const CHARACTERS: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/**
 * The text of sanitized HTML, on one line: for descriptions of pages, the server's view and the beginning of a long text. The
 * sanitizer leaves no other entities than these.
 */
export const plainText = (html: string): string =>
  html
    .replaceAll(BLOCK_END, " ")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => CHARACTERS[name]!)
    .replaceAll(/\s+/g, " ")
    .trim();
