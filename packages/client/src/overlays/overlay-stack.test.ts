import type { Location } from "react-router";
import { expect, test } from "vitest";

import {
  overlayStackOf,
  leaveAll,
  leaveOne,
  stateForModal,
  stateForModalOverHome,
  stateForReplacedModal,
  stateForOverlay,
  stateForReplacedOverlay,
  topModal,
} from "./overlay-stack.ts";

/** The modals of an app that packs orders. */
type Modal = { kind: "find" } | { kind: "print" } | { kind: "confirm" | "refund"; orderId: number };
const home = "/orders";
const isOverlay = (pathname: string) => /^\/(orders|customers)\/./.test(pathname);
const layersOf = (location: Location) => overlayStackOf<Modal>(location, isOverlay, home);
let keys = 0;
const at = (pathname: string, state: unknown = null): Location => ({
  pathname,
  search: "",
  hash: "",
  state,
  key: `k${++keys}`,
});

test("an overlay takes the place of a modal, on what the modal lay on", () => {
  const find = stateForModal(layersOf(at(home)), { kind: "find" }, "find");
  const order = layersOf(at("/orders/a", stateForReplacedOverlay(find)));
  expect(order.page.pathname).toBe(home);
  expect(order.stack).toMatchObject([{ location: { pathname: "/orders/a" }, opener: "find" }]);
  expect(leaveOne(order, home)).toEqual({ back: 1 });
});

test("a page alone has nothing above it", () => {
  const page = at(home);
  expect(layersOf(page)).toEqual({ page, stack: [], depth: 0, cold: false });
});

test("a page reached from above others is the bottom again", () => {
  const order = layersOf(at("/orders/a", stateForOverlay(layersOf(at(home)), undefined)));
  const page = at("/days/today", stateForOverlay(order, undefined));
  expect(layersOf(page)).toEqual({ page, stack: [], depth: 0, cold: false });
});

test("an overlay keeps the page it was opened over, with its key", { tags: ["spec:2.1-04"] }, () => {
  const page = at("/days");
  const overlay = at("/orders/7", stateForOverlay(layersOf(page), "row-1"));
  const layers = layersOf(overlay);
  expect(layers.page).toEqual(page);
  expect(layers).toMatchObject({ stack: [{ location: overlay, opener: "row-1" }], depth: 1, cold: false });
  expect(leaveOne(layers, home)).toEqual({ back: 1 });
  expect(leaveAll(layers, home)).toEqual({ back: 1 });
});

test("Back leaves one of three layers, Close all of them; the lower ones stay as they were", () => {
  const page = at(home);
  const first = layersOf(at("/orders/a", stateForOverlay(layersOf(page), "one")));
  const second = layersOf(at("/customers/b", stateForOverlay(first, "two")));
  const third = layersOf(at("/orders/c", stateForOverlay(second, "three")));
  expect(third.page).toEqual(page);
  expect(third.stack.map(({ location, opener }) => [location?.pathname, opener])).toEqual([
    ["/orders/a", "one"],
    ["/customers/b", "two"],
    ["/orders/c", "three"],
  ]);
  expect(leaveOne(third, home)).toEqual({ back: 1 });
  expect(leaveAll(third, home)).toEqual({ back: 3 });
});

test("what a history entry remembers does not nest: ten layers are ten, not two to the ten", () => {
  let layers = layersOf(at(home));
  for (let depth = 0; depth < 10; depth++)
    layers = layersOf(at(`/orders/${depth}`, stateForOverlay(layers, undefined)));
  expect(layers.stack).toHaveLength(10);
  expect(JSON.stringify(stateForOverlay(layers, undefined)).length).toBeLessThan(2500);
});

test(
  "opened by its address, an overlay is over the home page and closing goes there",
  { tags: ["spec:2.1-04"] },
  () => {
    const layers = layersOf(at("/orders/7"));
    expect(layers.page.pathname).toBe(home);
    expect(leaveOne(layers, home)).toEqual({ to: home });
    expect(leaveAll(layers, home)).toEqual({ to: home });
  },
);

test("above an overlay opened by its address, Back goes one down and Close to the home page, never out of the site", () => {
  const cold = layersOf(at("/orders/7"));
  const above = layersOf(at("/customers/7", stateForOverlay(cold, undefined)));
  expect(leaveOne(above, home)).toEqual({ back: 1 });
  expect(leaveAll(above, home)).toEqual({ to: home });
});

test("a modal lies on page and overlay under the same address, and an overlay can lie on it", () => {
  const page = at(home);
  const order = layersOf(at("/orders/7", stateForOverlay(layersOf(page), undefined)));
  const modal = layersOf(at("/orders/7", stateForModal(order, { kind: "print" }, "b")));
  expect(modal.page).toEqual(page);
  expect(modal.stack).toMatchObject([
    { location: { pathname: "/orders/7" } },
    { modal: { kind: "print" }, opener: "b" },
  ]);
  expect(topModal(modal)).toEqual({ kind: "print" });
  expect(leaveOne(modal, home)).toEqual({ back: 1 });
  const above = layersOf(at("/orders/8", stateForOverlay(modal, undefined)));
  expect(above.stack).toHaveLength(3);
  expect(topModal(above)).toBeNull();
  expect(leaveAll(above, home)).toEqual({ back: 3 });
});

test("a modal can take another's place without a further entry", () => {
  const page = at(home);
  const confirm = layersOf(at(home, stateForModal(layersOf(page), { kind: "confirm", orderId: 7 }, "b")));
  const refund = layersOf(at(home, stateForReplacedModal(confirm, { kind: "refund", orderId: 7 })));
  expect(refund).toMatchObject({ stack: [{ modal: { kind: "refund", orderId: 7 }, opener: "b" }], depth: 1 });
  expect(refund.page).toEqual(page);
});

test("history: a state that the app did not write is ignored", () => {
  expect(layersOf(at(home, "text"))).toMatchObject({ stack: [], depth: 0 });
  expect(layersOf(at(home, { modal: { kind: "print" } })).stack).toEqual([]);
});

test("a modal that is put over the home page keeps the layers below, and leaving it ends there", () => {
  const order = layersOf(at("/orders/a", stateForOverlay(layersOf(at("/days")), undefined)));
  const refund = layersOf(at("/orders/a", stateForModal(order, { kind: "refund", orderId: 7 }, "b")));
  const moved = layersOf(at(home, stateForModalOverHome(refund, { kind: "refund", orderId: 7 }, home)));
  expect(moved.page.pathname).toBe(home);
  expect(moved.stack).toMatchObject([
    { location: { pathname: "/orders/a" } },
    { modal: { kind: "refund", orderId: 7 } },
  ]);
  expect(leaveOne(moved, home)).toEqual({ to: home });
  expect(leaveAll(moved, home)).toEqual({ to: home });
});

test("a modal in the place of one above an overlay that was opened by its address still never leaves the site", () => {
  const cold = layersOf(at("/orders/7"));
  const confirm = layersOf(at("/orders/7", stateForModal(cold, { kind: "confirm", orderId: 7 }, "b")));
  const next = layersOf(at("/orders/7", stateForReplacedModal(confirm, { kind: "refund", orderId: 7 })));
  expect(next).toMatchObject({ depth: 1, cold: true });
  expect(leaveAll(next, home)).toEqual({ to: home });
});
