import type { Order } from "@marketday/contracts/orders";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";

import { listedOrder, orderPagesQuery, orderQuery, ordersQuery, submitEdit } from "./api.ts";

afterEach(() => vi.unstubAllGlobals());

const order = (id: number) => ({ id }) as Order;

test.each([
  [20, null],
  [21, 2],
  [0, null],
])("order list: of %i orders, 20 to a page, the next page is %j", (total, next) => {
  const page = { orders: [], page: 1, rows: 20, total };
  expect(orderPagesQuery.getNextPageParam?.(page, [page], 1, [1])).toBe(next);
});

test("order list: an order is found in either list, on any page, and another one is not", () => {
  const client = new QueryClient();
  expect(listedOrder(client, 1)).toBeUndefined();
  client.setQueryData(ordersQuery.queryKey, [order(1), order(2)]);
  const page = (number: number, ...orders: Order[]) => ({ orders, page: number, rows: 1, total: 2 });
  client.setQueryData(orderPagesQuery.queryKey, { pages: [page(1, order(3)), page(2, order(4))], pageParams: [1, 2] });
  expect([1, 2, 3, 4].map((id) => listedOrder(client, id)?.id)).toEqual([1, 2, 3, 4]);
  expect(listedOrder(client, 5)).toBeUndefined();
});

/** A client that shows orders 1, 2 and 9, and a server that answers an edit. */
function editing(answer: unknown) {
  const fetched = vi.fn(async (_url: string, _request: RequestInit) => Response.json(answer));
  vi.stubGlobal("fetch", fetched);
  vi.stubGlobal("localStorage", { setItem: () => undefined });
  const client = new QueryClient();
  for (const id of [1, 2, 9]) client.setQueryData(orderQuery(id).queryKey, order(id));
  client.setQueryData(ordersQuery.queryKey, [order(1)]);
  const shown = (id: number) => client.getQueryData(orderQuery(id).queryKey);
  return { client, fetched, shown };
}
const line = { orderId: 2, variantId: 7, quantity: 3 };

test("order edit: the whole order is sent with its key, and its answer is shown by each number the box is opened by", async () => {
  const box = { ...order(4), orderTotal: 9 };
  const { client, fetched, shown } = editing(box);
  expect(await submitEdit(client, 1, 2, [line], "key-1")).toEqual(box);
  const [url, request] = fetched.mock.calls[0] ?? [];
  expect(url).toBe("/api/orders/edit-order");
  expect(request?.headers).toMatchObject({ "idempotency-key": "key-1" });
  expect(request?.body).toBe(
    JSON.stringify({ order: { id: 2, items: [{ quantity: 3, product: { variant: { id: 7 } } }] } }),
  );
  expect([1, 2, 4].map(shown)).toEqual([box, box, box]);
  expect(shown(9)).toEqual(order(9));
  expect(client.getQueryState(ordersQuery.queryKey)?.isInvalidated).toBe(true);
});

test("order edit: an order of which nothing is left is shown by no number any more, another one stays", async () => {
  const { client, shown } = editing({ deleted: true });
  expect(await submitEdit(client, 1, 2, [], "key-1")).toBeNull();
  expect([1, 2].map(shown)).toEqual([undefined, undefined]);
  expect(shown(9)).toEqual(order(9));
  expect(client.getQueryState(ordersQuery.queryKey)?.isInvalidated).toBe(true);
});
