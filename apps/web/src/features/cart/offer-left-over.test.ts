import { MemoryStorage } from "@marketday/client/test/memory-storage.ts";
import { dismissToast, toastStore } from "@marketday/ui/toast-store.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { keepLeftOvers, type LeftOver, leftOvers } from "./left-over.ts";
import { offerLeftOvers } from "./offer-left-over.ts";
import { emptyCart, type Pending } from "./project.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("sessionStorage", new MemoryStorage());
});
afterEach(() => {
  for (const { id } of toastStore.current()) dismissToast(id);
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const change = (variantId: number, quantity: number, from = 0) =>
  ({
    productId: variantId * 10,
    variantId,
    bundleId: null,
    quantity,
    item: { product: { title: `Product ${variantId}` } },
    customerId: 7,
    seen: null,
    from,
  }) as unknown as Pending;
const leftOver = (variantId: number, quantity: number, deliveryDate: string | null = null): LeftOver => ({
  change: change(variantId, quantity),
  deliveryDate,
});
const offered = () => toastStore.current().map(({ text }) => text);

/** A page whose next cart is for `day`; `stock` by variant, where null is not sold any more. */
function openPage(stock: Record<number, number | null>, items: unknown[] = [], day = "2026-12-03") {
  const cart = { ...emptyCart, items, deliveryDate: day } as typeof emptyCart;
  vi.stubGlobal("fetch", async (url: string) => {
    if (url === "/api/cart") return Response.json(cart);
    const id = Number(/products\/(\d+)/.exec(url)?.[1]) / 10;
    const inventory = stock[id];
    return inventory === null || inventory === undefined
      ? Response.json(["Gone.", {}], { status: 404 })
      : Response.json({ variants: [{ id, inventory }] });
  });
  return { show: vi.fn(), shown: () => cart, set: vi.fn() };
}

test("left over: of several products those that are still sold are offered once, with the last quantity of each", async () => {
  keepLeftOvers([leftOver(1, 1), leftOver(2, 1), leftOver(3, 1), leftOver(1, 3)]);
  await offerLeftOvers(openPage({ 1: 5, 2: 0, 3: null }));
  expect(offered()).toEqual(["Not saved: 3 × Product 1. Your last cart was ordered."]);
  expect(leftOvers()).toEqual([leftOver(1, 3, "2026-12-03")]);
});

test("left over: an offer for a delivery that is closed ends, one for the present delivery stays", async () => {
  keepLeftOvers([leftOver(1, 1, "2026-11-26"), leftOver(2, 1, "2026-12-03")]);
  await offerLeftOvers(openPage({ 1: 5, 2: 5 }));
  expect(offered()).toEqual(["Not saved: Product 2. Your last cart was ordered."]);
  expect(leftOvers()).toHaveLength(1);
});

test("left over: added on top of the next cart by as many as they were more, and then kept no more", async () => {
  keepLeftOvers([{ change: change(1, 5, 3), deliveryDate: null }, leftOver(2, 1)]);
  const line = (id: number, quantity: number, watching: boolean) => ({
    quantity,
    watching,
    fromBundleId: null,
    product: { variant: { id } },
  });
  const page = openPage({ 1: 9, 2: 9 }, [line(1, 4, false), line(2, 6, true)]);
  await offerLeftOvers(page);
  toastStore.current()[0]?.action?.run();
  expect(page.set.mock.calls).toMatchObject([[{ variantId: 1, quantity: 6 }], [{ variantId: 2, quantity: 1 }]]);
  expect(leftOvers()).toEqual([]);
});

test("left over: closing the offer declines it; without an answer nothing is dropped", async () => {
  const page = openPage({});
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  keepLeftOvers([leftOver(1, 1, "2026-11-26")]);
  await offerLeftOvers(page);
  expect(leftOvers()).toEqual([leftOver(1, 1, "2026-11-26")]);
  toastStore.current()[0]?.onClose?.();
  expect(leftOvers()).toEqual([]);
});
