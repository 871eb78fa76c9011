import { createContext, Script } from "node:vm";

import type { CheckoutPage, ShopPage } from "../../../web/test/page-driver.ts";
import { GOOD_CARD } from "../factories.ts";
import type { Browser, Channel as ChannelEnd } from "./browser.ts";
import type { Timeline } from "./timeline.ts";

const storageOf = (kept: Map<string, string>) =>
  new Proxy(
    {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    },
    {
      ownKeys: () => [...kept.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  );

/** The page's own clock: the device's. */
const CLOCK = new Script(`{
  const Real = Date, now = deviceTime;
  globalThis.Date = class Date extends Real {
    constructor(...given) { if (given.length > 0) super(...given); else super(now()); }
    static now() { return now(); }
  };
}`);

/** One document: its own globals, timers and requests, which end with it. */
export class Page {
  readonly driver: Partial<ShopPage & CheckoutPage>;
  private readonly timers = new Map<number, number>();
  private readonly listeners = new Map<string, Set<(event: object) => void>>();
  private readonly channels = new Set<ChannelEnd>();
  private isGone = false;
  private readonly tab: Tab;
  /** When it was requested, by the timeline. */
  readonly startedAt: number;

  constructor(tab: Tab, path: string, html: string, startedAt: number) {
    this.tab = tab;
    this.startedAt = startedAt;
    const { timeline, script } = tab.browser.web;
    const globals = createContext(this.globals(path, html, startedAt, timeline));
    CLOCK.runInContext(globals);
    script.runInContext(globals);
    this.driver = globals["page"] as typeof this.driver;
  }

  /** Fires an event of the window, or of the document. */
  fire(type: string, event: object = {}): void {
    for (const listener of this.listeners.get(type) ?? []) listener({ type, ...event });
  }

  /** The document is left. */
  close(): void {
    if (this.isGone) return;
    this.fire("pagehide");
    this.isGone = true;
    for (const id of this.timers.values()) this.tab.browser.web.timeline.cancel(id);
    for (const channel of this.channels) this.tab.browser.channels.delete(channel);
  }

  private globals(path: string, html: string, startedAt: number, timeline: Timeline): Record<string, unknown> {
    const { browser } = this.tab;
    // oxlint-disable-next-line typescript/no-this-alias -- the classes below have their own
    const page = this;
    let lastTimer = 0;
    const run = (callback: (...given: unknown[]) => void, given: unknown[]) => {
      if (!page.isGone) callback(...given);
    };
    const setTimer = (callback: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
      const id = ++lastTimer;
      const end = () => {
        page.timers.delete(id);
        run(callback, given);
      };
      page.timers.set(id, timeline.after(ms, end));
      return id;
    };
    const setRepeated = (callback: (...given: unknown[]) => void, ms: number, ...given: unknown[]) => {
      const id = ++lastTimer;
      const start = (): unknown =>
        page.timers.set(
          id,
          timeline.after(ms, () => {
            start();
            run(callback, given);
          }),
        );
      start();
      return id;
    };
    const clearTimer = (id?: number) => {
      const entry = id === undefined ? undefined : page.timers.get(id);
      if (entry !== undefined) timeline.cancel(entry);
      if (id !== undefined) page.timers.delete(id);
    };
    const addEventListener = (type: string, listener: (event: object) => void) => {
      const all = page.listeners.get(type) ?? new Set();
      page.listeners.set(type, all.add(listener));
    };
    const removeEventListener = (type: string, listener: (event: object) => void) =>
      void page.listeners.get(type)?.delete(listener);

    class Channel {
      private readonly received = new Set<(event: { data: unknown }) => void>();
      private readonly own: ChannelEnd;
      constructor(name: string) {
        const deliver = (data: unknown) => {
          for (const listener of this.received) listener({ data });
        };
        this.own = { name, deliver };
        browser.channels.add(this.own);
        page.channels.add(this.own);
      }
      postMessage(data: unknown): void {
        for (const channel of browser.channels)
          if (channel !== this.own && channel.name === this.own.name)
            timeline.after(1, () => {
              if (browser.channels.has(channel)) channel.deliver(structuredClone(data));
            });
      }
      addEventListener(_type: "message", listener: (event: { data: unknown }) => void): void {
        this.received.add(listener);
      }
      removeEventListener(_type: "message", listener: (event: { data: unknown }) => void): void {
        this.received.delete(listener);
      }
    }

    const fetch = async (
      url: string,
      options: { method?: string; headers?: object; body?: string | null; signal?: AbortSignal; keepalive?: boolean },
    ) => {
      const outgoing = {
        tab: page.tab.number,
        method: options.method ?? "GET",
        url,
        headers: { ...options.headers } as Record<string, string>,
        body: options.body ?? null,
      };
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      options.signal?.addEventListener("abort", () => reject(new Error("aborted")));
      const isAborted = () => (page.isGone && !options.keepalive) || options.signal?.aborted === true;
      browser.fetch(outgoing, isAborted).then(
        ({ status, headers, text }) => {
          if (!page.isGone) resolve({ status, ok: status < 300, headers, text: async () => text });
        },
        (error: unknown) => {
          if (!page.isGone) reject(error);
        },
      );
      return promise;
    };

    const texts = new Map(
      [...html.matchAll(/<script type="application\/json" id="(\w+)">(.*?)<\/script>/gs)].map(([, id, text]) => [
        id,
        text,
      ]),
    );
    const ignore = () => undefined;
    const document = {
      nodeType: 9,
      addEventListener,
      removeEventListener,
      activeElement: null,
      defaultView: null,
      visibilityState: "visible",
      readyState: "complete",
      cookie: "",
      title: "",
      documentElement: { getAttribute: () => null },
      querySelector: () => (page.tab.frame ? {} : null),
      getElementById: (id: string) =>
        id === "root"
          ? { nodeType: 1, tagName: "DIV", addEventListener: ignore, ownerDocument: document }
          : texts.has(id)
            ? { textContent: texts.get(id) }
            : null,
    };
    const location = {
      pathname: path,
      search: "",
      hash: "",
      href: `http://localhost${path}`,
      origin: "http://localhost",
      protocol: "http:",
      assign: () => page.tab.load(),
      reload: () => (page === page.tab.frame ? page.tab.openFrame() : page.tab.load()),
    };
    const { skewMs } = this.tab;
    const globals: Record<string, unknown> = {
      document,
      location,
      navigator: { userAgent: "test", language: "en-US", onLine: true },
      sessionStorage: storageOf(this.tab.kept),
      localStorage: storageOf(browser.local),
      BroadcastChannel: Channel,
      fetch,
      addEventListener,
      removeEventListener,
      dispatchEvent: ignore,
      setTimeout: setTimer,
      clearTimeout: clearTimer,
      setInterval: setRepeated,
      clearInterval: clearTimer,
      queueMicrotask,
      performance: { now: () => timeline.now - startedAt, timeOrigin: startedAt + skewMs },
      crypto: {
        getRandomValues: (bytes: Uint8Array) => crypto.getRandomValues(bytes),
        randomUUID: () => crypto.randomUUID(),
      },
      FormData,
      Headers,
      URLSearchParams,
      URL,
      AbortController,
      AbortSignal,
      structuredClone,
      reportError: (error: unknown) => this.tab.errors.push(error),
      HTMLIFrameElement: Object,
      HTMLInputElement: Function,
      HTMLTextAreaElement: Function,
      console: { ...console, error: (...given: unknown[]) => this.tab.errors.push(given[0]) },
      testCard: GOOD_CARD,
      deviceTime: () => timeline.now + skewMs,
    };
    globals["window"] = globals;
    globals["self"] = globals;
    // A frame's own window is another one than its parent.
    globals["parent"] = path.startsWith("/embed/")
      ? { postMessage: (message: unknown) => timeline.after(1, () => page.tab.onFrameMessage(message)) }
      : globals;
    return globals;
  }
}

/** A tab of the browser: a page, perhaps with the checkout over it, and what it keeps over a reload. */
export class Tab {
  readonly kept = new Map<string, string>();
  readonly errors: unknown[] = [];
  page: Page | null = null;
  frame: Page | null = null;
  readonly browser: Browser;
  readonly number: number;
  /** How wrong the device's clock is, ms. */
  readonly skewMs: number;
  private readonly loading: Record<"page" | "frame", object | null> = { page: null, frame: null };

  constructor(browser: Browser, number: number, skewMs: number) {
    this.browser = browser;
    this.number = number;
    this.skewMs = skewMs;
  }

  /** A page or the frame is on its way. */
  get isLoading(): boolean {
    return this.loading.page !== null || this.loading.frame !== null;
  }

  /** Loads the shop's page. The one that is shown goes on until the server has answered. */
  load(): void {
    this.open("page", "/shop", (create) => {
      this.closePage();
      this.page = create();
    });
  }

  openFrame(): void {
    this.frame?.close();
    this.frame = null;
    this.open("frame", "/embed/checkout", (create) => (this.frame = create()));
  }

  closePage(): void {
    this.frame?.close();
    this.frame = null;
    this.loading.frame = null;
    this.page?.close();
    this.page = null;
  }

  closeFrame(): void {
    this.frame?.close();
    this.frame = null;
    this.page?.driver.checkoutClosed?.();
  }

  onFrameMessage(message: unknown): void {
    if (message === "busy" || message === "idle" || message === "customer-logged-in") return;
    if (this.frame) this.closeFrame();
  }

  private open(what: "page" | "frame", path: string, opened: (create: () => Page) => void): void {
    const startedAt = this.browser.web.timeline.now;
    const load = {};
    this.loading[what] = load;
    const outgoing = { tab: this.number, method: "GET", url: path, headers: { accept: "text/html" }, body: null };
    void this.browser.fetch(outgoing, undefined, true).then(({ text }) => {
      if (this.loading[what] !== load) return;
      this.loading[what] = null;
      try {
        opened(() => new Page(this, path, text, startedAt));
      } catch (error) {
        this.errors.push(error);
      }
    });
  }
}
