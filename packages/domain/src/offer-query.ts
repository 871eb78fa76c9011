/** The filter of the products grid: `vendor:cluck-co stock:out has:watchers eggs` (docs/product.md §18). */

import {
  anyText,
  type Checked,
  listed,
  type ListQuery,
  lowered,
  type ParsedQuery,
  parseQuery,
  type Token,
  type Vocabulary,
} from "./list-query.ts";

export const OFFER_TOKENS = [
  "hub",
  "vendor",
  "product",
  "tag",
  "storage",
  "stock",
  "price",
  "offered",
  "has",
  "no",
] as const;
export type OfferTokenName = (typeof OFFER_TOKENS)[number];

/** The values of the names that have a fixed list. `oversold`: more was sold this week than a new week refills it to. */
export const OFFER_TOKEN_VALUES = {
  storage: ["dry", "cold", "frozen"],
  offered: ["yes", "no"],
  has: ["watchers", "sale", "oversold"],
  no: ["picture", "refill", "tag"],
} as const satisfies Partial<Record<OfferTokenName, readonly string[]>>;

export type OfferToken = Token<OfferTokenName>;
export type OfferQuery = ListQuery<OfferTokenName>;

/** A comparison: less than, more than or exactly a number. */
export interface Comparison {
  is: "<" | ">" | "=";
  than: number;
}

/** The comparison of a `stock` value (units), or of a `price` value (cents). */
export function comparisonOf(value: string, unit: "units" | "cents"): Comparison {
  const is = value.startsWith("<") || value.startsWith(">") ? (value[0] as "<" | ">") : "=";
  const number = Number(is === "=" ? value : value.slice(1));
  return { is, than: unit === "cents" ? Math.round(number * 100) : number };
}

function checkStock(value: string): Checked {
  if (value.toLowerCase() === "out") return { value: "0" };
  const found = /^([<>]?) ?(\d{1,7})$/.exec(value);
  if (!found) return { message: `Write stock:out, or a number like stock:<5, not “${value}”.` };
  return { value: `${found[1]}${Number(found[2])}` };
}

function checkPrice(value: string): Checked {
  const found = /^([<>]?) ?\$?(\d{1,6}(?:\.\d{1,2})?)$/.exec(value);
  if (!found) return { message: `Write an amount like price:>20 or price:4.50, not “${value}”.` };
  return { value: `${found[1]}${Number(found[2])}` };
}

const { storage, offered, has, no } = OFFER_TOKEN_VALUES;
/** The tokens of the products grid. */
export const OFFER_VOCABULARY: Vocabulary<OfferTokenName> = {
  hub: lowered,
  vendor: anyText,
  product: anyText,
  tag: anyText,
  storage: listed("storage", storage),
  stock: checkStock,
  price: checkPrice,
  offered: listed("offered", offered),
  has: listed("has", has),
  no: listed("no", no),
};

/** Reads a filter of the products grid as it was typed. */
export const parseOfferQuery = (text: string): ParsedQuery<OfferTokenName> => parseQuery(OFFER_VOCABULARY, text);
