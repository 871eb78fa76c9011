/**
 * The one cleaning of everything that people type or paste, before any check, in the browser, on the server, in imports and in
 * commands (docs/product.md §2 "Text"). Passwords are not cleaned.
 */

import { EMAIL_MAX, EMAIL_MIN, EMAIL_PATTERN, US_PHONE_PATTERN } from "./limits.ts";

const BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Every kind of space, and the blank pattern of Braille. */
const SPACES = /[\t\p{Zs}\u2800]/gu;
/**
 * Control characters, halves of surrogate pairs, marks of direction, zero-width spaces, soft hyphens and letters that are drawn
 * as nothing. Marks that are drawn (U+0600) or that Mongolian needs are not here.
 */
const INVISIBLE =
  // oxlint-disable-next-line no-misleading-character-class -- each character is meant separately
  /[^\P{Cc}\n]|[\p{Cs}\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFC\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}]/gu;
/**
 * Joiners, variation selectors and tags. They stay where writing needs them: after a letter of a script other than Latin, Greek
 * and Cyrillic (Persian, Hindi, Japanese names), and within an emoji, a keycap or the flag of a part of a country.
 */
const JOINERS =
  // oxlint-disable-next-line no-misleading-character-class -- each character is meant separately
  /(\u{1F3F4}[\u{E0030}-\u{E007A}]{1,6}\u{E007F}|[\d#*]\uFE0F\u20E3|(?![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\u0300-\u036F\u180B-\u180F\uFE00-\uFE0F\u{E0100}-\u{E01EF}])[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}][\u200C\u200D\u180B-\u180F\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{1,2})|[\u200C\u200D\u180B-\u180F\uFE00-\uFE0F\u{E0000}-\u{E0FFF}]/gu;
const DASHES = /[\p{Pd}\u2043\u2212]/gu;
/** Arabic and Persian digits; NFKC converts the full-width ones. */
const DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g;

/**
 * Text of several lines: line ends are "\n", tabs and special spaces are spaces, invisible characters are removed, and there is
 * at most one empty line between two others. Composed letters (NFC), without spaces around it.
 */
export const cleanText = (text: string): string =>
  text
    .replace(BREAKS, "\n")
    .replace(SPACES, " ")
    .replace(INVISIBLE, "")
    .replace(JOINERS, "$1")
    // Not by a pattern, which would take n² steps for n spaces.
    .split("\n")
    .map((each) => each.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .normalize("NFC")
    .trim();

/** Text in Markdown, where tabs, spaces at the end of a line and empty lines have a meaning. */
export const cleanMarkdown = (text: string): string =>
  text
    .split("\t")
    .map((part) =>
      part.replace(BREAKS, "\n").replace(SPACES, " ").replace(INVISIBLE, "").replace(JOINERS, "$1").normalize("NFC"),
    )
    .join("\t");

/** Text of one line: line ends are spaces too. */
export const cleanLine = (text: string): string => cleanText(text).replace(/\n[\n ]*/g, " ");

/** What is compared or consists of digits (email addresses, codes, numbers): plain digits, letters and hyphens, no marks. */
export const cleanCode = (text: string): string =>
  cleanLine(text.normalize("NFKC"))
    .replace(/[\u200C\u200D\p{Variation_Selector}]/gu, "")
    .replace(DASHES, "-")
    .replace(DIGITS, (digit) => String(digit.charCodeAt(0) & 15));

/** The digits of a card's number, or of its code. */
export const cleanDigits = (text: string): string => cleanCode(text).replace(/[\s./-]/g, "");

/** A phone number, one separator between two groups: "(317) 555-0142" of what a contact or a web page gave. */
export const cleanPhone = (text: string): string =>
  cleanCode(text)
    .replace(/^tel:/i, "")
    .replace(/[\u00B7\u2022\u2024\u2027\u2219\u22C5]/g, ".")
    .replace(/\s+/g, " ")
    .replace(/ ?([./-])[ ./-]*/g, (_, mark: string) => (mark === "/" ? "-" : mark))
    .replace(/\( ?(\d+) ?\)/g, "($1)")
    .trim();

/** A ZIP code of five digits; of ZIP+4, its first five. Anything else as it is, to be rejected. */
export function cleanZip(text: string): string {
  const zip = cleanCode(text).replace(/\s/g, "");
  return /^\d{5}-?(\d{4})?$/.test(zip) ? zip.slice(0, 5) : zip;
}

/**
 * Whether text is, once cleaned, an email address that the market accepts: one @, no spaces, brackets or separators, 5 to 254
 * characters (spec §5, failures.md E4). The server and every form use this one rule.
 */
export function isEmail(text: string): boolean {
  const email = cleanCode(text);
  return email.length >= EMAIL_MIN && email.length <= EMAIL_MAX && EMAIL_PATTERN.test(email);
}

/** Whether text is, once cleaned, a US phone number (spec §5). */
export const isPhone = (text: string): boolean => US_PHONE_PATTERN.test(cleanPhone(text));
