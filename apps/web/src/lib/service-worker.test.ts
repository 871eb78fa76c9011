import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";

import { expect, test } from "vitest";

const source = readFileSync(new URL("../../public/service-worker.js", import.meta.url), "utf8");
const ORIGIN = "https://market.example";

/** The worker with a network that the test controls, and its caches. */
function startWorker() {
  const kept = new Map<string, Map<string, Response>>();
  const caches = {
    open: async (name: string) => {
      const cache = kept.get(name) ?? new Map<string, Response>();
      kept.set(name, cache);
      return {
        match: async (key: string) => cache.get(key),
        put: async (key: string, answer: Response) => void cache.set(key, answer),
        add: async (key: string) => void cache.set(key, new Response("")),
      };
    },
    delete: async (name: string) => kept.delete(name),
    keys: async () => [...kept.keys()],
  };
  const requests = new Map<string, PromiseWithResolvers<Response>>();
  const timers: (() => void)[] = [];
  const setTimeout = (run: () => void, ms: number) => ms === 4000 && timers.push(run);
  const fetch = (what: string | { url: string }) => {
    const answer = Promise.withResolvers<Response>();
    requests.set(typeof what === "string" ? what : new URL(what.url).pathname, answer);
    return answer.promise;
  };
  const listeners = new Map<string, (event: unknown) => void>();
  const self = {
    addEventListener: (type: string, listener: (event: unknown) => void) => listeners.set(type, listener),
    location: { origin: ORIGIN },
    skipWaiting: () => undefined,
    clients: { claim: async () => undefined },
  };
  runInContext(source, createContext({ self, caches, fetch, setTimeout, URL, Response }));
  /** Hands the worker an event; gives what it is doing about it. */
  const tell = (type: string, event: object): Promise<unknown[]> => {
    const work: unknown[] = [];
    const take = (one: unknown) => void work.push(one);
    listeners.get(type)?.({ ...event, waitUntil: take, respondWith: take });
    return Promise.all(work);
  };
  return {
    keepShell: () => tell("message", { data: "keep-shell" }),
    send: (path: string) => tell("fetch", { request: { method: "POST", url: ORIGIN + path } }),
    /** Opens a page of the market. */
    open: (path: string) =>
      tell("fetch", { request: { method: "GET", url: ORIGIN + path, mode: "navigate", destination: "document" } }).then(
        ([page]) => (page as Response).text(),
      ),
    /** The network has not answered within 4 s. */
    passDeadline: () => timers.forEach((run) => run()),
    answer: (path: string, text: string) => requests.get(path)?.resolve(new Response(text)),
    keptPage: async () => kept.get("marketday-page-1")?.get("/shop")?.text() ?? "",
  };
}

const PAGE = '<html lang="en">Quentin</html>';

test("the shop's page is kept, and says of itself that it is", async () => {
  const worker = startWorker();
  const keeping = worker.keepShell();
  worker.answer("/shop", PAGE);
  await keeping;
  expect(await worker.keptPage()).toBe('<html data-kept="" lang="en">Quentin</html>');
});

test.for(["/api/auth/logout", "/api/auth/login", "/api/account", "/api/hubs/3/switch"])(
  "a page requested before %s is not cached after it",
  { tags: ["fail:G9"] },
  async (path) => {
    const worker = startWorker();
    const keeping = worker.keepShell();
    const changing = worker.send(path);
    worker.answer(path, "{}");
    await changing;
    worker.answer("/shop", PAGE);
    await keeping;
    expect(await worker.keptPage()).toBe("");
  },
);

test("nor is one that is rendered while it is under way", { tags: ["fail:G9"] }, async () => {
  const worker = startWorker();
  const changing = worker.send("/api/auth/logout");
  const keeping = worker.keepShell();
  worker.answer("/shop", PAGE);
  await keeping;
  worker.answer("/api/auth/logout", "{}");
  await changing;
  expect(await worker.keptPage()).toBe("");
});

test(
  "service worker: a page the network does not answer within 4 s is shown from the kept one",
  { tags: ["fail:M10"] },
  async () => {
    const worker = startWorker();
    const keeping = worker.keepShell();
    worker.answer("/shop", PAGE);
    await keeping;
    const opening = worker.open("/shop");
    worker.passDeadline();
    expect(await opening).toContain("data-kept");
  },
);

test("service worker: without a kept page the network is waited for", { tags: ["fail:M10"] }, async () => {
  const worker = startWorker();
  const opening = worker.open("/shop");
  worker.passDeadline();
  worker.answer("/shop", PAGE);
  expect(await opening).toBe(PAGE);
});
