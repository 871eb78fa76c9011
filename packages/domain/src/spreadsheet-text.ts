/** Texts as spreadsheets change them: they take "1/2" for a date and write "2-Jan" (docs/product.md §11). */

/** The twelve months of a language, shortened as its spreadsheets do, with other spellings after a bar. */
const MONTHS = [
  "jan feb mar apr may jun jul aug sep|sept oct nov dec",
  "ene feb mar abr may jun jul ago sept|sep|set oct nov dic",
  "janv|jan févr|févr|fév mars avr mai juin juil août sept oct nov déc",
  "jan feb mrz|mär|märz apr mai jun|juni jul|juli aug sep|sept okt nov dez",
  "gen feb mar apr mag giu lug ago set ott nov dic",
  "jan fev mar abr mai jun jul ago set out nov dez",
  "jan feb mrt|maa|maart apr mei jun jul aug sep okt nov dec",
  "sty lut mar kwi maj cze lip sie wrz paź lis gru",
  "янв фев мар апр май|мая июн июл авг сен|сент окт ноя дек",
] as const;
const monthByName = new Map(
  MONTHS.flatMap((language) =>
    language
      .split(" ")
      .flatMap((names, month) => names.split("|").map((name): [string, number] => [name.normalize("NFC"), month + 1])),
  ),
);
const NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const monthOf = (name: string): number | null => monthByName.get(name.normalize("NFC").toLowerCase()) ?? null;
const isDay = (day: number): boolean => day >= 1 && day <= 31;
const isMonth = (month: number): boolean => month >= 1 && month <= 12;

/** What a spreadsheet made of a text, and what the text may have been, likeliest first. */
interface Made {
  looks: string;
  was: readonly string[];
}

const DATE = "a date that a spreadsheet made";

/** A day of a month: it was typed as "1/2", which in a slug is "1-2". */
const dateOf = (month: number, second: number): Made => ({
  looks: DATE,
  was: [`${month}/${second}`, `${month}-${second}`],
});

/** "2-Jan", "02. Jan", "2-Jan-26", "2/ene", "Jan-02", "janv-02". */
function namedMonth(text: string): Made | null {
  const [, day = "", name = ""] =
    /^(\d{1,2})(?:\s?[-/]\s?|\.\s?|\s)(\p{L}{3,5})\.?(?:(?:\s?[-/]\s?|\s)(?:\d{2}|\d{4}))?$/u.exec(text) ?? [];
  const month = name === "" ? null : monthOf(name);
  if (month !== null && isDay(Number(day))) return dateOf(month, Number(day));
  const [, first = "", year = ""] = /^(\p{L}{3,5})\.?[-/](\d{2}|\d{4})$/u.exec(text) ?? [];
  const start = first === "" ? null : monthOf(first);
  return start === null ? null : dateOf(start, Number(year.slice(-2)));
}

