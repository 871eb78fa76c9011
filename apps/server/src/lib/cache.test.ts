import { describe, expect, test } from "vitest";

import { notFound } from "./app-error.ts";
import { ANY_CHANGE, cachedOf, type CatalogueChange, KeyedCache } from "./cache.ts";

/** A cache whose time advances only by `pass`. */
function cacheAt(options: { minAgeMs?: number; maxAgeMs?: number; maxEntries?: number; maxBytes?: number } = {}) {
  let now = 1000;
  const cache = new KeyedCache({ elapsed: () => now, minAgeMs: 250, maxAgeMs: 60_000, ...options });
  return { cache, pass: (ms: number) => (now += ms) };
}

/** A change of what these hubs list. */
const listing = (...hubIds: number[]): CatalogueChange => ({ kind: "listing", hubIds, productIds: [] });

/** Loads 1, 2, 3 …, so that every load returns a different value. */
function counter() {
  let loads = 0;
  return async () => (loads += 1);
}

const valueOf = async (cached: Promise<{ value: number }>) => (await cached).value;

describe("cache entry", () => {
  test("loaded once, with the JSON and the ETag of its value", async () => {
    const { cache } = cacheAt();
    const load = counter();
    const first = await cache.get(1, "feed", load);
    expect(first).toMatchObject({ value: 1, json: "1", etag: cachedOf(1).etag });
    expect(await cache.get(1, "feed", load)).toBe(first);
    expect(cachedOf({ a: 1 }).etag).not.toBe(cachedOf({ a: 2 }).etag);
    expect(cachedOf({ a: 1 }).etag).toMatch(/^W\/"[\w-]+"$/);
  });

  test("callers during a load share that load", async () => {
    const { cache } = cacheAt();
    const arrived = Promise.withResolvers<number>();
    let loads = 0;
    const load = () => {
      loads += 1;
      return arrived.promise;
    };
    const all = Promise.all([cache.get(1, "feed", load), cache.get(1, "feed", load), cache.get(1, "feed", load)]);
    arrived.resolve(7);
    expect((await all).map(({ value }) => value)).toEqual([7, 7, 7]);
    expect(loads).toBe(1);
  });

  test("peek returns a fresh entry and loads nothing", async () => {
    const { cache, pass } = cacheAt();
    expect(cache.peek(1, "feed")).toBeUndefined();
    const cached = await cache.get(1, "feed", counter());
    expect(cache.peek(1, "feed")).toBe(cached);
    expect(cache.peek(2, "feed")).toBeUndefined();
    pass(60_000);
    expect(cache.peek(1, "feed")).toBeUndefined();
  });

  test("reloaded after the maximum age, even without a notification", async () => {
    const { cache, pass } = cacheAt();
    const load = counter();
    await cache.get(1, "feed", load);
    pass(59_999);
    expect(await valueOf(cache.get(1, "feed", load))).toBe(1);
    pass(1);
    expect(await valueOf(cache.get(1, "feed", load))).toBe(2);
  });
});

