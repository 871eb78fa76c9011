import { act } from "react";
import { type NavigateFunction, type NavigateOptions, useLocation, useNavigate, useNavigationType } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createBareRoot } from "../test/root.ts";
import { BrowserRouter } from "./browser-router.tsx";

/** A browser's history, without the page: its entries, and what the bar shows. */
class Entries {
  list: { state: unknown; url: string }[] = [{ state: null, url: "/shop" }];
  at = 0;
  refusal: Error | null = null;
  get state() {
    return this.list[this.at]!.state;
  }
  readonly pushState = (state: unknown, _: string, url: string) => {
    if (this.refusal) throw this.refusal;
    this.list = [...this.list.slice(0, ++this.at), { state, url }];
  };
  readonly replaceState = (state: unknown, _: string, url = this.list[this.at]!.url) => {
    this.list[this.at] = { state, url };
  };
}

let entries: Entries;
const assign = vi.fn();
const closings: (() => void)[] = [];
const bar = {
  get href() {
    return `https://market.example${entries.list[entries.at]!.url}`;
  },
  get pathname() {
    return new URL(bar.href).pathname;
  },
  get search() {
    return new URL(bar.href).search;
  },
  hash: "",
  assign,
};

beforeEach(() => {
  entries = new Entries();
  assign.mockClear();
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("window", { event: undefined, HTMLIFrameElement: Object, location: bar });
  vi.stubGlobal("history", entries);
  const popped = new EventTarget();
  vi.stubGlobal("addEventListener", popped.addEventListener.bind(popped));
  vi.stubGlobal("removeEventListener", popped.removeEventListener.bind(popped));
  vi.stubGlobal("dispatchEvent", popped.dispatchEvent.bind(popped));
});
afterEach(() => {
  for (const close of closings.splice(0)) close();
  vi.unstubAllGlobals();
});

/** An app under the router. `onRender`: what happens while it renders. */
function open(onRender: () => void = () => undefined) {
  let shown = "";
  let navigate!: NavigateFunction;
  function Page() {
    const { pathname, search, state } = useLocation();
    shown = `${useNavigationType()} ${pathname}${search} ${JSON.stringify(state)}`;
    navigate = useNavigate();
    onRender();
    return null;
  }
  const root = createBareRoot();
  act(() =>
    root.render(
      <BrowserRouter>
        <Page />
      </BrowserRouter>,
    ),
  );
  closings.push(() => act(() => root.unmount()));
  return {
    shown: () => shown,
    navigate: (to: string, options?: NavigateOptions) => act(() => void navigate(to, options)),
  };
}

test("router: an address that is opened is a new entry with its state, a replaced one is none, and Back shows the one before", () => {
  const app = open();
  expect(app.shown()).toBe("POP /shop null");
  app.navigate("/hubs/4?from=shop", { state: { opener: "hub" } });
  expect(app.shown()).toBe('PUSH /hubs/4?from=shop {"opener":"hub"}');
  app.navigate("/vendors", { replace: true });
  expect(app.shown()).toBe("REPLACE /vendors null");
  expect(entries.list.map(({ url, state }) => [url, (state as { idx: number }).idx])).toEqual([
    ["/shop", 0],
    ["/vendors", 1],
  ]);
  entries.at = 0;
  act(() => void dispatchEvent(new Event("popstate")));
  expect(app.shown()).toBe("POP /shop null");
});

test("router: Back that is pressed while the app starts is followed once it has started", () => {
  entries.pushState({ usr: null, key: "panel", idx: 1 }, "", "/product/eggs");
  let renders = 0;
  const app = open(() => {
    renders += 1;
    if (renders === 1) entries.at = 0;
  });
  expect(app.shown()).toBe("POP /shop null");
});

test("router: an entry that the browser refuses is loaded as an address; a state that cannot be stored is an error", () => {
  const app = open();
  entries.refusal = new DOMException("Too many calls", "SecurityError");
  app.navigate("/hubs");
  expect(assign).toHaveBeenCalledExactlyOnceWith("/hubs");
  entries.refusal = new DOMException("Not a clone", "DataCloneError");
  expect(() => app.navigate("/hubs")).toThrow("Not a clone");
});
