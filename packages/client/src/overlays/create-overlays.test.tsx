import { act } from "react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from "vitest";

import { createBareRoot } from "../../test/root.ts";
import { createOverlays, type Navigation as NavigationOf } from "./create-overlays.tsx";

/** An app beside the shop: its orders are panels over their list. */
type Modal = { kind: "confirm"; orderId: number } | { kind: "refund"; orderId: number; cents: number };
type Navigation = NavigationOf<Modal>;
const { NavigationProvider, useNavigation } = createOverlays<Modal>({ home: "/orders" });
const targets = {
  isOverlay: (pathname: string) => /^\/orders\/\d+$/.test(pathname),
  hasPage: (pathname: string) => pathname === "/orders" || pathname === "/days",
  hasModal: () => true,
  prefetch: () => undefined,
};

const ignore = () => undefined;
const closings: (() => void)[] = [];
beforeEach(() => {
  // React's own root, for hooks without elements: the browser tests have the elements.
  vi.stubGlobal("window", { event: undefined, HTMLIFrameElement: Object });
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("document", { querySelector: () => null });
  vi.stubGlobal("addEventListener", ignore);
});
afterEach(() => {
  for (const close of closings.splice(0)) close();
  vi.unstubAllGlobals();
});

/** The app, entered by an address. */
function enter(address: string) {
  const navigations = new Set<Navigation>();
  let shown = "";
  function Actions() {
    navigations.add(useNavigation());
    return null;
  }
  /** "/orders < /orders/7 < confirm": the page, and what is above it. */
  function Screen() {
    const { page, stack } = useNavigation(({ layers }) => layers);
    const layers = stack.map(({ location, modal }) => location?.pathname ?? modal?.kind);
    shown = [page.pathname, ...layers].join(" < ");
    return null;
  }
  const root = createBareRoot();
  act(() =>
    root.render(
      <MemoryRouter initialEntries={[address]}>
        <NavigationProvider targets={targets}>
          <Actions />
          <Screen />
        </NavigationProvider>
      </MemoryRouter>,
    ),
  );
  closings.push(() => act(() => root.unmount()));
  return {
    run: async (work: (navigation: Navigation) => void) => {
      const [navigation] = navigations;
      await act(async () => navigation && work(navigation));
      return shown;
    },
    shown: () => shown,
    /** How many objects `useNavigation()` has returned. */
    returned: () => navigations.size,
  };
}

test("overlays of an app: a modal opens over a panel over a list, another takes its place, and each is left to the one below", async () => {
  const { run, shown, returned } = enter("/days");
  expect(await run(({ open }) => open("/orders/7"))).toBe("/days < /orders/7");
  expect(await run(({ openModal }) => openModal({ kind: "confirm", orderId: 7 }))).toBe("/days < /orders/7 < confirm");
  expect(await run(({ replaceWithModal }) => replaceWithModal({ kind: "refund", orderId: 7, cents: 250 }))).toBe(
    "/days < /orders/7 < refund",
  );
  expect(await run(({ back }) => back())).toBe("/days < /orders/7");
  expect(await run(({ close }) => close())).toBe("/days");
  expect(shown()).toBe("/days");
  expect(returned()).toBe(1);
});

test("overlays of an app: a panel opened by its address is over the home page of that app, and is left to it", async () => {
  const { run, shown } = enter("/orders/7");
  expect(shown()).toBe("/orders < /orders/7");
  expect(await run(({ open }) => open("/orders/8"))).toBe("/orders < /orders/7 < /orders/8");
  expect(await run(({ close }) => close())).toBe("/orders");
});

test("overlays of an app: a modal that is put over the home page is left to it", async () => {
  const { run } = enter("/days");
  await run(({ openModal }) => openModal({ kind: "confirm", orderId: 7 }));
  expect(await run(({ replacePageWithHome }) => replacePageWithHome({ kind: "confirm", orderId: 7 }))).toBe(
    "/orders < confirm",
  );
  expect(await run(({ back }) => back())).toBe("/orders");
});

test("overlays of an app: its own modals are opened, another app's are a type error", () => {
  expectTypeOf(useNavigation<string>).returns.toEqualTypeOf<string>();
  expectTypeOf<Parameters<Navigation["openModal"]>[0]>().toEqualTypeOf<Modal>();
  expectTypeOf<{ kind: "cart" }>().not.toExtend<Parameters<Navigation["openModal"]>[0]>();
  expectTypeOf<{ kind: "refund"; orderId: number }>().not.toExtend<Parameters<Navigation["replaceWithModal"]>[0]>();
  expectTypeOf<Parameters<Navigation["hasModal"]>[0]>().toEqualTypeOf<"confirm" | "refund">();
});