const TIME = String.raw`(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[AP]M)?Z?)?`;
const ISO_DATE = new RegExp(String.raw`^\d{4}([-/])(\d{1,2})\1(\d{1,2})${TIME}$`, "i");
const LOCAL_DATE = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{2}|\d{4})${TIME}$`, "i");

/** "1/2/2026", "1/2/26", "02.01.2026", "2026-01-02", each also with a time. "10-10-10" is a fertilizer, "1.2.26" a version. */
function numberedDate(text: string): Made | null {
  const [, , month = "", date = ""] = ISO_DATE.exec(text) ?? [];
  if (isMonth(Number(month)) && isDay(Number(date))) return dateOf(Number(month), Number(date));
  const [, first = "", separator, second = "", year = ""] = LOCAL_DATE.exec(text) ?? [];
  const [a, b] = [Number(first), Number(second)];
  if (year.length === 2 && separator !== "/") return null;
  if (isMonth(a) && isDay(b)) return dateOf(a, b);
  return year.length === 4 && isDay(a) && isMonth(b) ? dateOf(a, b) : null;
}

/** The days from 2000 to 2050 as spreadsheets count them. */
const isSerial = (text: string): boolean => /^\d{5}$/.test(text) && Number(text) >= 36_526 && Number(text) <= 55_153;

const dayOfSerial = (text: string): Date => new Date(Date.UTC(1899, 11, 30 + Number(text)));

/** The day of a number that may be a date as spreadsheets count it: "46357" → "2026-12-01"; null: it is none. */
export const serialDay = (text: string): string | null =>
  isSerial(text) ? dayOfSerial(text).toISOString().slice(0, 10) : null;

/** A day as a spreadsheet counts it → month and day. */
function serialDate(text: string): Made {
  const date = dayOfSerial(text);
  return {
    ...dateOf(date.getUTCMonth() + 1, date.getUTCDate()),
    looks: `a date that a spreadsheet counts in days (${date.toISOString().slice(0, 10)})`,
  };
}

/** "1.00E+05", "1E5", "6.0", "1,200.00", "$4.50", "50.00%", "1:02:00". */
function formattedNumber(text: string): Made | null {
  if (/^-?\d+(?:[.,]\d+)?E[+-]?\d{1,3}$/.test(text) || /^-?\d+(?:[.,]\d+)?e[+-]\d{1,3}$/.test(text)) {
    const value = Number(text.replace(",", "."));
    const was = Number.isFinite(value) && Math.abs(value) < 1e21 && Number.isInteger(value) ? [String(value)] : [];
    return { looks: "a number that a spreadsheet shortened", was };
  }
  const [, whole] = /^(-?\d{1,3}(?:,\d{3})+|-?\d+)\.0+$/.exec(text) ?? [];
  if (whole !== undefined) return { looks: "a number that a spreadsheet wrote", was: [whole.replaceAll(",", "")] };
  const [, percent] = /^(-?\d+(?:\.\d*[1-9])?)\.?0+ ?%$/.exec(text) ?? [];
  if (percent !== undefined && text.includes("."))
    return { looks: "a percentage that a spreadsheet wrote", was: [`${percent}%`] };
  if (/^[-(]?\s?[$€£¥]\s?\(?[\d,]+\.\d{2}\)?$/.test(text) || /^-?[\d.]+,\d{2}\s?€$/.test(text))
    return {
      looks: "an amount of money",
      was: [text.replaceAll(/[()\s]|\.00(?!\d)/g, "")].filter((was) => was !== text),
    };
  const [, hours, minutes, seconds] = /^(\d{1,2}):(\d{2}):(\d{2})(?: [AP]M)?$/.exec(text) ?? [];
  if (seconds !== undefined)
    return { looks: "a time that a spreadsheet made", was: [`${Number(hours)}:${Number(minutes)}`] };
  return null;
}

/** "#NAME?", "#¡REF!", "#N/A", "Err:502", "########". */
const isErrorValue = (text: string): boolean =>
  /^#[¡¿]?[\p{Lu}\d_/]{2,}[!?]$/u.test(text) ||
  /^#(?:N\/[AD]|NV|GETTING_DATA|I\/T)$/.test(text) ||
  /^Err:\d{3}$/.test(text) ||
  /^#{3,}$/.test(text);

const TRUTHS = new Set(["TRUE", "FALSE", "WAHR", "FALSCH", "VRAI", "FAUX", "VERDADERO", "FALSO", "VERO"]);

const quoted = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text).replaceAll(/\s+/g, " ");

const sentenceOf = (text: string, { looks, was }: Made, form: (was: string) => string): string => {
  const [first, other] = [...new Set(was.map((each) => form(each)))].filter((each) => each !== text);
  const meant = first === undefined ? "" : `; was it ${first}?${other === undefined ? "" : ` Or ${other}?`}`;
  return `"${quoted(text)}" looks like ${looks}${meant}`;
};

/** A sentence about a text that is what a spreadsheet shows where it has no value: "#NAME?", "########"; null: it is not. */
export const errorValueSentence = (text: string): string | null =>
  !isErrorValue(text)
    ? null
    : /^#+$/.test(text)
      ? `"${quoted(text)}" is what a spreadsheet shows when a column is too narrow. Make it wider, and save the file again`
      : `"${quoted(text)}" is what a spreadsheet shows when it cannot calculate a cell. Format the column as text, and type it again`;

/**
 * A sentence about a name, unit or code that a spreadsheet probably made of another one, with what it may have been:
 * `"2-Jan" looks like a date that a spreadsheet made; was it 1/2?`; null: it looks like none. Whole percentages ("2%" of milk)
 * and numbers are names.
 * @param isSerialDoubtful whether five digits can only be a day as spreadsheets count them
 */
export function spreadsheetSentence(text: string, isSerialDoubtful = true): string | null {
  if (TRUTHS.has(text.toUpperCase())) return `"${text}" looks like a yes or no that a spreadsheet made`;
  // Most names have no digit.
  if (!/[\d#]/.test(text)) return null;
  const error = errorValueSentence(text);
  if (error !== null) return error;
  const made =
    namedMonth(text) ??
    numberedDate(text) ??
    formattedNumber(text) ??
    (isSerialDoubtful && isSerial(text) ? serialDate(text) : null);
  return made && sentenceOf(text, made, (was) => was);
}

/** `spreadsheetSentence` of a slug: "10-Mar" was mar-10 or 3-10, "2026-03-10" was 3-10. */
export function spreadsheetSlugSentence(text: string): string | null {
  const error = errorValueSentence(text);
  if (error !== null) return error;
  // Lower-case letters are how slugs are written: mar-10 is one.
  const isSlug = /^[a-z0-9-]+$/.test(text);
  const made =
    (isSlug && /[a-z]/.test(text) ? null : (namedMonth(text) ?? numberedDate(text))) ?? formattedNumber(text);
  if (made) {
    const [month = "", day = ""] = made.looks === DATE ? made.was[0]!.split("/") : [];
    const was = month === "" ? made.was : [`${NAMES[Number(month) - 1]}-${day}`, `${month}-${day}`];
    return sentenceOf(text, { ...made, was: was.filter((each) => !/^\d+$/.test(each)) }, (each) => each.toLowerCase());
  }
  return isSerial(text) ? sentenceOf(text, { ...serialDate(text), was: [] }, (was) => was) : null;
}
