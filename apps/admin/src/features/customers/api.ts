import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { Customer, CustomerBox, ListedCustomer } from "@marketday/contracts/admin/customers";
import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";

export type { Customer, CustomerBox, ListedCustomer };
export type CreditEntry = Customer["creditEntries"][number];

/** What the list is filtered by. `hub` null: all markets that the person may see. */
export interface CustomerFilter {
  text: string;
  hub: string | null;
  page: number;
}

/** Rows of a page. */
export const PAGE_ROWS = 50;

/** The people that a text finds. Another text drops the request of the one before; its rows stay until the answer is here. */
export const customersQuery = ({ text, hub, page }: CustomerFilter) =>
  queryOptions({
    queryKey: ["customers", text.trim(), hub, page],
    queryFn: ({ signal }) =>
      call(
        calls.listCustomers,
        { querystring: { q: text.trim(), page, perPage: PAGE_ROWS, ...(hub !== null && { hub }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

/** One person, by the id of the address. */
export const customerQuery = (id: string) =>
  queryOptions({
    queryKey: ["customer", id],
    queryFn: ({ signal }) => call(calls.getCustomer, { params: { id: Number(id) } }, { signal }),
  });

/** Their next boxes. Part of the person: what makes one old makes the other old. */
export const boxesQuery = (id: number) =>
  queryOptions({
    queryKey: ["customer", String(id), "boxes"],
    queryFn: ({ signal }) => call(calls.listCustomerBoxes, { params: { id } }, { signal }),
  });

/** Reads a person again, and the list: after a write, or one that was refused. */
export function rereadCustomer(client: QueryClient, id: number): void {
  void client.invalidateQueries({ queryKey: customerQuery(String(id)).queryKey });
  void client.invalidateQueries({ queryKey: ["customers"] });
}

/** A person as they are now, from the refusal of a write over an older version; null: it failed otherwise. */
export const currentCustomer = (error: unknown): Customer | null =>
  error instanceof ApiError && error.code === "conflict"
    ? ((error.details["current"] as Customer | null | undefined) ?? null)
    : null;

/** Their boxes as they are now, from the refusal of a skip that is so already; null: it failed otherwise. */
export const currentBoxes = (error: unknown): CustomerBox[] | null =>
  error instanceof ApiError && error.code === "conflict"
    ? ((error.details["current"] as CustomerBox[] | null | undefined) ?? null)
    : null;

/** Whether text is a number that an account may have. */
export const isCustomerId = (id: string): boolean => /^[1-9]\d{0,9}$/.test(id) && Number(id) <= 2_147_483_647;
