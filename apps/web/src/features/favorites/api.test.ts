import type { Product } from "@marketday/contracts/products";
import { toastStore } from "@marketday/ui/toast-store.ts";
import { QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { newClient, propsOf, run, setUpHooks } from "../../../test/open-hook.tsx";
import { product } from "../products/product.fixture.ts";
import { FAVORITES, heartsOf } from "./api.ts";
import { HeartButton } from "./heart-button.tsx";

const page = setUpHooks();

/** A browser that shows a list with two products, and the list of favorites. */
function haveList() {
  const client = newClient({ customerId: 1, hubId: 4 });
  client.setQueryData(["feed", 4], [product(7), product(8)]);
  client.setQueryData([...FAVORITES, 4, 1], []);
  let reads = 0;
  const list = new QueryObserver(client, {
    queryKey: [...FAVORITES, 4, 1],
    queryFn: () => ++reads,
    staleTime: Infinity,
  });
  const end = list.subscribe(() => undefined);
  const hearts = () => client.getQueryData<Product[]>(["feed", 4])?.map(({ isFavorite }) => isFavorite);
  return { client, hearts, reads: () => reads, end };
}

test("heart: set, its product has it in every list, and the list of favorites is read again", async () => {
  const { client, hearts, reads, end } = haveList();
  page.answer("POST /products/7/favorite", { body: { isFavorite: true } });
  await run(() => heartsOf(client).set(7, true, false));
  expect([hearts(), reads()]).toEqual([[true, false], 1]);
  end();
});

test("heart: taken away, its row stays in the open list of favorites until that is opened again", async () => {
  const { client, reads, end } = haveList();
  page.answer("DELETE /products/7/favorite", { body: { isFavorite: false } });
  await run(() => heartsOf(client).set(7, false, true));
  expect(page.sent).toMatchObject([{ call: "DELETE /products/7/favorite" }]);
  expect([reads(), client.getQueryState([...FAVORITES, 4, 1])?.isInvalidated]).toEqual([0, true]);
  end();
});

test("heart: refused, the message is shown and every list is as before", async () => {
  const { client, hearts, reads, end } = haveList();
  page.refuse("POST /products/7/favorite", 409, "Not now.");
  await run(() => heartsOf(client).set(7, true, false));
  expect(toastStore.current()).toMatchObject([{ text: "Not now.", tone: "error" }]);
  expect([hearts(), reads()]).toEqual([[false, false], 0]);
  end();
});

test("heart: a guest's tap is sent nowhere, and is done once there is an account", async () => {
  const open = page.open(
    () => HeartButton({ product: product(7) }),
    newClient({ customerId: 1, hubId: 4, isGuest: true }),
  );
  await run(() => propsOf(open.now(), ({ icon }) => icon === "heart").onClick());
  expect(page.sent).toEqual([]);
  expect(open.at()).toContain('"unfinished":{"favorite":7}');
});

test("heart: one that is set and tapped is taken away", async () => {
  page.answer("DELETE /products/7/favorite", { body: { isFavorite: false } });
  const open = page.open(
    () => HeartButton({ product: { ...product(7), isFavorite: true } }),
    newClient({ customerId: 1, hubId: 4 }),
  );
  expect(propsOf(open.now(), ({ icon }) => icon === "heart").pressed).toBe(true);
  await run(() => propsOf(open.now(), ({ icon }) => icon === "heart").onClick());
  expect(page.sent).toMatchObject([{ call: "DELETE /products/7/favorite" }]);
});
