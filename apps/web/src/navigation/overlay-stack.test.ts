import type { Location } from "react-router";
import { expect, test } from "vitest";

import {
  overlayStackOf,
  leaveAll,
  leaveOne,
  stateForModal,
  stateForModalOverShop,
  stateForReplacedModal,
  stateForOverlay,
  stateForReplacedOverlay,
  topModal,
} from "./overlay-stack.ts";

const isOverlay = (pathname: string) => /^\/(product|vendors)\//.test(pathname);
let keys = 0;
const at = (pathname: string, state: unknown = null): Location => ({
  pathname,
  search: "",
  hash: "",
  state,
  key: `k${++keys}`,
});

test("an overlay takes the place of a modal, on what the modal lay on", () => {
  const search = stateForModal(overlayStackOf(at("/shop"), isOverlay), { kind: "search" }, "find");
  const product = overlayStackOf(at("/product/a", stateForReplacedOverlay(search)), isOverlay);
  expect(product.page.pathname).toBe("/shop");
  expect(product.stack).toMatchObject([{ location: { pathname: "/product/a" }, opener: "find" }]);
  expect(leaveOne(product)).toEqual({ back: 1 });
});

test("a page alone has nothing above it", () => {
  const page = at("/shop");
  expect(overlayStackOf(page, isOverlay)).toEqual({ page, stack: [], depth: 0, cold: false });
});

test("a page reached from above others is the bottom again", () => {
  const product = overlayStackOf(
    at("/product/a", stateForOverlay(overlayStackOf(at("/shop"), isOverlay), undefined)),
    isOverlay,
  );
  const page = at("/order-complete/1", stateForOverlay(product, undefined));
  expect(overlayStackOf(page, isOverlay)).toEqual({ page, stack: [], depth: 0, cold: false });
});

test("an overlay keeps the page it was opened over, with its key", { tags: ["spec:2.1-04"] }, () => {
  const page = at("/search");
  const overlay = at("/product/eggs", stateForOverlay(overlayStackOf(page, isOverlay), "tile-1"));
  const layers = overlayStackOf(overlay, isOverlay);
  expect(layers.page).toEqual(page);
  expect(layers).toMatchObject({ stack: [{ location: overlay, opener: "tile-1" }], depth: 1, cold: false });
  expect(leaveOne(layers)).toEqual({ back: 1 });
  expect(leaveAll(layers)).toEqual({ back: 1 });
});

test("Back leaves one of three layers, Close all of them; the lower ones stay as they were", () => {
  const page = at("/shop");
  const first = overlayStackOf(at("/product/a", stateForOverlay(overlayStackOf(page, isOverlay), "one")), isOverlay);
  const second = overlayStackOf(at("/vendors/b", stateForOverlay(first, "two")), isOverlay);
  const third = overlayStackOf(at("/product/c", stateForOverlay(second, "three")), isOverlay);
  expect(third.page).toEqual(page);
  expect(third.stack.map(({ location, opener }) => [location?.pathname, opener])).toEqual([
    ["/product/a", "one"],
    ["/vendors/b", "two"],
    ["/product/c", "three"],
  ]);
  expect(leaveOne(third)).toEqual({ back: 1 });
  expect(leaveAll(third)).toEqual({ back: 3 });
});

test("what a history entry remembers does not nest: ten layers are ten, not two to the ten", () => {
  let layers = overlayStackOf(at("/shop"), isOverlay);
  for (let depth = 0; depth < 10; depth++)
    layers = overlayStackOf(at(`/product/${depth}`, stateForOverlay(layers, undefined)), isOverlay);
  expect(layers.stack).toHaveLength(10);
  expect(JSON.stringify(stateForOverlay(layers, undefined)).length).toBeLessThan(2500);
});

