import { ApiError } from "@marketday/client/transport.ts";
import type { Customer } from "@marketday/contracts/account";
import { dismissToast, toastStore } from "@marketday/ui/toast-store.ts";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { hubListQuery, hubsAt } from "./area-api.ts";
import { offerMarket } from "./market-toast.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const { id } of toastStore.current()) dismissToast(id);
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const customer = { hubId: 1 } as Customer;
/** A client that knows the markets of these ids. */
function knowing(...ids: number[]) {
  const client = new QueryClient();
  client.setQueryData(hubListQuery.queryKey, ids.map((id) => ({ id, name: `Market ${id}` })) as never);
  return client;
}
const shown = () => toastStore.current().map(({ text, action }) => [text, action?.label]);

test("market: a link to another one names both, with the way there; so does a login after shopping in another", async () => {
  await offerMarket(knowing(1, 2), customer, 2, true);
  await offerMarket(knowing(1, 2), customer, 2);
  expect(shown()).toEqual([
    ["This link is for Market 2. Your account shops at Market 1.", "Switch to Market 2"],
    ["Your account shops at Market 1. You were at Market 2 before.", "Stay at Market 2"],
  ]);
});

test("market: nothing is offered for the account's own, for one that is closed, or without the list", async () => {
  await offerMarket(knowing(1, 2), customer, 1, true);
  await offerMarket(knowing(1), customer, 2, true);
  await offerMarket(knowing(2), customer, 2, true);
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await offerMarket(client, customer, 2, true);
  expect(shown()).toEqual([]);
});

test("market: one that cannot be switched to is reported", async () => {
  await offerMarket(knowing(1, 2), customer, 2, true);
  vi.stubGlobal("fetch", async () => Response.json(["No."], { status: 500 }));
  toastStore.current()[0]?.action?.run();
  await vi.waitFor(() => expect(shown().flat()).toContain("Error changing delivery dates."));
});

test("market: who delivers to a ZIP code is looked up without making a guest; where no one does there is none", async () => {
  const fetched = vi.fn(async (_url: string) => Response.json({ hubs: [{ id: 2 }] }));
  vi.stubGlobal("fetch", fetched);
  expect(await hubsAt("46032")).toEqual([{ id: 2 }]);
  expect(fetched.mock.calls[0]?.[0]).toBe("/api/auth/guest?zipCode=46032&check=true");
  vi.stubGlobal("fetch", async () => Response.json(["Sorry."], { status: 404 }));
  expect(await hubsAt("99999")).toEqual([]);
  vi.stubGlobal("fetch", async () => Response.json(["Busy."], { status: 503 }));
  await expect(hubsAt("46032")).rejects.toThrow(ApiError);
});
