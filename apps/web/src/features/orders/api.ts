import { cacheAnswer } from "@marketday/client/query-client.ts";
import * as calls from "@marketday/contracts/calls";
import type { Order } from "@marketday/contracts/orders";
import { infiniteQueryOptions, queryOptions, type QueryClient } from "@tanstack/react-query";

import { call, callPaged } from "../../lib/api.ts";
import type { EditLine } from "./edit.ts";

const orderKeys = {
  all: ["orders"] as const,
  list: ["orders", "list"] as const,
  one: (id: number) => ["orders", id] as const,
};

/** An order of the shopper. Unknown or another person's: ApiError 404. */
export const orderQuery = (id: number) =>
  queryOptions({
    queryKey: orderKeys.one(id),
    queryFn: ({ signal }) => call(calls.getOrder, { params: { id } }, { signal }),
  });

/** The shopper's latest boxes, newest delivery first. */
export const ordersQuery = queryOptions({
  queryKey: orderKeys.list,
  queryFn: async ({ signal }) => (await call(calls.listOrders, { querystring: {} }, { signal })).payload,
  staleTime: 0,
});

/** All of the shopper's boxes, newest delivery first, page by page. */
export const orderPagesQuery = infiniteQueryOptions({
  queryKey: [...orderKeys.list, "pages"],
  queryFn: async ({ pageParam, signal }) => {
    const { rows, paging } = await callPaged(calls.listOrders, { querystring: {} }, { signal, page: pageParam });
    return { orders: rows.payload, ...paging };
  },
  initialPageParam: 1,
  getNextPageParam: ({ page, rows, total }) => (page * rows < total ? page + 1 : null),
  staleTime: 0,
});

/** An order out of the lists that are loaded: shown until the order itself is there. */
export const listedOrder = (client: QueryClient, id: number): Order | undefined =>
  [
    ...(client.getQueryData(ordersQuery.queryKey) ?? []),
    ...(client.getQueryData(orderPagesQuery.queryKey)?.pages ?? []).flatMap(({ orders }) => orders),
  ].find((order) => order.id === id);

/**
 * Lowers one order of a box to these lines (`docs/product.md` §8, §17): the whole order, what is left out is removed. Answers the
 * box, or null when nothing of it was left. `openedBy` is the number the box was opened by; `idempotencyKey` the same after a lost
 * response. Throws ApiError 409 `past_cutoff`, 422 `raised`.
 */
export async function submitEdit(
  client: QueryClient,
  openedBy: number,
  id: number,
  lines: readonly EditLine[],
  idempotencyKey: string,
): Promise<Order | null> {
  const items = lines.map(({ variantId, quantity }) => ({ quantity, product: { variant: { id: variantId } } }));
  const answer = await call(calls.editOrder, { body: { order: { id, items } } }, { idempotencyKey });
  const order = "deleted" in answer ? null : answer;
  for (const key of new Set([openedBy, id, ...(order ? [order.id] : [])]))
    if (order) cacheAnswer(client, orderKeys.one(key), order);
    else client.removeQueries({ queryKey: orderKeys.one(key) });
  await client.invalidateQueries({ queryKey: orderKeys.list });
  return order;
}

/** Orders changed elsewhere (the checkout frame): whatever shows them reads them again. */
export const refreshOrders = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: orderKeys.all });
