import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";

import { describe, expect, test, vi } from "vitest";

const source = readFileSync(new URL("../../public/service-worker.js", import.meta.url), "utf8");
const ORIGIN = "https://market.example";

type Answer = PromiseWithResolvers<Response>;
interface Options {
  status?: number;
  headers?: Record<string, string>;
}

/** The worker with a network and timers that the test controls, and its caches. */
function startWorker() {
  const kept = new Map<string, Map<string, Response>>();
  const caches = {
    open: async (name: string) => {
      const cache = kept.get(name) ?? new Map<string, Response>();
      kept.set(name, cache);
      return {
        match: async (key: string) => cache.get(key)?.clone(),
        put: async (key: string, answer: Response) => void cache.set(key, answer),
        add: async (key: string) => void cache.set(key, new Response("")),
        delete: async (key: string) => cache.delete(key),
      };
    },
    delete: async (name: string) => kept.delete(name),
    keys: async () => [...kept.keys()],
  };
  const requests: { path: string; answer: Answer }[] = [];
  const timers: { ms: number; run: () => void }[] = [];
  const setTimeout = (run: () => void, ms: number) => timers.push({ ms, run });
  const fetch = (what: string | { url: string }) => {
    const answer = Promise.withResolvers<Response>();
    const { pathname } = new URL(typeof what === "string" ? what : what.url, ORIGIN);
    requests.push({ path: pathname, answer });
    return answer.promise;
  };
  const listeners = new Map<string, (event: unknown) => void>();
  const reports: unknown[] = [];
  const client = { postMessage: (report: unknown) => reports.push(report) };
  const self = {
    addEventListener: (type: string, listener: (event: unknown) => void) => listeners.set(type, listener),
    location: { origin: ORIGIN },
    skipWaiting: () => undefined,
    clients: { claim: async () => undefined },
  };
  runInContext(source, createContext({ self, caches, fetch, setTimeout, URL, Response, Date }));
  /** Hands the worker an event; gives its response, if it responds, and what it goes on doing. */
  const tell = (type: string, event: object) => {
    const work: unknown[] = [];
    let response: Promise<Response> | undefined;
    listeners.get(type)?.({
      ...event,
      waitUntil: (one: unknown) => void work.push(one),
      respondWith: (one: Promise<Response>) => (response = one),
    });
    return { response, over: async () => void (await Promise.all(work)) };
  };
  const navigate = (path: string) =>
    tell("fetch", {
      request: { method: "GET", url: ORIGIN + path, mode: "navigate", destination: "document" },
    }).response;
  return {
    pageOpened: () => tell("message", { data: "page-opened" }).over(),
    shopChanged: () => tell("message", { data: "shop-changed" }).over(),
    /** A kept page requests the server's. */
    load: (path: string) => tell("message", { data: { load: ORIGIN + path }, source: client }).over(),
    send: (path: string) => tell("fetch", { request: { method: "POST", url: ORIGIN + path } }),
    /** Whether the worker answers for a page. */
    answersFor: (path: string) => {
      const response = navigate(path);
      response?.catch(() => undefined);
      return response !== undefined;
    },
    /** Opens a page of the market. */
    open: async (path: string) => (await navigate(path))!.text(),
    /** Ends every pause of so many ms. */
    pass: (ms: number) => {
      for (const { run } of timers.filter((timer) => timer.ms === ms)) run();
    },
    isWaiting: (ms: number) => vi.waitFor(() => expect(timers.map((timer) => timer.ms)).toContain(ms)),
    requested: (path: string) => requests.filter((request) => request.path === path).length,
    /** The server's answer to the latest request for a path, once that is there. */
    answer: async (path: string, text: string, options: Options = {}) => {
      const found = await vi.waitUntil(() => requests.findLast((request) => request.path === path));
      found.answer.resolve(new Response(text, options));
    },
    fail: (path: string) =>
      requests.findLast((request) => request.path === path)?.answer.reject(new TypeError("Failed to fetch")),
    reports,
    keptPage: async () => kept.get("marketday-page-1")?.get("/shop")?.clone().text() ?? "",
  };
}
type Worker = ReturnType<typeof startWorker>;

const PAGE = '<html lang="en">Quentin</html>';
const NEW_PAGE = '<html lang="en">Quentin, later</html>';

