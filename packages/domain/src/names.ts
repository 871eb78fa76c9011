/** Names as people compare them: the same thing is written with other capitals, spaces, accents or dashes. */

/** Letters that Unicode does not split into a letter and an accent. */
const LETTERS: Readonly<Record<string, string>> = { ø: "o", ł: "l", đ: "d", ħ: "h", ı: "i", æ: "ae", œ: "oe", þ: "th" };

/** What marks of writing are in names, as one character each. */
const DASHES = /[\p{Pd}\u2212\u00AF_]/gu;
const QUOTES = /[\u2018\u2019\u201A\u201B\u2032\u00B4\u0060]/g;
const DOUBLE_QUOTES = /[\u201C-\u201F\u2033]/g;

/** The invisible characters, and accents when they are characters of their own. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u0300-\u036F\u2800]/gu;

/**
 * The form of a name in which two names are equal when they differ only by capitals, spaces, accents, dashes, the kind of
 * quotes, or invisible characters (docs/product.md §11). Spaces and dashes between two digits stay one dash, so that "1-2 lb"
 * is not "12 lb", and "1½" is "1 1/2", not "11/2".
 */
export function foldName(name: string): string {
  const plain = name
    .replaceAll(/(?<=\d)(?=[\u00BC-\u00BE\u2150-\u215E])/g, " ")
    .normalize("NFKD")
    .replaceAll(UNSEEN, "")
    .replaceAll("\u2044", "/")
    .replaceAll(QUOTES, "'")
    .replaceAll(DOUBLE_QUOTES, '"')
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(UNSEEN, "")
    .replaceAll(/[øłđħıæœþ]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(DASHES, "-")
    .trim();
  const folded = plain.replaceAll(/(?<=\d)[\s-]+(?=\d)/g, "\u0000").replaceAll(/[\s-]+/g, "");
  return folded === "" ? plain : folded.replaceAll("\u0000", "-");
}

/** Whether two names are equal but for capitals, spaces, accents, dashes and invisible characters. */
export const isSameName = (a: string, b: string): boolean => foldName(a) === foldName(b);
