/**
 * HTML that may be sent: made by `html`, or marked with `trusted`. TypeScript refuses a string in its place, so a text that was
 * not escaped cannot become part of a page.
 *
 * Not a library: `ghtml` returns strings, so escaped and other text have one type, and `escape-html-template-tag` accepts any
 * value, prints "null" and "[object Object]", and installs `caniuse-lite`.
 */
class SafeHtml {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The HTML as it is sent. */
  toString(): string {
    return this.#text;
  }

  /** The text also in JSON, so that two values can be compared by it. */
  toJSON(): string {
    return this.#text;
  }
}
export type { SafeHtml as Html };

/** Null, undefined and false become nothing, so that a condition may be written as `isShown && html…`. */
type Part = SafeHtml | string | number | false | null | undefined | readonly Part[];

const SPECIAL = /[&<>"']/;
const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeText = (text: string): string =>
  SPECIAL.test(text) ? text.replaceAll(/[&<>"']/g, (char) => ESCAPES[char]!) : text;

function render(part: Part): string {
  if (typeof part === "string") return escapeText(part);
  if (part instanceof SafeHtml) return part.toString();
  if (typeof part === "number") return String(part);
  if (!part) return "";
  let text = "";
  for (const each of part) text += render(each);
  return text;
}

/**
 * A template whose values are escaped, except HTML; arrays are joined. A value belongs in text or in a quoted attribute: inside
 * `<script>`, `<style>` and unquoted attributes escaping protects nothing.
 */
export function html(strings: TemplateStringsArray, ...parts: Part[]): SafeHtml {
  let text = strings[0]!;
  for (let place = 0; place < parts.length; place += 1) {
    const part = parts[place];
    text += typeof part === "string" ? escapeText(part) : render(part);
    text += strings[place + 1]!;
  }
  return new SafeHtml(text);
}

/** Marks a string as HTML. Each use has a comment with the reason why the string is safe. */
export const trusted = (text: string): SafeHtml => new SafeHtml(text);

/** Text with its line breaks. */
export const multiline = (text: string): SafeHtml => new SafeHtml(escapeText(text).replaceAll("\n", "<br>"));

/** JSON in a script element, where HTML is not unescaped: `</script>` and the line separators of old JavaScript are escaped in JSON. */
export const scriptJson = (value: unknown): SafeHtml =>
  new SafeHtml(
    JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029"),
  );