/** A worker that has kept the shop's page. */
async function withKeptPage(): Promise<Worker> {
  const worker = startWorker();
  const keeping = worker.shopChanged();
  await worker.answer("/shop", PAGE);
  await keeping;
  return worker;
}

describe("the page that is kept", () => {
  test("is the shop's, and says of itself that it is kept", async () => {
    const worker = await withKeptPage();
    expect(await worker.keptPage()).toBe('<html data-kept="" lang="en">Quentin</html>');
  });

  test("is the shop's own answer when the shop is opened: the server renders one page for a load", async () => {
    const worker = startWorker();
    const opening = worker.open("/shop");
    await worker.answer("/shop", PAGE);
    expect(await opening).toBe(PAGE);
    await vi.waitFor(async () => expect(await worker.keptPage()).toContain("Quentin"));
    await worker.pageOpened();
    expect(worker.requested("/shop")).toBe(1);
  });

  test("is requested by another page that opens when there is none", async () => {
    const worker = startWorker();
    const keeping = worker.pageOpened();
    await worker.answer("/shop", PAGE);
    await keeping;
    expect(await worker.keptPage()).toContain("Quentin");
  });

  test.for(["/api/auth/logout", "/api/auth/login", "/api/account", "/api/hubs/3/switch"])(
    "requested before %s is not stored after it",
    { tags: ["fail:G9"] },
    async (path) => {
      const worker = startWorker();
      const keeping = worker.shopChanged();
      const changing = worker.send(path);
      await worker.answer("/shop", PAGE);
      await worker.answer(path, "{}");
      await changing.response;
      await keeping;
      expect(await worker.keptPage()).toBe("");
    },
  );

  test("rendered while the session changes is not stored", { tags: ["fail:G9"] }, async () => {
    const worker = startWorker();
    const changing = worker.send("/api/auth/logout");
    const keeping = worker.shopChanged();
    await worker.answer("/shop", PAGE);
    await keeping;
    await worker.answer("/api/auth/logout", "{}");
    await changing.response;
    expect(await worker.keptPage()).toBe("");
  });

  test("is the next session's a moment after a change", async () => {
    const worker = await withKeptPage();
    const changing = worker.send("/api/account/profile");
    await worker.answer("/api/account/profile", "{}");
    await changing.response;
    expect(await worker.keptPage()).toBe("");
    await worker.isWaiting(3000);
    worker.pass(3000);
    await vi.waitFor(() => expect(worker.requested("/shop")).toBe(2));
    await worker.answer("/shop", NEW_PAGE);
    await changing.over();
    expect(await worker.keptPage()).toContain("Quentin, later");
  });

  test("stays when a ZIP code is only checked", async () => {
    const worker = await withKeptPage();
    expect(worker.send("/api/auth/guest?zipCode=46032&check=true").response).toBeUndefined();
    expect(await worker.keptPage()).toContain("Quentin");
  });
});

