import transliterate from "@sindresorhus/transliterate";

/** Characters that the embedded fonts can draw (Figtree, Latin and Latin extended). A test compares it with the fonts. */
export const DRAWABLE =
  /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u0113\u0116-\u0127\u012A\u012B\u012E-\u0137\u0139-\u013E\u0141-\u0148\u014A-\u014D\u0150-\u0161\u0164\u0165\u016A-\u017E\u0218-\u021B\u2013\u2014\u2018-\u201A\u201C-\u201E\u2022\u2026\u20AC\u2122]$/u;

const marks = /\p{M}/gu;
const gaps = /[\p{Z}\p{C}]+/gu;

/**
 * Converts a text to one printable line: control and direction characters are removed, letters that the fonts lack are
 * transliterated to Latin, other characters become "?". The CSV files keep the original text.
 */
export function sanitizeText(text: string): string {
  let result = "";
  for (const character of text.normalize("NFC").replaceAll(gaps, " ").trim()) {
    if (DRAWABLE.test(character)) result += character;
    else result += toLatin(character);
  }
  return result;
}

function toLatin(character: string): string {
  if (/\p{M}/u.test(character)) return "";
  const plain = [...transliterate(character).normalize("NFKD").replaceAll(marks, "")];
  return plain.length > 0 && plain.every((letter) => DRAWABLE.test(letter)) ? plain.join("") : "?";
}