test("opened by its address, an overlay lies over the shop and closing goes there", { tags: ["spec:2.1-04"] }, () => {
  const layers = overlayStackOf(at("/product/eggs"), isOverlay);
  expect(layers.page.pathname).toBe("/shop");
  expect(leaveOne(layers)).toEqual({ to: "/shop" });
  expect(leaveAll(layers)).toEqual({ to: "/shop" });
});

test("above an overlay opened by its address, Back goes one down and Close to the shop, never out of the site", () => {
  const cold = overlayStackOf(at("/product/eggs"), isOverlay);
  const above = overlayStackOf(at("/vendors/7", stateForOverlay(cold, undefined)), isOverlay);
  expect(leaveOne(above)).toEqual({ back: 1 });
  expect(leaveAll(above)).toEqual({ to: "/shop" });
});

test("a modal lies on page and overlay under the same address, and an overlay can lie on it", () => {
  const page = at("/shop");
  const product = overlayStackOf(
    at("/product/eggs", stateForOverlay(overlayStackOf(page, isOverlay), undefined)),
    isOverlay,
  );
  const modal = overlayStackOf(at("/product/eggs", stateForModal(product, { kind: "cart" }, "b")), isOverlay);
  expect(modal.page).toEqual(page);
  expect(modal.stack).toMatchObject([
    { location: { pathname: "/product/eggs" } },
    { modal: { kind: "cart" }, opener: "b" },
  ]);
  expect(topModal(modal)).toEqual({ kind: "cart" });
  expect(leaveOne(modal)).toEqual({ back: 1 });
  const above = overlayStackOf(at("/product/jam", stateForOverlay(modal, undefined)), isOverlay);
  expect(above.stack).toHaveLength(3);
  expect(topModal(above)).toBeNull();
  expect(leaveAll(above)).toEqual({ back: 3 });
});

test("a modal can take another's place without a further entry", () => {
  const page = at("/shop");
  const login = overlayStackOf(
    at("/shop", stateForModal(overlayStackOf(page, isOverlay), { kind: "login" }, "b")),
    isOverlay,
  );
  const register = overlayStackOf(at("/shop", stateForReplacedModal(login, { kind: "register" })), isOverlay);
  expect(register).toMatchObject({ stack: [{ modal: { kind: "register" }, opener: "b" }], depth: 1 });
  expect(register.page).toEqual(page);
});

test("history: a state that the app did not write is ignored", () => {
  expect(overlayStackOf(at("/shop", "text"), isOverlay)).toMatchObject({ stack: [], depth: 0 });
  expect(overlayStackOf(at("/shop", { modal: { kind: "cart" } }), isOverlay).stack).toEqual([]);
});

test("a modal that is put over the shop keeps the layers below, and leaving it ends at the shop", () => {
  const product = overlayStackOf(
    at("/product/a", stateForOverlay(overlayStackOf(at("/search"), isOverlay), undefined)),
    isOverlay,
  );
  const checkout = overlayStackOf(at("/product/a", stateForModal(product, { kind: "checkout" }, "b")), isOverlay);
  const moved = overlayStackOf(at("/shop", stateForModalOverShop(checkout, { kind: "checkout" })), isOverlay);
  expect(moved.page.pathname).toBe("/shop");
  expect(moved.stack).toMatchObject([{ location: { pathname: "/product/a" } }, { modal: { kind: "checkout" } }]);
  expect(leaveOne(moved)).toEqual({ to: "/shop" });
  expect(leaveAll(moved)).toEqual({ to: "/shop" });
});

test("a modal in the place of one above an overlay that was opened by its address still never leaves the site", () => {
  const cold = overlayStackOf(at("/product/eggs"), isOverlay);
  const login = overlayStackOf(at("/product/eggs", stateForModal(cold, { kind: "login" }, "b")), isOverlay);
  const next = overlayStackOf(at("/product/eggs", stateForReplacedModal(login, { kind: "register" })), isOverlay);
  expect(next).toMatchObject({ depth: 1, cold: true });
  expect(leaveAll(next)).toEqual({ to: "/shop" });
});
