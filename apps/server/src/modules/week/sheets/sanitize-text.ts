import transliterate from "@sindresorhus/transliterate";

const FIGTREE = String.raw`\u0020-\u007E\u00A1-\u00AC\u00AE-\u0113\u0116-\u0127\u012A\u012B\u012E-\u0137\u0139-\u013E\u0141-\u0148\u014A-\u014D\u0150-\u0161\u0164\u0165\u016A-\u017E\u0218-\u021B\u2013\u2014\u2018-\u201A\u201C-\u201E\u2022\u2026\u20AC\u2122`;
/** Latin Extended-A, -B and Additional: the letters of Vietnamese and most languages in Latin script. */
const NOTO_SANS = String.raw`\u0100-\u024F\u1E00-\u1EFF`;

/** Characters of the sheets' first font, Figtree; a printer of Zebra labels has about these. A test compares it with the font. */
export const BASIC = new RegExp(`^[${FIGTREE}]$`, "u");
/** Characters of the second font, Noto Sans, which has those of Figtree too. A test compares it with the font. */
export const DRAWABLE = new RegExp(`^[${FIGTREE}${NOTO_SANS}]$`, "u");

const BASIC_TEXT = new RegExp(`^[${FIGTREE}]*$`, "u");
/** Whether Figtree can draw all of a text. */
export const isBasicText = (text: string): boolean => BASIC_TEXT.test(text);

const marks = /\p{M}/gu;
const gaps = /[\p{Z}\p{C}]+/gu;

/**
 * Converts a text to one printable line: control and direction characters are removed, letters that are not `drawable` are
 * transliterated to Latin, other characters become "?". The CSV files keep the original text.
 */
export function sanitizeText(text: string, drawable = DRAWABLE): string {
  let result = "";
  for (const character of text.normalize("NFC").replaceAll(gaps, " ").trim()) {
    if (drawable.test(character)) result += character;
    else result += toLatin(character, drawable);
  }
  return result;
}

function toLatin(character: string, drawable: RegExp): string {
  if (/\p{M}/u.test(character)) return "";
  const plain = [...transliterate(character).normalize("NFKD").replaceAll(marks, "")];
  return plain.length > 0 && plain.every((letter) => drawable.test(letter)) ? plain.join("") : "?";
}
