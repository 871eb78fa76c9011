import * as calls from "@marketday/contracts/admin/calls";
import {
  OFFER_TOKEN_VALUES,
  OFFER_VOCABULARY,
  type OfferToken,
  type OfferTokenName,
} from "@marketday/domain/offer-query";

import * as t from "#messages/products";

import { call } from "../../lib/api.ts";
import type { FilterKind } from "../list/filter-box.tsx";

/** The value of a token in words. */
function formatToken({ name, value }: OfferToken, titles: ReadonlyMap<string, string>): string {
  const key = `${name}:${value}`;
  const known = t.valueWords[key] ?? titles.get(key);
  if (known !== undefined) return known;
  if (name !== "stock" && name !== "price") return value;
  const [, is = "", number = ""] = /^([<>]?)(.*)$/.exec(value) ?? [];
  return t.compared(is, name === "price" ? `$${number}` : number);
}

/** What products are filtered by. */
export const PRODUCT_FILTER: FilterKind<OfferTokenName> = {
  list: "offers",
  vocabulary: OFFER_VOCABULARY,
  fixed: { ...OFFER_TOKEN_VALUES, stock: ["out", "<5", ">20"], price: [">20", "<5"] },
  named: ["hub", "vendor", "product"],
  readValues: (token, text, signal) => call(calls.suggestOfferTokens, { querystring: { token, text } }, { signal }),
  label: t.filter,
  hint: t.filterHint,
  hintShort: t.filterHintShort,
  details: t.tokenDetails,
  searchWords: t.searchWords,
  format: formatToken,
};
