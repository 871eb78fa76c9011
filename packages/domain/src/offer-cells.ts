/**
 * What is typed or pasted into a cell of the grid of products, as it is stored and exported. The server checks it again, as the import of
 * a file (docs/product.md §18).
 */

import type { OfferField } from "./offer-fields.ts";
import { STORAGES } from "./sheets.ts";
import { cleanCode, cleanLine } from "./text.ts";
import { isAccountingDash, readCents, readWhole, suggestPoint } from "./typed-numbers.ts";

/** A cell as it is stored; empty: there is none. Or what is wrong with it, in a sentence that says what to write. */
export type ReadCell = { value: string } | { message: string };

/** Units of stock at most. */
export const STOCK_MAX = 1_000_000;
/** Characters of a title, a unit and a tag, and tags of a product, at most. */
export const TITLE_MAX = 200;
export const UNIT_MAX = 40;
export const TAG_MAX = 60;
export const TAGS_MAX = 40;

const YES: Readonly<Record<string, string>> = { yes: "yes", true: "yes", "1": "yes", no: "no", false: "no", "0": "no" };

const WHOLE = `Write a whole number from 0 to ${STOCK_MAX.toLocaleString("en-US")}.`;
const AMOUNT = "Write an amount in dollars, like 4.50.";

function readMoney(typed: string): ReadCell {
  const cents = readCents(typed);
  if (cents !== undefined) return { value: (cents / 100).toFixed(2) };
  const meant = suggestPoint(typed);
  if (meant !== null) return { message: `Write ${meant}.` };
  return { message: AMOUNT };
}

function readStock(typed: string): ReadCell {
  const units = readWhole(typed, 0, STOCK_MAX);
  return units === undefined ? { message: WHOLE } : { value: String(units) };
}

const READERS: Readonly<Record<OfferField, (typed: string) => ReadCell>> = {
  price: (typed) => (typed === "" ? { message: AMOUNT } : readMoney(typed)),
  sale_price: (typed) => (typed === "" ? { value: "" } : readMoney(typed)),
  inventory: (typed) => (typed === "" ? { message: "Write 0 if nothing is left." } : readStock(typed)),
  weekly_inventory: (typed) => (typed === "" ? { value: "" } : readStock(typed)),
  offered: readYesNo,
  published: readYesNo,
  unit: (typed) =>
    typed.length > UNIT_MAX ? { message: `Write at most ${UNIT_MAX} characters.` } : { value: cleanLine(typed) },
  title: (typed) => {
    if (typed === "") return { message: "Write the title of the product." };
    return typed.length > TITLE_MAX
      ? { message: `Write at most ${TITLE_MAX} characters.` }
      : { value: cleanLine(typed) };
  },
  storage: (typed) => {
    const found = STORAGES.find((storage) => storage === typed.toLowerCase());
    return found === undefined
      ? { message: `Write ${STORAGES.join(", ").replace(/, (\w+)$/, " or $1")}.` }
      : { value: found };
  },
  tags: readTags,
};

function readYesNo(typed: string): ReadCell {
  const value = YES[typed.toLowerCase()];
  return value === undefined ? { message: "Write yes or no." } : { value };
}

function readTags(typed: string): ReadCell {
  const tags = typed
    .split(/[|,]/)
    .map(cleanLine)
    .filter((tag) => tag !== "");
  if (tags.length > TAGS_MAX) return { message: `Write at most ${TAGS_MAX} tags.` };
  if (tags.some((tag) => tag.length > TAG_MAX)) return { message: `Write at most ${TAG_MAX} characters for a tag.` };
  return { value: [...new Set(tags)].join("|") };
}

const isText = (field: OfferField): boolean => field === "unit" || field === "title" || field === "tags";

/** Reads what was typed into a cell. The word `none`, or the dash of a spreadsheet, is an empty cell. */
export function readOfferCell(field: OfferField, typed: string): ReadCell {
  const text = isText(field) ? typed.trim() : cleanCode(typed);
  const isEmpty = /^none$/i.test(text) || (!isText(field) && isAccountingDash(text));
  return READERS[field](isEmpty ? "" : text);
}

/** What is wrong with the cells of an offer together, by field; null: nothing. */
export function checkOfferRow(cells: Readonly<Pick<Record<OfferField, string>, "price" | "sale_price">>): {
  field: OfferField;
  message: string;
} | null {
  const [price, sale] = [readCents(cells.price), readCents(cells.sale_price)];
  if (price === undefined || sale === undefined || sale < price) return null;
  // 1050 was probably to be 10.50.
  const meant = sale >= 100_00 && sale % 100 === 0 && sale / 100 < price ? (sale / 100_00).toFixed(2) : null;
  return {
    field: "sale_price",
    message: [
      `A sale price must be below $${(price / 100).toFixed(2)}.`,
      ...(meant === null ? [] : [`For $${meant}, type ${meant}.`]),
    ].join(" "),
  };
}
