import { formatMoney } from "@marketday/ui/money.ts";

import * as t from "#messages/customers";

/** What `market credit grant` takes at most, dollars. */
const GRANT_MAX = 1000;

/** Dollars that a person typed: "20", "$20.5", "1,000.00"; null: it is no amount above zero with at most two decimals. */
export function parseDollars(text: string): number | null {
  const plain = text.trim().replace(/^\$\s*/, "");
  if (!/^(?:\d{1,7}|\d{1,3}(?:,\d{3}){1,2})?(?:\.\d{1,2})?$/.test(plain) || !/\d/.test(plain)) return null;
  const amount = Number(plain.replaceAll(",", ""));
  return amount > 0 ? amount : null;
}

/** What is wrong with an amount of credit; null: nothing is. `limit`: of the person's roles in dollars, null any amount. */
export function amountProblem(text: string, limit: number | null): string | null {
  const amount = parseDollars(text);
  if (amount === null) return t.amountMissing;
  if (limit !== null && amount > limit) return t.overLimit(formatMoney(limit));
  return amount > GRANT_MAX ? t.overMost(formatMoney(GRANT_MAX)) : null;
}