describe("cache notification", () => {
  test("of a hub: entries of that hub and of no single hub become stale", async () => {
    const { cache, pass } = cacheAt();
    const loads = { one: counter(), two: counter(), none: counter() };
    const read = async () => [
      await valueOf(cache.get(1, "feed", loads.one)),
      await valueOf(cache.get(2, "feed", loads.two)),
      await valueOf(cache.get(null, "product", loads.none)),
    ];
    expect(await read()).toEqual([1, 1, 1]);
    pass(1000);
    cache.drop(listing(1));
    expect(await read()).toEqual([2, 1, 2]);
    pass(1000);
    cache.drop(ANY_CHANGE);
    expect(await read()).toEqual([3, 2, 3]);
  });

  test("of a kind: entries that depend on it become stale, in its hubs and where they show its products", async () => {
    const { cache, pass } = cacheAt();
    const shows7 = { dependsOn: ["listing", "price", "review"] as const, productsOf: () => [7] };
    const others = { dependsOn: ["listing", "price", "review"] as const, productsOf: () => [8] };
    const entries = [
      ["hub 1, product 7", 1, shows7],
      ["hub 1, product 8", 1, others],
      ["hub 2, product 7", 2, shows7],
      ["hub 2, product 8", 2, others],
      ["hub 2, vendors of all hubs", 2, { ...others, showsOtherHubs: true }],
      ["no hub, product 7", null, shows7],
      ["no hub, product 8", null, others],
      ["hub 1, members", 1, { dependsOn: ["listing"] as const, productsOf: () => [] }],
      ["hub 1, undeclared", 1, {}],
      ["hub 2, undeclared", 2, {}],
    ] as const;
    const loads = new Map(entries.map(([name]) => [name, counter()]));
    const readAll = () =>
      Promise.all(entries.map(([name, scope, options]) => cache.get<number>(scope, name, loads.get(name)!, options)));
    const reloadedBy = async (change: CatalogueChange) => {
      const before = await readAll();
      pass(1000);
      cache.drop(change);
      const after = await readAll();
      return entries.flatMap(([name], place) => (after[place] === before[place] ? [] : name));
    };
    expect(await reloadedBy({ kind: "listing", hubIds: [1], productIds: [7] })).toEqual([
      "hub 1, product 7",
      "hub 1, product 8",
      "hub 2, product 7",
      "hub 2, vendors of all hubs",
      "no hub, product 7",
      "no hub, product 8",
      "hub 1, members",
      "hub 1, undeclared",
      "hub 2, undeclared",
    ]);
    expect(await reloadedBy({ kind: "price", hubIds: [1], productIds: [] })).toEqual([
      "hub 1, product 7",
      "hub 1, product 8",
      "hub 1, undeclared",
    ]);
    expect(await reloadedBy({ kind: "review", hubIds: [], productIds: [7] })).toEqual([
      "hub 1, product 7",
      "hub 2, product 7",
      "no hub, product 7",
      "hub 1, undeclared",
      "hub 2, undeclared",
    ]);
    expect(await reloadedBy({ kind: "post", hubIds: null, productIds: [] })).toEqual([
      "hub 1, undeclared",
      "hub 2, undeclared",
    ]);
    expect(await reloadedBy(ANY_CHANGE)).toEqual(entries.map(([name]) => name));
  });

  test("many in a row: at most one reload every 250 ms, and the last one is applied", async () => {
    const { cache, pass } = cacheAt();
    const load = counter();
    await cache.get(1, "feed", load);
    for (let ms = 0; ms < 240; ms += 10) {
      cache.drop(listing(1));
      pass(10);
      expect(await valueOf(cache.get(1, "feed", load))).toBe(1);
    }
    pass(10);
    expect(await valueOf(cache.get(1, "feed", load))).toBe(2);
  });

  test("during a load: the entry is reloaded afterwards", async () => {
    const { cache, pass } = cacheAt();
    const old = Promise.withResolvers<number>();
    const first = cache.get(1, "feed", () => old.promise);
    cache.drop(listing(1));
    old.resolve(1);
    expect(await valueOf(first)).toBe(1);
    pass(250);
    expect(await valueOf(cache.get(1, "feed", async () => 2))).toBe(2);
  });

  test("clear deletes all entries", async () => {
    const { cache } = cacheAt();
    const load = counter();
    await cache.get(1, "feed", load);
    cache.clear();
    expect(await valueOf(cache.get(1, "feed", load))).toBe(2);
  });
});

describe("cache after a change of inventory", () => {
  const change = { hubId: 1, productIds: [7], isAvailabilityChanged: false };

  test("entries that show the product become stale, others stay", async () => {
    const { cache, pass } = cacheAt();
    const load = { shows: counter(), other: counter(), undeclared: counter(), hub: counter(), none: counter() };
    const read = async () => [
      await valueOf(cache.get(1, "shows", load.shows, { productsOf: () => [6, 7] })),
      await valueOf(cache.get(1, "other", load.other, { productsOf: () => [8] })),
      await valueOf(cache.get(1, "undeclared", load.undeclared)),
      await valueOf(cache.get(2, "hub", load.hub, { productsOf: () => [7] })),
      await valueOf(cache.get(null, "none", load.none)),
    ];
    await read();
    pass(1000);
    cache.dropInventory(change);
    expect(await read()).toEqual([2, 1, 2, 1, 1]);
  });

  test("entries that choose in stock become stale when a product sells out or comes back", async () => {
    const { cache, pass } = cacheAt();
    const loads = { chose: counter(), other: counter() };
    const read = async () => [
      await valueOf(cache.get(1, "feed", loads.chose, { productsOf: () => [], choosesInStock: () => [6, 7] })),
      await valueOf(cache.get(1, "similar", loads.other, { productsOf: () => [], choosesInStock: () => [8] })),
    ];
    await read();
    pass(1000);
    cache.dropInventory(change);
    expect(await read()).toEqual([1, 1]);
    cache.dropInventory({ ...change, isAvailabilityChanged: true, isRestocked: false });
    expect(await read()).toEqual([2, 1]);
    pass(1000);
    cache.dropInventory({ ...change, isAvailabilityChanged: true, isRestocked: true });
    expect(await read()).toEqual([3, 2]);
    pass(1000);
    // A server of the version before does not say which.
    cache.dropInventory({ ...change, isAvailabilityChanged: true });
    expect(await read()).toEqual([4, 3]);
  });

  test("during a load: the entry is reloaded afterwards", async () => {
    const { cache, pass } = cacheAt();
    const old = Promise.withResolvers<number>();
    const first = cache.get(1, "feed", () => old.promise, { productsOf: () => [8] });
    cache.dropInventory(change);
    old.resolve(1);
    await first;
    pass(250);
    expect(await valueOf(cache.get(1, "feed", async () => 2))).toBe(2);
  });
});

