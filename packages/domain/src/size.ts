/** How much one buys: the size of a variant, as it is shown wherever the variant is offered or listed. */

import { formatVariant, lineName } from "./cart.ts";

/** What the market says about one of a variant besides its title: "jar", and how many of a measure it holds, 8 "oz". */
export interface Amount {
  unit: string | null;
  measure: string | null;
  measureAmount: number | null;
}

/** Titles that shop systems and spreadsheets give a variant that has no title. */
const PLACEHOLDER = /^(default( title| variant)?|n\/?a|none|[-–—.]*)$/i;
/** One piece, or a bare number: nothing beside "8 oz". */
const PIECE = /^(each|ea|one|single|piece|item|unit|\d+)\.?$/i;
/** A text that says how much: "2 lb", "½ lb", "Half gallon". */
const AMOUNT = /[\d½¼¾⅓⅔]|\b(dozen|pint|quart|gallon|pound|ounce|liter|peck|bushel)s?\b|\bhalf[ -]lb\b/i;

/** One word for what a market may write in several ways. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["pound", "lb"],
  ["ounce", "oz"],
  ["gram", "g"],
  ["gal", "gallon"],
  ["qt", "quart"],
  ["pt", "pint"],
  ["doz", "dozen"],
  ["per", "1"],
]);

/** "lb" for "lbs" and "pounds", "box" for "boxes", "1" for "per". */
function singular(word: string): string {
  const one = word.replace(/(?<=s|x|ch|sh)es$|(?<=[^s]{2})s$/, "");
  return WORDS.get(one) ?? one;
}

/** For comparisons: "3-lb bags", "3lb bag" and "3 Pound Bag" are the same, and all have "lb" and "3 lb" in common. */
const plain = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/(?<=\d)(?=[½¼¾⅓⅔])/gu, " ")
    .normalize("NFKC")
    .replaceAll("⁄", "/")
    .replaceAll(/(?<=\d)(?=\p{L})/gu, " ")
    .split(/(?:[^\p{L}\p{N}./]|[./](?!\d)|(?<!\d)\/)+/u)
    .filter(Boolean)
    .map(singular)
    .join(" ")} `;
const has = (text: string, part: string): boolean => plain(text).includes(plain(part));

/** Whether a text names something of a variant of this product. */
const isNamed = (product: string, text: string): boolean => !PLACEHOLDER.test(text) && plain(text) !== plain(product);

/** Title, unit and measure, each where it says something; the measure where the others do not say how much. */
function parts(product: string, variant: string, { unit, measure, measureAmount }: Amount): string[] {
  const texts = [variant, unit ?? ""].map((text) => text.trim()).filter((text) => isNamed(product, text));
  const measured = Number((measureAmount ?? 0).toFixed(2));
  return measure && measured > 0 && !texts.some((text) => AMOUNT.test(text))
    ? [...texts, `${measured} ${measure}`]
    : texts;
}

/** The parts that say what the product's title and the parts before do not. One piece is only named where nothing else is. */
function withoutRepetition(product: string, variant: string, all: readonly string[]): string[] {
  const sizes = all.filter((part) => !PIECE.test(part));
  const shown = sizes.length > 0 ? sizes : all.slice(0, 1);
  return shown.filter(
    (part, place) =>
      !shown.some((other, at) => at !== place && has(other, part) && (at < place || !has(part, other))) &&
      formatVariant(product, part) !== "" &&
      (part === variant.trim() || /\p{N}/u.test(part) || !plain(product).endsWith(plain(part))),
  );
}

/**
 * The size of a variant without what its product's title says already: "24 oz", "Round, 5 oz", "Each"; empty for "Dozen" of
 * "Pasture Eggs, Dozen", and where the market does not name a size.
 */
export const formatSize = (product: string, variant: string, amount: Amount): string =>
  withoutRepetition(product, variant, parts(product, variant, amount)).join(", ");

/** The same as sheets print it, of a frozen unit ("jar, 12 oz"): "Carrots, Small · 8 oz". */
export function formatFrozen(product: string, variant: string, unit: string | null): string {
  const title = variant.trim();
  const all = [title, ...(unit ?? "").split(", ")].filter((text) => isNamed(product, text));
  const shown = withoutRepetition(product, title, all);
  const units = shown[0] === title ? shown.slice(1) : shown;
  const name = shown[0] === title ? lineName(product, title) : product;
  return units.length === 0 ? name : `${name} · ${units.join(", ")}`;
}

/** A variant as one thing to name, in lists and mails: "Goat Cheese, Round, 5 oz". */
export const formatSized = (product: string, variant: string, amount: Amount): string =>
  lineName(product, formatSize(product, variant, amount));

/** Whether the market names how much one is. One piece is a size where the unit says so: "Each" alone is also the title of what has none. */
export const hasSize = (product: string, variant: string, amount: Amount): boolean =>
  AMOUNT.test(product) ||
  PIECE.test(amount.unit?.trim() ?? "") ||
  parts(product, variant, amount).some((part) => !PIECE.test(part));
