import { MemoryStorage } from "@marketday/client/test/memory-storage.ts";
import { createBareRoot } from "@marketday/client/test/root.ts";
import { dismissToast, toastStore } from "@marketday/ui/toast-store.ts";
import { notifyManager, defaultScheduler, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, isValidElement, type ReactElement, type ReactNode } from "react";
import { MemoryRouter, useLocation } from "react-router";
import { afterAll, afterEach, beforeEach, vi } from "vitest";

import { CartProvider } from "../src/features/cart/cart-provider.tsx";
import { sessionKeys } from "../src/features/session/api.ts";
import { NavigationProvider } from "../src/navigation/overlays.ts";

const ignore = () => undefined;

interface Sent {
  /** "POST /subscriptions" */
  call: string;
  body: unknown;
  headers: Record<string, string>;
}
type Answer = { status?: number; body: unknown; headers?: Record<string, string> };

/**
 * For tests of hooks, and of what a component does with its controls, without a browser: React's own root and the app's
 * providers, both storages and a server of answers. Call it once at the top of a file.
 */
export function setUpHooks() {
  const sent: Sent[] = [];
  const answers = new Map<string, Answer[]>();
  const closings: (() => void)[] = [];
  beforeEach(() => {
    sent.length = 0;
    answers.clear();
    vi.stubGlobal("window", { event: undefined, HTMLIFrameElement: Object });
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
    vi.stubGlobal("document", {
      cookie: "",
      querySelector: () => null,
      getElementById: () => null,
      addEventListener: ignore,
      removeEventListener: ignore,
    });
    vi.stubGlobal("location", { protocol: "https:", assign: ignore });
    vi.stubGlobal("addEventListener", ignore);
    vi.stubGlobal("removeEventListener", ignore);
    vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener: ignore, removeEventListener: ignore }));
    vi.stubGlobal("sessionStorage", new MemoryStorage());
    vi.stubGlobal("localStorage", new MemoryStorage());
    vi.stubGlobal("fetch", async (url: string, { method = "GET", body, headers }: RequestInit) => {
      const call = `${method} ${url.replace(/^\/api/, "")}`;
      sent.push({
        call,
        body: typeof body === "string" ? (JSON.parse(body) as unknown) : null,
        headers: headers as Record<string, string>,
      });
      const left = answers.get(call) ?? [];
      const answer = left.length > 1 ? left.shift() : left[0];
      if (!answer) throw new TypeError(`no answer to ${call}`);
      return new Response(JSON.stringify(answer.body), { status: answer.status ?? 200, ...answer });
    });
    // Inside `act`, which waits for microtasks.
    notifyManager.setScheduler(queueMicrotask);
  });
  afterEach(() => {
    for (const close of closings.splice(0)) close();
    toastStore.current().forEach(({ id }) => dismissToast(id));
    notifyManager.setScheduler(defaultScheduler);
    vi.unstubAllGlobals();
  });
  afterAll(() => vi.unstubAllGlobals());

  return {
    sent,
    /** The answers to a call, in turn; the last one to all that follow. */
    answer: (call: string, ...given: Answer[]) => void answers.set(call, given),
    refuse: (call: string, status: number, message: string, details: object = {}) =>
      void answers.set(call, [{ status, body: [message, details] }]),
    /** Runs a hook, or the function of a component, in the app's providers. */
    open: <T,>(use: () => T, client = newClient()) => {
      let result: T | undefined;
      let at = "";
      function Hook() {
        result = use();
        const { pathname, state } = useLocation();
        at = `${pathname} ${JSON.stringify(state)}`;
        return null;
      }
      const root = createBareRoot();
      const targets = { isOverlay: () => false, hasPage: () => true, hasModal: () => true, prefetch: ignore };
      act(() =>
        root.render(
          <QueryClientProvider client={client}>
            <MemoryRouter initialEntries={["/shop"]}>
              <NavigationProvider targets={targets}>
                <CartProvider>
                  <Hook />
                </CartProvider>
              </NavigationProvider>
            </MemoryRouter>
          </QueryClientProvider>,
        ),
      );
      let isOpen = true;
      const close = () => {
        if (isOpen) act(() => root.unmount());
        isOpen = false;
      };
      closings.push(close, () => client.clear());
      return {
        client,
        now: () => result as T,
        /** The address, with what is open over it. */
        at: () => at,
        close,
      };
    },
  };
}

/** Does something and waits for all that follows from it, the answers included. */
export const run = (work: () => unknown) =>
  act(async () => {
    await work();
    for (let turn = 0; turn < 5; turn++) await new Promise((done) => setImmediate(done));
  });

/** A client that fetches nothing again, with what is known of who is here. */
export function newClient(
  visitor: { customerId: number | null; hubId?: number | null; isGuest?: boolean } | null = null,
) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const { customerId = null, hubId = null, isGuest = false } = visitor ?? {};
  const profile = customerId === null ? null : { customerId, hubId, isGuest, credit: 0 };
  client.setQueryData(sessionKeys.current, { session: { customerId, hubId }, profile });
  client.setQueryData(["cart"], { items: [], banners: [] });
  return client;
}

type Props = Record<string, unknown> & { children?: ReactNode };

/** The elements of what a component returned, those in the properties of others included. */
export function* elementsOf(node: unknown): Generator<ReactElement<Props>> {
  if (Array.isArray(node)) for (const one of node) yield* elementsOf(one);
  else if (isValidElement<Props>(node)) {
    yield node;
    for (const value of Object.values(node.props)) yield* elementsOf(value);
  }
}

/** The properties of the one element that has these; undefined without one. */
export const propsOf = (node: unknown, fits: (props: Props, type: unknown) => boolean): any =>
  [...elementsOf(node)].find(({ props, type }) => fits(props, type))?.props;

/** All text of what a component returned. */
export const textOf = (node: unknown): string =>
  typeof node === "string" || typeof node === "number"
    ? String(node)
    : Array.isArray(node)
      ? node.map(textOf).join("")
      : isValidElement<Props>(node)
        ? textOf(node.props.children)
        : "";