describe("cache entry for another entry", () => {
  test("fresh: not loaded again", async () => {
    const { cache } = cacheAt();
    const load = counter();
    await cache.get(1, "members", load);
    expect(await valueOf(cache.getFresh(1, "members", load))).toBe(1);
  });

  test("stale: loaded at once, not served for 250 ms more", async () => {
    const { cache } = cacheAt();
    const load = counter();
    await cache.get(1, "members", load);
    cache.drop(listing(1));
    expect(await valueOf(cache.getFresh(1, "members", load))).toBe(2);
  });

  test("a load that began before the change is not used", async () => {
    const { cache } = cacheAt();
    const old = Promise.withResolvers<number>();
    void cache.get(1, "members", () => old.promise);
    cache.drop(listing(1));
    const fresh = cache.getFresh(1, "members", async () => 2);
    old.resolve(1);
    expect(await valueOf(fresh)).toBe(2);
  });

  test("a load that began after the change is shared", async () => {
    const { cache } = cacheAt();
    const members = Promise.withResolvers<number>();
    const load = counter();
    const all = [cache.getFresh(1, "members", () => members.promise), cache.getFresh(1, "members", load)];
    members.resolve(7);
    expect(await Promise.all(all.map(valueOf))).toEqual([7, 7]);
  });
});

