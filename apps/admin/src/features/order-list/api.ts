import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import type { Sort } from "./list-address.ts";

/** Rows of a page. */
export const PAGE_SIZE = 50;
/** Rows that are read at once for printing. */
const PRINT_PAGE = 200;

export interface ListFilter {
  q: string;
  /** Slug of the market of the frame; null: all. */
  hub: string | null;
  sort: Sort;
}

const filterOf = ({ q, hub, sort }: ListFilter) => ({ q, sort, ...(hub !== null && { hub }) });

/** A page of the orders that match. Those of the filter before stay until it has arrived. */
export const listQuery = (filter: ListFilter, page: number) =>
  queryOptions({
    queryKey: ["orders", filter, page],
    queryFn: ({ signal }) =>
      call(calls.listOrders, { querystring: { ...filterOf(filter), page, perPage: PAGE_SIZE } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** The newest orders that a text finds, for the palette. */
export const foundQuery = (text: string) =>
  queryOptions({
    queryKey: ["orders", "found", text],
    queryFn: ({ signal }) =>
      call(calls.listOrders, { querystring: { q: text, sort: "-day", page: 1, perPage: 5 } }, { signal }),
    retry: false,
  });

/** All orders that match, for printing; no more than `most`. */
export async function readAll(filter: ListFilter, most: number) {
  const first = await call(calls.listOrders, {
    querystring: { ...filterOf(filter), page: 1, perPage: PRINT_PAGE },
  });
  const pages = Math.ceil(Math.min(first.sums.orders, most) / PRINT_PAGE);
  const orders = [...first.orders];
  for (let page = 2; page <= pages; page += 1) {
    // One after the other: the server serves others meanwhile.
    // oxlint-disable-next-line no-await-in-loop
    const next = await call(calls.listOrders, { querystring: { ...filterOf(filter), page, perPage: PRINT_PAGE } });
    orders.push(...next.orders);
  }
  return { orders, sums: first.sums };
}

/** Why the filter was refused, when that is why. */
export const filterProblem = (error: unknown): string | null =>
  error instanceof ApiError && error.code === "bad_filter" ? error.message : null;
