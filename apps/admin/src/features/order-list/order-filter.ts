import * as calls from "@marketday/contracts/admin/calls";
import { ORDER_TOKEN_VALUES, ORDER_VOCABULARY, type OrderTokenName } from "@marketday/domain/order-query";

import * as t from "#messages/order-list";

import { call } from "../../lib/api.ts";
import type { FilterKind } from "../list/filter-box.tsx";
import { formatToken } from "./format.ts";

/** What orders are filtered by. */
export const ORDER_FILTER: FilterKind<OrderTokenName> = {
  list: "orders",
  vocabulary: ORDER_VOCABULARY,
  fixed: { ...ORDER_TOKEN_VALUES, owes: ["yes", ">20"] },
  named: ["hub", "vendor", "product", "point", "customer"],
  readValues: (token, text, signal) => call(calls.suggestOrderTokens, { querystring: { token, text } }, { signal }),
  label: t.filter,
  hint: t.filterHint,
  hintShort: t.filterHintShort,
  details: t.tokenDetails,
  searchWords: t.searchWords,
  format: formatToken,
};