describe("a page that is opened", () => {
  test("without a kept page waits for the network", { tags: ["fail:M10"] }, async () => {
    const worker = startWorker();
    const opening = worker.open("/shop");
    await worker.isWaiting(4000);
    worker.pass(4000);
    await worker.answer("/shop", PAGE);
    expect(await opening).toBe(PAGE);
  });

  test("without a network is the kept one, which does not say that the market is slow", async () => {
    const worker = await withKeptPage();
    const opening = worker.open("/faq");
    await vi.waitFor(() => expect(worker.requested("/faq")).toBe(1));
    worker.fail("/faq");
    expect(await opening).toBe('<html data-kept="" lang="en">Quentin</html>');
    expect(worker.reports).toEqual([]);
  });

  /** Opens a page whose answer takes longer than 4 s: the kept one is shown. */
  async function openSlowly(worker: Worker, path: string): Promise<string> {
    const opening = worker.open(path);
    await vi.waitFor(() => expect(worker.requested(path)).toBeGreaterThan(0));
    await worker.isWaiting(4000);
    worker.pass(4000);
    return opening;
  }

  test(
    "later than 4 s after its request is the kept one, which says that the market is slow",
    { tags: ["fail:M10"] },
    async () => {
      const worker = await withKeptPage();
      expect(await openSlowly(worker, "/faq")).toBe('<html data-kept="slow" lang="en">Quentin</html>');
    },
  );

  test("loaded again after its late answer is that answer, once, without another request", async () => {
    const worker = await withKeptPage();
    await openSlowly(worker, "/faq");
    const loading = worker.load("/faq");
    await worker.answer("/faq", "<html>FAQ</html>");
    await loading;
    // Also to a page that was not listening yet when it arrived.
    await worker.load("/faq");
    const report = { url: `${ORIGIN}/faq`, isReady: true };
    expect(worker.reports).toEqual([report, report]);
    expect(await worker.open("/faq")).toBe("<html>FAQ</html>");
    expect(worker.requested("/faq")).toBe(1);
    expect(worker.answersFor("/faq")).toBe(true);
    await vi.waitFor(() => expect(worker.requested("/faq")).toBe(2));
  });

  test("loaded again before its late answer is not requested twice", async () => {
    const worker = await withKeptPage();
    await openSlowly(worker, "/faq");
    const again = worker.open("/faq");
    await worker.answer("/faq", "<html>FAQ</html>");
    expect(await again).toBe("<html>FAQ</html>");
    expect(worker.requested("/faq")).toBe(1);
  });

  test("with a late answer of the person before is requested again", { tags: ["fail:G9"] }, async () => {
    const worker = await withKeptPage();
    await openSlowly(worker, "/profile");
    const changing = worker.send("/api/auth/logout");
    await worker.answer("/api/auth/logout", "{}");
    await changing.response;
    await worker.answer("/profile", "<html>Quentin</html>");
    const again = worker.open("/profile");
    await vi.waitFor(() => expect(worker.requested("/profile")).toBe(2));
    await worker.answer("/profile", "<html>No one</html>");
    expect(await again).toBe("<html>No one</html>");
  });

  test("whose late answer is an error stays the kept one", async () => {
    const worker = await withKeptPage();
    await openSlowly(worker, "/faq");
    const loading = worker.load("/faq");
    await worker.answer("/faq", "", { status: 503 });
    await loading;
    expect(worker.reports).toEqual([{ url: `${ORIGIN}/faq`, isReady: false }]);
  });

  test("whose answer never comes has failed after a minute", { tags: ["fail:M10"] }, async () => {
    const worker = await withKeptPage();
    const loading = worker.load("/faq");
    await worker.isWaiting(60_000);
    worker.pass(60_000);
    await loading;
    expect(worker.reports).toEqual([{ url: `${ORIGIN}/faq`, isReady: false }]);
  });

  test("is requested by the kept page, and then loaded without another request", async () => {
    const worker = await withKeptPage();
    const loading = worker.load("/shop");
    void worker.load("/shop");
    await vi.waitFor(() => expect(worker.requested("/shop")).toBe(2));
    await worker.answer("/shop", NEW_PAGE);
    await loading;
    expect(worker.reports).toContainEqual({ url: `${ORIGIN}/shop`, isReady: true });
    expect(await worker.open("/shop")).toBe(NEW_PAGE);
    // The first was the one that is kept.
    expect(worker.requested("/shop")).toBe(2);
    await vi.waitFor(async () => expect(await worker.keptPage()).toContain("Quentin, later"));
  });
});

test.for([
  "/account/data/a-token",
  "/account/email/a-token",
  "/admin",
  "/admin/staff",
  "/admin/assets/index-1.js",
  "/farm",
  "/api/health",
  "/embed/checkout",
  "/img/1",
  "/t/100000007",
  "/T/100000007",
])("service worker: %s is the network's alone", (path) => {
  expect(startWorker().answersFor(path)).toBe(false);
});

test("service worker: the pages it answers for are those of the route table", async () => {
  const element = { hasAttribute: () => false, getAttribute: () => null };
  vi.stubGlobal("document", { getElementById: () => null, documentElement: element });
  vi.stubGlobal("addEventListener", () => undefined);
  const { pageRoutes, overlayRoutes } = await import("./routes.tsx");
  vi.unstubAllGlobals();
  const [, list = ""] = /^const PAGES = \[(.*?)\];$/ms.exec(source) ?? [];
  const pages = [...list.matchAll(/"([^"]+)"/g)].map(([, path]) => path);
  expect(pages).toEqual(
    [...pageRoutes, ...overlayRoutes]
      .map(({ path }) => path)
      .filter((path) => path !== "*")
      .toSorted(),
  );
});