describe("cache of the hubs, of sessions and of counts", () => {
  test("entries of the hubs become stale by their own notification, not by changes of offers", async () => {
    const { cache } = cacheAt();
    const loads = { hubs: counter(), orders: counter(), feed: counter() };
    const read = async () => [
      await valueOf(cache.getFresh("hubs", "directory", loads.hubs)),
      await valueOf(cache.getFresh("orders", "popularity", loads.orders)),
      await valueOf(cache.getFresh(1, "feed", loads.feed)),
    ];
    expect(await read()).toEqual([1, 1, 1]);
    cache.drop(ANY_CHANGE);
    expect(await read()).toEqual([1, 1, 2]);
    cache.dropHubs();
    expect(await read()).toEqual([2, 1, 2]);
    cache.clear("orders");
    expect(await read()).toEqual([2, 2, 2]);
  });

  test("an entry with its own maximum age is reloaded after it", async () => {
    const { cache, pass } = cacheAt();
    const load = counter();
    const read = () => valueOf(cache.getFresh("orders", "popularity", load, { maxAgeMs: 600_000 }));
    await read();
    pass(599_999);
    expect(await read()).toBe(1);
    pass(1);
    expect(await read()).toBe(2);
  });

  test("a costly entry that is always stale is loaded a fifth of the time", async () => {
    const { cache, pass } = cacheAt();
    let loads = 0;
    const load = async () => {
      pass(100);
      return (loads += 1);
    };
    await cache.getFresh("hubs", "directory", load, { isCostly: true });
    for (let ms = 0; ms < 1000; ms += 10) {
      cache.dropHubs();
      await cache.getFresh("hubs", "directory", load, { isCostly: true });
      pass(10);
    }
    // 100 ms of loading for each 500 ms.
    expect(loads).toBe(4);
  });

  test("entries become stale by their value, and those that are being loaded", async () => {
    const { cache } = cacheAt({ minAgeMs: 0 });
    await cache.getFresh(null, "one", async () => "Ada");
    await cache.getFresh(null, "two", async () => "Bob");
    const loading = Promise.withResolvers<string>();
    const before = cache.getFresh(null, "three", () => loading.promise);
    cache.dropValues<string>((name) => name === "Ada");
    loading.resolve("Ada");
    await before;
    expect(["one", "two", "three"].map((key) => cache.peek<string>(null, key)?.value)).toEqual([
      undefined,
      "Bob",
      undefined,
    ]);
  });

  test("what is derived is made again when one of its sources is another object, and after a failure", async () => {
    const { cache } = cacheAt();
    const make = counter();
    const [hubs, days, otherDays] = [{}, {}, {}];
    const derive = (sources: object[], by: () => Promise<number> = make) => cache.derive("list", sources, by, () => 8);
    expect([await derive([hubs, days]), await derive([hubs, days]), await derive([hubs, otherDays])]).toEqual([
      1, 1, 2,
    ]);
    await expect(derive([hubs], () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    expect(await derive([hubs])).toBe(3);
  });
});

describe("cache without notifications", () => {
  test("entries from before are loaded again, and later ones at least every 250 ms", async () => {
    const { cache, pass } = cacheAt();
    const load = counter();
    await cache.get(1, "feed", load);
    cache.suspend();
    expect(cache.peek(1, "feed")).toBeUndefined();
    expect(await valueOf(cache.get(1, "feed", load))).toBe(2);
    pass(249);
    expect(await valueOf(cache.get(1, "feed", load))).toBe(2);
    expect(await valueOf(cache.getFresh(1, "feed", load))).toBe(3);
    pass(250);
    // Callers wait for the load: nothing says whether the previous value is still true.
    const loading = cache.get(1, "feed", load);
    expect(cache.peek(1, "feed")).toBeUndefined();
    expect(await valueOf(loading)).toBe(4);
    cache.clear();
    expect(await valueOf(cache.get(1, "feed", load))).toBe(5);
    pass(59_999);
    expect(await valueOf(cache.get(1, "feed", load))).toBe(5);
  });

  test("while the database is unavailable the previous value is returned, after another error none", async () => {
    const { cache, pass } = cacheAt();
    const unavailable = Object.assign(new Error("the database is starting"), { code: "57P03" });
    const fail = (reason: Error) => async (): Promise<number> => {
      throw reason;
    };
    await cache.get(1, "feed", async () => 1);
    await expect(cache.getFresh(1, "other", fail(unavailable))).rejects.toThrow("starting");
    cache.suspend();
    expect(await valueOf(cache.get(1, "feed", fail(unavailable)))).toBe(1);
    pass(1000);
    await expect(cache.get(1, "feed", fail(new Error("a fault")))).rejects.toThrow("a fault");
    expect(await valueOf(cache.get(1, "feed", async () => 2))).toBe(2);
    pass(1000);
    cache.suspend();
    expect(await valueOf(cache.getFresh(1, "feed", fail(unavailable)))).toBe(2);
    await expect(cache.get(1, "other", fail(unavailable))).rejects.toThrow("starting");
  });
});

describe("cache eviction", () => {
  test("a failed load rejects its caller, and the next call loads again", async () => {
    const { cache } = cacheAt();
    await expect(cache.get(1, "feed", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    expect(await valueOf(cache.get(1, "feed", async () => 5))).toBe(5);
  });

  test("an entry whose reload is 404 is deleted", async () => {
    const { cache, pass } = cacheAt();
    await cache.get(1, "product", async () => 1);
    pass(1000);
    cache.drop(listing(1));
    await expect(cache.get(1, "product", () => Promise.reject(notFound()))).rejects.toThrow("Not found");
    expect(cache.peek(1, "product")).toBeUndefined();
  });

  test("made-up URLs evict no entry", async () => {
    const { cache } = cacheAt({ maxEntries: 3 });
    const real = await cache.get(1, "real", async () => 1);
    for (let n = 0; n < 50; n += 1) {
      await expect(cache.get(1, `unknown-${n}`, () => Promise.reject(notFound()))).rejects.toThrow("Not found");
      await cache.get(1, `empty-${n}`, async () => 0, { isCacheable: (value) => value > 0 });
    }
    expect(cache.peek(1, "real")).toBe(real);
  });

  test("the least recently used entry is evicted first", async () => {
    const { cache } = cacheAt({ maxEntries: 2 });
    await cache.get(1, "a", async () => 1);
    await cache.get(1, "b", async () => 2);
    cache.peek(1, "a");
    await cache.get(1, "c", async () => 3);
    expect(["a", "b", "c"].map((key) => cache.peek<number>(1, key)?.value)).toEqual([1, undefined, 3]);
  });

  test("100,000 distinct searches stay within the bytes; a page that is read between them stays", async () => {
    const { cache } = cacheAt({ maxBytes: 100_000 });
    const real = await cache.get(1, "page", async () => "p".repeat(2_000));
    for (let n = 0; n < 100_000; n += 1) {
      await cache.get(1, `search:${n}`, async () => `${n}`.padEnd(2_000));
      if (n % 5 === 0) cache.peek(1, "page");
    }
    expect(cache.peek(1, "page")).toBe(real);
    // Four bytes a character: 12 of them fit.
    const kept = Array.from({ length: 100_000 }, (_, n) => cache.peek(1, `search:${n}`)).filter(Boolean);
    expect(kept).toHaveLength(11);
    await cache.get(1, "too large", async () => "x".repeat(50_000));
    expect(cache.peek(1, "too large")).toBeUndefined();
  });
});
