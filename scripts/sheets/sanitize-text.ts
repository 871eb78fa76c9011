import transliterate from "@sindresorhus/transliterate";

/** What the embedded fonts can draw (Figtree, Latin and Latin extended); a test holds it against them. */
export const DRAWN =
  /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u0113\u0116-\u0127\u012A\u012B\u012E-\u0137\u0139-\u013E\u0141-\u0148\u014A-\u014D\u0150-\u0161\u0164\u0165\u016A-\u017E\u0218-\u021B\u2013\u2014\u2018-\u201A\u201C-\u201E\u2022\u2026\u20AC\u2122]$/u;

const marks = /\p{M}/gu;
const gaps = /[\p{Z}\p{C}]+/gu;

/**
 * A text as it can be printed: one line, without control and direction characters; letters that the fonts lack become
 * their nearest Latin ones, signs without any become "?". The CSV files keep what was written.
 */
export function sanitizeText(text: string): string {
  let shown = "";
  for (const sign of text.normalize("NFC").replaceAll(gaps, " ").trim()) {
    if (DRAWN.test(sign)) shown += sign;
    else shown += spelled(sign);
  }
  return shown;
}

function spelled(sign: string): string {
  if (/\p{M}/u.test(sign)) return "";
  const plain = [...transliterate(sign).normalize("NFKD").replaceAll(marks, "")];
  return plain.length > 0 && plain.every((letter) => DRAWN.test(letter)) ? plain.join("") : "?";
}
