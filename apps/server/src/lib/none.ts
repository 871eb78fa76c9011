/** The word that empties a value in a file, as people read it too. */
export const NONE = "none";

const IS_NONE = /^none$/i;
const IS_TEXT = /^'+none$/i;

/** Whether a cell empties its value, whatever the letter case. */
export const isNone = (text: string): boolean => IS_NONE.test(text);

/** A text as it is in a file: one that is the word "none" has an apostrophe before it, so that it does not empty its value. */
export const escapeNone = (text: string): string => (IS_NONE.test(text) || IS_TEXT.test(text) ? `'${text}` : text);

/** The inverse of `escapeNone`. */
export const unescapeNone = (text: string): string => (IS_TEXT.test(text) ? text.slice(1) : text);
