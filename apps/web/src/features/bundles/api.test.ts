import type { Bundle } from "@marketday/contracts/bundles";
import { expect, test } from "vitest";

import { newClient, setUpHooks } from "../../../test/open-hook.tsx";
import { subscribe, unsubscribe } from "./api.ts";

const page = setUpHooks();
const bundle = (id: number, status = "unsubscribed") =>
  ({ id, slug: `b${id}`, title: `Bundle ${id}`, subscriptionStatus: status }) as Bundle;

test.each([
  ["subscribing", "POST /bundles/b7", { subscription_interval: 3 }, (client) => subscribe(client, bundle(7), 3)],
  ["its end", "DELETE /bundles/b7", null, (client) => unsubscribe(client, bundle(7))],
] satisfies [string, string, object | null, (client: ReturnType<typeof newClient>) => Promise<void>][])(
  "bundle: after %s it is the answer wherever it is shown, no other one is, and cart and subscriptions are read again",
  async (_, call, body, change) => {
    const client = newClient({ customerId: 1, hubId: 4 });
    client.setQueryData(["bundles", 4], [bundle(6), bundle(7)]);
    client.setQueryData(["bundle", 4, "b7"], bundle(7));
    client.setQueryData(["bundle", 4, "b6"], bundle(6));
    client.setQueryData(["subscriptions", "bundles"], []);
    page.answer(call, { body: bundle(7, "after") });
    await change(client);
    expect(page.sent).toMatchObject([{ call, body }]);
    expect(client.getQueryData(["bundles", 4])).toEqual([bundle(6), bundle(7, "after")]);
    expect(client.getQueryData(["bundle", 4, "b7"])).toEqual(bundle(7, "after"));
    expect(client.getQueryData(["bundle", 4, "b6"])).toEqual(bundle(6));
    for (const key of [["cart"], ["subscriptions", "bundles"]])
      expect(client.getQueryState(key)?.isInvalidated).toBe(true);
  },
);

test("bundle: a refused subscription changes nothing that is shown", async () => {
  const client = newClient({ customerId: 1, hubId: 4 });
  client.setQueryData(["bundles", 4], [bundle(7)]);
  page.refuse("POST /bundles/b7", 409, "Your cart is full.");
  await expect(subscribe(client, bundle(7), 1)).rejects.toThrow("Your cart is full.");
  expect(client.getQueryData(["bundles", 4])).toEqual([bundle(7)]);
  expect(client.getQueryState(["cart"])?.isInvalidated).toBe(false);
});
