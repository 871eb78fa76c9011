import type { Vendor } from "@marketday/contracts/vendors";
import { toastStore } from "@marketday/ui/toast-store.ts";
import { expect, test } from "vitest";

import { newClient, run, setUpHooks } from "../../../test/open-hook.tsx";
import { endorse, followsOf, useVendor } from "./api.ts";
import { useFollow, useFollowed } from "./use-follow.ts";

const page = setUpHooks();
const vendor = (id: number, change: Partial<Vendor> = {}) =>
  ({ id, slug: `v${id}`, name: `Vendor ${id}`, isFollowed: false, followers: 5, ...change }) as Vendor;

function haveVendors() {
  const client = newClient({ customerId: 1, hubId: 4 });
  client.setQueryData(["vendors", 4, "az-asc"], [vendor(6), vendor(7)]);
  client.setQueryData(["vendor", 4, "v7"], vendor(7));
  client.setQueryData(["vendor", 4, "v6"], vendor(6));
  const shown = () => [
    ...(client.getQueryData<Vendor[]>(["vendors", 4, "az-asc"]) ?? []),
    ...["v7", "v6"].map((key) => client.getQueryData<Vendor>(["vendor", 4, key])),
  ];
  return { client, shown };
}

test("follow: one tap counts at once, and the answer is that vendor's alone, wherever it is shown", async () => {
  const { client, shown } = haveVendors();
  page.answer("POST /vendors/7/favorite", { body: { isFollowed: true, followers: 9 } });
  const open = page.open(() => ({ ...useFollow(vendor(7)), ...useFollowed(vendor(7)) }), client);
  const other = page.open(() => useFollowed(vendor(6)), client);
  await run(() => {
    open.now().toggle();
    expect(followsOf(client).wanted(7)).toBe(true);
  });
  const followed = { isFollowed: true, followers: 9 };
  expect(shown()).toEqual([vendor(6), vendor(7, followed), vendor(7, followed), vendor(6)]);
  expect(other.now()).toEqual({ isFollowed: false, followers: 5 });
});

test("follow: on its way it is one follower more or less, never less than none", () => {
  const client = newClient({ customerId: 1, hubId: 4 });
  for (const [start, on, shown] of [
    [vendor(7), true, { isFollowed: true, followers: 6 }],
    [vendor(7, { isFollowed: true }), false, { isFollowed: false, followers: 4 }],
    [vendor(7, { isFollowed: true, followers: 0 }), false, { isFollowed: false, followers: 0 }],
    // The answer is here already, and the tap still counts as under way.
    [vendor(7, { isFollowed: true, followers: 9 }), true, { isFollowed: true, followers: 9 }],
  ] as const) {
    followsOf(client).wanted = () => on;
    expect(page.open(() => useFollowed(start), client).now()).toEqual(shown);
  }
});

test("follow: unfollowing is sent as such; a refusal is a message and changes nothing", async () => {
  const { client, shown } = haveVendors();
  page.refuse("DELETE /vendors/7/favorite", 409, "Not now.");
  const open = page.open(() => useFollow(vendor(7, { isFollowed: true })), client);
  await run(() => open.now().toggle());
  expect(page.sent).toMatchObject([{ call: "DELETE /vendors/7/favorite" }]);
  expect(toastStore.current()).toMatchObject([{ text: "Not now.", tone: "error" }]);
  expect(shown()).toEqual([vendor(6), vendor(7), vendor(7), vendor(6)]);
});

test("follow: a guest's tap is sent nowhere, and is done once there is an account", async () => {
  const open = page.open(() => useFollow(vendor(7)), newClient({ customerId: 1, hubId: 4, isGuest: true }));
  await run(() => open.now().toggle());
  expect(page.sent).toEqual([]);
  expect(open.at()).toContain('"unfinished":{"follow":7}');
});

test("endorsement: the vendor's new score is shown wherever the vendor is", async () => {
  const { client, shown } = haveVendors();
  page.answer("POST /vendors/v7/endorse", { body: vendor(7, { name: "Scored" }) });
  await endorse(client, "v7", { score: 4, relationship: 1 });
  expect(shown().map((one) => one?.name)).toEqual(["Vendor 6", "Scored", "Scored", "Vendor 6"]);
});

test("vendor: while it cannot be read, what a list knows of it is shown, by slug or by id", async () => {
  const { client } = haveVendors();
  for (const key of ["v6", "6", "v9"]) {
    client.removeQueries({ queryKey: ["vendor"] });
    const open = page.open(() => useVendor(key).data?.id, client);
    await run(() => undefined);
    expect(open.now()).toBe(key === "v9" ? undefined : 6);
    open.close();
  }
});
