import type { Product, Variant } from "@marketday/contracts/products";
import { afterEach, expect, test, vi } from "vitest";

import { newClient, propsOf, run, textOf, setUpHooks } from "../../../test/open-hook.tsx";
import { useCartQuantity } from "../cart/use-cart.ts";
import { AddControl } from "./add-control.tsx";
import { listOfProducts, productKeys, useProduct } from "./api.ts";
import { BuyBar } from "./buy-bar.tsx";
import { product } from "./product.fixture.ts";

const page = setUpHooks();
// A tap is sent a moment later, which is the cart's matter.
afterEach(() => {
  if (vi.isFakeTimers()) vi.runOnlyPendingTimers();
  vi.useRealTimers();
});
const variant = (id: number, inventory: number, change: Partial<Variant> = {}): Variant => ({
  id,
  title: "",
  size: `Size ${id}`,
  unitPrice: null,
  inventory,
  price: 5.1,
  salePrice: null,
  isSubscribed: false,
  preOrderDate: null,
  ...change,
});
const line = (id: number, quantity: number, change: object = {}) => ({
  quantity,
  watching: false,
  isPublished: true,
  fromBundleId: null,
  price: 5,
  product: { id, variant: { id } },
  ...change,
});
const withCart = (...items: object[]) => {
  const client = newClient({ customerId: 1, hubId: 4 });
  client.setQueryData(["cart"], { items, discounts: [], banners: [] });
  return client;
};
const stepper = (shown: unknown) => propsOf(shown, (props) => "onLimit" in props);

test("tile: what is left is added, sold out is watched, and where another size is left that is chosen", () => {
  const shown = (variants: Variant[], ...items: object[]) =>
    page
      .open(
        () => AddControl({ product: product(1, variants), ...useCartQuantity(variants[0]?.id) }),
        withCart(...items),
      )
      .now();
  expect(stepper(shown([variant(1, 3)], line(1, 2)))).toMatchObject({ quantity: 2, max: 3 });
  expect(textOf(shown([variant(1, 0)]))).toMatch(/^Watch /);
  expect(textOf(shown([variant(1, 3)], line(1, 1, { watching: true })))).toMatch(/^Watching/);
  expect(textOf(shown([variant(1, 0), variant(2, 1)]))).toMatch(/^Choose/);
  expect(shown([])).toBeNull();
  // One that came with a bundle, or in another size, is not its.
  expect(stepper(shown([variant(1, 3)], line(1, 2, { fromBundleId: 9 }), line(2, 2)))).toMatchObject({ quantity: 0 });
});

test("tile: a line of the cart changes, and only what shows its variant renders", async () => {
  const client = withCart(line(1, 1), line(2, 1));
  const renders = [0, 0, 0];
  const tiles = renders.map((_, index) =>
    page.open(() => {
      renders[index]! += 1;
      return useCartQuantity(index + 1);
    }, client),
  );
  const before = [...renders];
  await run(() => client.setQueryData(["cart"], { items: [line(1, 2), line(2, 1)], discounts: [], banners: [] }));
  expect(tiles.map((tile) => tile.now().quantity)).toEqual([2, 1, 0]);
  expect(renders.map((count, index) => count - before[index]!)).toEqual([1, 0, 0]);
});

test("product: the amount is of as many as were chosen, on sale of the sale's price, and in the cart of the cart's quantity", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const sale = variant(1, 9, { salePrice: 4.2 });
  const bar = page.open(() => BuyBar({ product: product(1, [sale]), variant: sale }), withCart());
  expect(textOf(bar.now())).toContain("Add to Cart · $4.20");
  await run(() => stepper(bar.now()).onChange(3));
  expect(textOf(bar.now())).toContain("Add to Cart · $12.60");
  await run(() => propsOf(bar.now(), ({ size, onClick }) => size === "lg" && Boolean(onClick)).onClick());
  expect(stepper(bar.now())).toMatchObject({ quantity: 3, max: 9 });
  expect(textOf(bar.now())).toContain("In your cart · $12.60");
});

test("product: sold out, or watched though it is back, it is not added", () => {
  const words = (of: Variant, ...items: object[]) =>
    textOf(page.open(() => BuyBar({ product: product(1, [of]), variant: of }), withCart(...items)).now());
  expect(words(variant(1, 0))).toMatch(/^(?!.*Add to Cart).*Watch Product/);
  expect(words(variant(1, 3), line(1, 1, { watching: true }))).toMatch(/^(?!.*Add to Cart).*Watching/);
});

test("product: a list of the same market has it until it is read, and when it cannot be; another market's does not", async () => {
  const open = async (key: string, read?: Product) => {
    const client = newClient({ customerId: 1, hubId: 4 });
    client.setQueryDefaults(["usuals"], { meta: listOfProducts });
    client.setQueryData(["usuals", 5], [product(7)]);
    client.setQueryData(["usuals", 4], [product(8)]);
    if (read) client.setQueryData<Product>(productKeys.one(4, key), read);
    const shown = page.open(() => useProduct(key), client);
    const first = shown.now().data?.id;
    await run(() => undefined);
    const { data, isPlaceholderData } = shown.now();
    shown.close();
    return [first, data?.id, isPlaceholderData];
  };
  expect(await open("p7")).toEqual([undefined, undefined, true]);
  expect(await open("p8")).toEqual([8, 8, true]);
  expect(await open("8")).toEqual([8, 8, true]);
  expect(await open("p8", product(8))).toEqual([8, 8, false]);
});
