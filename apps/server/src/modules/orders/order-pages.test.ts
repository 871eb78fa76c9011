import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, createOrder, createProduct } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";

const market = await buildTestApp();
const { db } = market;

test(
  "orders: listed 20 a page with the headers of other lists; a page past the end is empty",
  { tags: ["spec:7.0-02"] },
  async () => {
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id);
    const who = await signIn(market, { hubId: hub.id });
    const other = await signIn(market, { hubId: hub.id });
    const made: number[] = [];
    for (let count = 0; count < 45; count += 1)
      made.push(
        (
          await createOrder(db, {
            customerId: who.customer.id,
            hub,
            product: eggs,
            createdAt: new Date(market.clock.now().getTime() + count * 1000),
          })
        ).id,
      );
    await createOrder(db, { customerId: other.customer.id, hub, product: eggs });
    const page = async (query: string, headers: Record<string, string> = {}) => {
      const answer = await who.get(`/orders${query}`, headers);
      expect(answer.status).toBe(200);
      return {
        ids: answer.body.payload.map(({ id }: { id: number }) => id) as number[],
        paging: ["x-current-page", "x-rows-per-page", "x-total-results"].map((name) => Number(answer.headers[name])),
      };
    };
    const newest = made.toReversed();
    expect(await page("")).toEqual({ ids: newest.slice(0, 20), paging: [1, 20, 45] });
    expect(await page("?page=3")).toEqual({ ids: newest.slice(40), paging: [3, 20, 45] });
    expect(await page("", { "x-current-page": "2", "x-rows-per-page": "30" })).toEqual({
      ids: newest.slice(30),
      paging: [2, 30, 45],
    });
    expect(await page("?page=4")).toEqual({ ids: [], paging: [4, 20, 45] });
  },
);
