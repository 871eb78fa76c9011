/** The filter of the orders list: `hub:carmel day:2026-11-26 vendor:"Oak Farm" eggs` (docs/product.md §18). */

import { isCalendarDate } from "./calendar-date.ts";
import {
  anyText,
  type Checked,
  listed,
  type ListQuery,
  lowered,
  numbered,
  type ParsedQuery,
  parseQuery,
  type Token,
  type Vocabulary,
} from "./list-query.ts";

export const ORDER_TOKENS = [
  "hub",
  "day",
  "vendor",
  "product",
  "status",
  "money",
  "owes",
  "has",
  "way",
  "point",
  "customer",
  "tote",
  "driver",
] as const;
export type OrderTokenName = (typeof ORDER_TOKENS)[number];

/** The values of the names that have a fixed list. */
export const ORDER_TOKEN_VALUES = {
  status: ["open", "packing", "delivered", "cancelled"],
  money: ["due", "declined", "back_failed", "back", "written_off", "held", "to_charge", "paid", "none"],
  has: ["note", "problem", "auto", "first"],
  way: ["door", "pickup"],
} as const satisfies Partial<Record<OrderTokenName, readonly string[]>>;

export type OrderToken = Token<OrderTokenName>;
export type OrderQuery = ListQuery<OrderTokenName>;

/** The delivery days of a `day` value, both included; null: no end. */
export function dayRange(value: string): { from: string | null; to: string | null } {
  const [from = "", to = from] = value.split("..");
  return { from: from || null, to: to || null };
}

/** The amount that must be exceeded, in cents, of an `owes` value. */
export const owedCents = (value: string): number => (value === "yes" ? 0 : Math.round(Number(value.slice(1)) * 100));

function checkDay(value: string): Checked {
  const example = "Write a day like 2026-11-26, or a range like 2026-11-20..2026-11-26";
  const parts = value.split("..");
  const wrong = parts.find((part) => part !== "" && !isCalendarDate(part));
  if (parts.length > 2 || parts.every((part) => part === "")) return { message: `${example}, not “${value}”.` };
  if (wrong !== undefined) return { message: `“${wrong}” is not a date. ${example}.` };
  const { from, to } = dayRange(value);
  if (from !== null && to !== null && from > to)
    return { message: `The range starts after its end. Write it as ${to}..${from}.` };
  return { value: parts.length === 2 && from === to ? parts[0]! : value };
}

function checkOwes(value: string): Checked {
  if (value.toLowerCase() === "yes") return { value: "yes" };
  const [, amount] = /^> ?\$?(\d{1,7}(?:\.\d{1,2})?)$/.exec(value) ?? [];
  if (amount === undefined) return { message: `Write owes:yes, or an amount like owes:>20, not “${value}”.` };
  return { value: Number(amount) === 0 ? "yes" : `>${Number(amount)}` };
}

const { status, money, has, way } = ORDER_TOKEN_VALUES;
/** The tokens of the orders list. */
export const ORDER_VOCABULARY: Vocabulary<OrderTokenName> = {
  hub: lowered,
  day: checkDay,
  vendor: anyText,
  product: anyText,
  status: listed("status", status),
  money: listed("money", money),
  owes: checkOwes,
  has: listed("has", has),
  way: listed("way", way),
  point: anyText,
  customer: numbered("customer"),
  tote: numbered("tote"),
  driver: numbered("driver"),
};

/** Reads a filter of the orders list as it was typed. */
export const parseOrderQuery = (text: string): ParsedQuery<OrderTokenName> => parseQuery(ORDER_VOCABULARY, text);
