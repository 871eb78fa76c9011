import type { Bundle } from "@marketday/contracts/bundles";
import type { Cart } from "@marketday/contracts/cart";
import { describe, expect, test } from "vitest";

import { emptyCart, withChanges } from "../cart/project.ts";
import { addChanges, availableOf, bundlesInCart, bundlesLeft, formatMissing } from "./contents.ts";
import { BundleState, bundleState, reloadsOnHubs } from "./state.ts";

const vendor = { id: 1, slug: "rooted", name: "Rooted Acre", city: "Carmel", state: "IN", avatar: null };
const product = (
  id: number,
  quantity: number,
  about: { inventory?: number; available?: boolean; sold?: boolean } = {},
) =>
  ({
    id,
    slug: `p-${id}`,
    title: `Product ${id}`,
    images: [],
    vendor,
    variants:
      about.sold === false
        ? []
        : [
            { id: 90 + id, title: "Other", size: "Other", inventory: 9, price: 1, salePrice: null, preOrderDate: null },
            {
              id: 10 + id,
              title: "Pint",
              size: "Pint",
              inventory: about.inventory ?? 10,
              price: 5,
              salePrice: id === 2 ? 4 : null,
              preOrderDate: null,
            },
          ],
    ingredients: null,
    quantity,
    variantId: 10 + id,
    available: about.available ?? true,
  }) as unknown as Bundle["products"][number];
const bundle = (products: Bundle["products"]): Bundle => ({
  id: 7,
  slug: "soup",
  title: "Soup night",
  description: "",
  image: null,
  subscriptionInterval: null,
  subscriptionStatus: "unsubscribed",
  total: 20,
  totalAvailable: 20,
  saving: 2,
  products,
});
const put = (cart: Cart, of: Bundle) => withChanges(cart, addChanges(of, cart));

describe("a bundle in the cart", () => {
  const soup = bundle([product(1, 2), product(2, 1)]);

  test("its lines know their bundle, variant and quantity", () => {
    expect(
      addChanges(soup, emptyCart).map(({ productId, variantId, bundleId, quantity }) => [
        productId,
        variantId,
        bundleId,
        quantity,
      ]),
    ).toEqual([
      [1, 11, 7, 2],
      [2, 12, 7, 1],
    ]);
    const { items, subtotal } = put(emptyCart, soup);
    expect(items.map(({ fromBundleId, price }) => [fromBundleId, price])).toEqual([
      [7, 5],
      [7, 4],
    ]);
    expect(subtotal).toBe(14);
  });

  test("once more adds the same again, and is counted", () => {
    const once = put(emptyCart, soup);
    expect([bundlesInCart(soup, undefined), bundlesInCart(soup, emptyCart), bundlesInCart(soup, once)]).toEqual([
      0, 0, 1,
    ]);
    const twice = put(once, soup);
    expect(twice.items.map(({ quantity }) => quantity)).toEqual([4, 2]);
    expect(bundlesInCart(soup, twice)).toBe(2);
    const lessTomatoes = {
      ...twice,
      items: twice.items.map((item, place) => (place === 0 ? { ...item, quantity: 3 } : item)),
    };
    expect(bundlesInCart(soup, lessTomatoes)).toBe(1);
  });

  test("the same product on its own is no part of it, but takes from its stock", () => {
    const alone = put(emptyCart, soup).items.map((item) => ({ ...item, fromBundleId: null, quantity: 3 }));
    const cart = { ...emptyCart, items: alone };
    expect(bundlesInCart(soup, cart)).toBe(0);
    expect([bundlesLeft(soup, emptyCart), bundlesLeft(soup, cart)]).toEqual([5, 3]);
  });

  test("unavailable items are left out and listed", () => {
    const short = bundle([product(1, 2), product(2, 1, { available: false }), product(3, 1, { sold: false })]);
    expect(availableOf(short).map(({ product }) => product.id)).toEqual([1]);
    expect(addChanges(short, emptyCart)).toHaveLength(1);
    expect(formatMissing(short)).toBe("2 items are sold out this week and left out.");
    expect(formatMissing(bundle([product(1, 1), product(2, 1, { available: false })]))).toBe(
      "1 item is sold out this week and left out.",
    );
    expect(formatMissing(bundle([product(1, 1, { available: false })]))).toBe("Sold out this week.");
    expect(formatMissing(soup)).toBeNull();
    expect(bundlesLeft(bundle([product(1, 1, { available: false })]), emptyCart)).toBe(0);
  });
});

describe("loading", () => {
  const read = { hubId: 4, hasData: false, isError: false, isFetching: false };

  test("four states, numbered as in the spec", { tags: ["spec:4-15"] }, () => {
    expect(BundleState).toEqual({ idle: 0, loading: 1, loaded: 2, failed: 3 });
    expect(bundleState({ ...read, hubId: null })).toBe(BundleState.idle);
    expect(bundleState(read)).toBe(BundleState.loading);
    expect(bundleState({ ...read, isFetching: true })).toBe(BundleState.loading);
    expect(bundleState({ ...read, hasData: true })).toBe(BundleState.loaded);
    expect(bundleState({ ...read, isError: true })).toBe(BundleState.failed);
  });

  test("what is there stays there while it is read again, and when that fails", () => {
    expect(bundleState({ ...read, hasData: true, isFetching: true })).toBe(BundleState.loaded);
    expect(bundleState({ ...read, hasData: true, isError: true })).toBe(BundleState.loaded);
    expect(bundleState({ ...read, isError: true, isFetching: true })).toBe(BundleState.loading);
  });

  test("a change of hubs reads again from idle and failed alone, and only with a hub", { tags: ["spec:4-15"] }, () => {
    const states = [BundleState.idle, BundleState.loading, BundleState.loaded, BundleState.failed];
    expect(states.map((state) => reloadsOnHubs(state, 4))).toEqual([true, false, false, true]);
    expect(states.map((state) => reloadsOnHubs(state, null))).toEqual([false, false, false, false]);
  });
});
