import type { Product } from "@marketday/contracts/products";
import { toastStore } from "@marketday/ui/toast-store.ts";
import { QueryObserver, skipToken, useQuery } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { newClient, propsOf, run, setUpHooks } from "../../../test/open-hook.tsx";
import { listOfProducts } from "../products/api.ts";
import { product } from "../products/product.fixture.ts";
import { type SessionData, sessionKeys } from "../session/api.ts";
import { FAVORITES, heartsOf, useFavorite } from "./api.ts";
import { HeartButton } from "./heart-button.tsx";

const page = setUpHooks();

/** A customer's page: a feed and a search that show product 7, the feed product 8 as well, and the list of favorites. */
function havePage() {
  const client = newClient({ customerId: 1, hubId: 4 });
  client.setQueryData(["feed", 4], [product(7), product(8)]);
  client.setQueryData(["search", 4], [product(7)]);
  client.setQueryData([...FAVORITES, 4, 1], []);
  let reads = 0;
  const list = new QueryObserver(client, {
    queryKey: [...FAVORITES, 4, 1],
    queryFn: () => ++reads,
    staleTime: Infinity,
  });
  const end = list.subscribe(() => undefined);
  let renders = 0;
  const open = (queryKey: string[], id: number) =>
    page.open(() => {
      renders += 1;
      const { data } = useQuery<Product[]>({ queryKey: [...queryKey, 4], queryFn: skipToken, meta: listOfProducts });
      return useFavorite(id, data?.find((one) => one.id === id)?.isFavorite ?? false);
    }, client);
  const shown = [open(["feed"], 7), open(["search"], 7), open(["feed"], 8)] as const;
  return {
    client,
    tap: (on: boolean) => run(() => shown[0].now()[1](on)),
    hearts: () => shown.map((heart) => heart.now()[0]),
    /** A list is requested; resolves its response. */
    request: (name: string) => {
      let respond = (_products: Product[]) => {};
      const response = new Promise<Product[]>((done) => (respond = done));
      void client.fetchQuery({ queryKey: [name, 4], queryFn: () => response, meta: listOfProducts, staleTime: 0 });
      return (...products: Product[]) => run(() => respond(products));
    },
    reads: () => reads,
    renders: () => renders,
    end,
  };
}
const favorite = (id: number) => ({ ...product(id), isFavorite: true });

test("heart: set, its product has it in every list, and the list of favorites is read again", async () => {
  const { hearts, tap, reads, renders, end } = havePage();
  page.answer("POST /products/7/favorite", { body: { isFavorite: true } });
  const before = renders();
  await tap(true);
  expect([hearts(), reads()]).toEqual([[true, true, false], 1]);
  // The tap, in both of its hearts; the answer changes nothing, and the other product's heart is not rendered.
  expect(renders() - before).toBe(2);
  end();
});

test("heart: taken away, its row stays in the open list of favorites until that is opened again", async () => {
  const { client, reads, end } = havePage();
  page.answer("DELETE /products/7/favorite", { body: { isFavorite: false } });
  await run(() => heartsOf(client).set(7, false, true));
  expect(page.sent).toMatchObject([{ call: "DELETE /products/7/favorite" }]);
  expect([reads(), client.getQueryState([...FAVORITES, 4, 1])?.isInvalidated]).toEqual([0, true]);
  end();
});

test("heart: refused, the message is shown and every list is as before", async () => {
  const { hearts, tap, reads, end } = havePage();
  page.refuse("POST /products/7/favorite", 409, "Not now.");
  await tap(true);
  expect(toastStore.current()).toMatchObject([{ text: "Not now.", tone: "error" }]);
  expect([hearts(), reads()]).toEqual([[false, false, false], 0]);
  end();
});

test("heart: set and then refused to be taken away, it is set in the lists that were read before", async () => {
  const { hearts, tap, end } = havePage();
  page.answer("POST /products/7/favorite", { body: { isFavorite: true } });
  page.refuse("DELETE /products/7/favorite", 409, "Not now.");
  await tap(true);
  await tap(false);
  expect([hearts(), page.sent.length]).toEqual([[true, true, false], 2]);
  end();
});

test("heart: a list that was requested before the answer to a tap does not undo it, one requested after does, everywhere", async () => {
  const { hearts, tap, request, end } = havePage();
  page.answer("POST /products/7/favorite", { body: { isFavorite: true } });
  const before = request("search");
  await tap(true);
  await before(product(7));
  expect(hearts()).toEqual([true, true, false]);
  // Taken away on another device, where product 8 was set.
  const after = request("collection");
  const late = request("search");
  await late(product(7), favorite(8));
  expect(hearts()).toEqual([false, false, false]);
  await after(favorite(7));
  expect(hearts()).toEqual([false, false, false]);
  end();
});

test("heart: a list that is changed by hand while it is requested again does not undo the answer to a tap", async () => {
  const { client, hearts, tap, request, end } = havePage();
  page.answer("POST /products/7/favorite", { body: { isFavorite: true } });
  await request("search")(product(7));
  await tap(true);
  const again = request("search");
  await run(() => client.setQueryData<Product[]>(["search", 4], (all) => all?.map((one) => ({ ...one }))));
  expect(hearts()).toEqual([true, true, false]);
  await again(product(7));
  expect(hearts()).toEqual([false, false, false]);
  end();
});

test("heart: of another customer nothing is kept, and what is still on its way changes nothing of theirs", async () => {
  for (const customerId of [2, null]) {
    const { client, hearts, tap, end } = havePage();
    page.answer("POST /products/7/favorite", { body: { isFavorite: true } });
    const signIn = (id: number | null) =>
      client.setQueryData<SessionData>(
        sessionKeys.current,
        (before) => before && { ...before, session: { ...before.session, customerId: id } },
      );
    await tap(true);
    await run(() => signIn(customerId));
    expect(hearts()).toEqual([false, false, false]);

    await run(() => signIn(1));
    await run(() => {
      heartsOf(client).set(7, true, false);
      signIn(customerId);
    });
    expect([page.sent.length, hearts()]).toEqual([2, [false, false, false]]);
    page.sent.length = 0;
    end();
  }
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
