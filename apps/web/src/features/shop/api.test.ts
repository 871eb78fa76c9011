import { afterEach, expect, test, vi } from "vitest";

import { newClient, run, setUpHooks } from "../../../test/open-hook.tsx";
import { useFeed } from "./api.ts";

const page = setUpHooks();
afterEach(() => void vi.restoreAllMocks());
const feedOf = async (hubId: number | null) => {
  const open = page.open(() => useFeed().data, newClient({ customerId: 1, hubId }));
  const first = open.now();
  await run(() => undefined);
  return { first, later: open.now() };
};

test("feed: what was read is there at once the next time, in its own market only, and not read again for five minutes", async () => {
  page.answer("GET /feed", { body: [{ id: "of market 4" }] }, { body: [{ id: "later" }] });
  expect(await feedOf(4)).toEqual({ first: undefined, later: [{ id: "of market 4" }] });
  expect(await feedOf(4)).toEqual({ first: [{ id: "of market 4" }], later: [{ id: "of market 4" }] });
  expect(page.sent).toHaveLength(1);
  expect(await feedOf(5)).toEqual({ first: undefined, later: [{ id: "later" }] });
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 5 * 60_000 + 1);
  expect(await feedOf(4)).toEqual({ first: [{ id: "of market 4" }], later: [{ id: "later" }] });
});

test("feed: without a market none is read", async () => {
  expect(await feedOf(null)).toEqual({ first: undefined, later: undefined });
  expect(page.sent).toEqual([]);
});
