/**
 * A cell that begins with one of these is a formula to a spreadsheet, and may read and send what stands beside it (CSV
 * injection). It is written with an apostrophe before it, which spreadsheets hide, and read without.
 */
const formula = /^'*[=+\-@\t\r＝＋－＠]/;

/** How a text stands in a file. */
export const guarded = (text: string): string => (formula.test(text) ? `'${text}` : text);
/** What stood there before `guarded`. */
export const unguarded = (text: string): string => (text.startsWith("'") && formula.test(text) ? text.slice(1) : text);
