import { createDb, type Db } from "@marketday/db";
import autocannon, { type Request } from "autocannon";

import { type ChildServer, startChild } from "../child.ts";
import type { BenchMarket } from "../market.ts";
import { openSized } from "../sized.ts";
import type { Row } from "../table.ts";
import { fillFloor } from "./fill.ts";
import { findSold, placeOrder, putRequest, type Side, type Sold } from "./orders.ts";
import { addBrowsers, type Browser, fromNewAddress, PRODUCTION } from "./shoppers.ts";

const SIZE = { vendors: 100, products: Number(process.env["BENCH_PRODUCTS"] ?? 2_000) };
const CONNECTIONS = 32;
const BUYERS = 8;
const ROUNDS = 3;
const SECONDS = 2;
/** Guests of a round who add to their cart, each once: more than a server serves in that time. */
const ADDERS = 10_000 * SECONDS;

/** Requests of one connection, by side. */
type Flow = (connection: number, side: Side, round: number) => Request[];
interface Servers {
  market: ChildServer;
  floor: ChildServer;
}

/** Requests per second. Each connection repeats its own requests. */
async function load(address: string, requestsOf: (connection: number) => Request[]): Promise<number> {
  let connection = 0;
  const result = await autocannon({
    url: address,
    connections: CONNECTIONS,
    duration: SECONDS,
    setupClient: (client) => client.setRequests(requestsOf(connection++)),
  });
  if (result.errors > 0 || result.non2xx > 0)
    throw new Error(`${address}: ${result.errors} errors, ${result.non2xx} bad responses`);
  return result.requests.total / result.duration;
}

/** Alternating rounds, the best of each, because other processes only make a round slower. */
async function compare(
  measure: (side: Side, round: number) => Promise<number>,
): Promise<{ market: number; floor: number }> {
  const best = { market: 0, floor: 0 };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const side of ["floor", "market"] as const) best[side] = Math.max(best[side], await measure(side, round));
  return best;
}

/** Every `CONNECTIONS`th of a list. */
const slice = <T>(list: readonly T[], connection: number) => list.filter((_, n) => n % CONNECTIONS === connection);
/** Fills the carts of both sides with five lines. */
async function fillCarts(servers: Servers, browsers: readonly Browser[], sold: readonly Sold[]): Promise<void> {
  for (const [n, browser] of browsers.entries())
    for (const side of ["market", "floor"] as const)
      for (let line = 0; line < 5; line += 1) {
        const { path, ...request } = putRequest(side, browser, sold[(n * 5 + line) % sold.length]!);
        const response = await fetch(servers[side].address + path, request);
        if (!response.ok) throw new Error(`PUT ${path}: ${response.status} ${await response.text()}`);
      }
}

const words = (sold: readonly Sold[]) => [...new Set(sold.flatMap(({ title }) => title.split(" ").slice(0, 3)))];

/** The three words of each title and its number in every order, so that few texts come twice and each has a match. */
function* newTexts(sold: readonly Sold[]): Generator<string> {
  const orders = [0, 1, 2, 3].flatMap((a) =>
    [0, 1, 2, 3].flatMap((b) =>
      [0, 1, 2, 3].map((c) => [a, b, c, 6 - a - b - c]).filter((places) => new Set(places).size === 4),
    ),
  );
  for (let n = 0; ; n += 1) {
    const parts = sold[n % sold.length]!.title.split(" ");
    yield orders[Math.floor(n / sold.length) % orders.length]!.map((place) => parts[place]).join(" ");
  }
}

/** Adds a guest from a new address, who puts one unit into the cart: two requests. The second one has the first one's cookie. */
const arrival = (side: Side, product: Sold): Request[] => {
  const put = putRequest(side, { market: {}, floor: {} }, product);
  return [
    {
      method: "POST",
      path: side === "market" ? "/api/auth/guest?zipCode=60614" : "/session",
      setupRequest: (request, context) => {
        context["headers"] = fromNewAddress();
        return { ...request, headers: context["headers"] };
      },
      onResponse: (_status, _body, context, headers) => {
        const cookies = [headers["set-cookie"] ?? []].flat().map((cookie) => cookie.split(";", 1)[0]);
        context["headers"] = { ...context["headers"], cookie: cookies.join("; ") };
      },
    },
    {
      ...put,
      setupRequest: (request, context) => ({ ...request, headers: { ...put.headers, ...context["headers"] } }),
    },
  ];
};

/** Whole orders per second of `BUYERS` at a time. */
async function ordersPerSecond(
  { address }: ChildServer,
  side: Side,
  buyers: Browser[],
  sold: readonly Sold[],
): Promise<number> {
  const started = performance.now();
  let placed = 0;
  await Promise.all(
    Array.from({ length: BUYERS }, async (_, n) => {
      while (performance.now() - started < SECONDS * 1000) {
        const browser = buyers.pop();
        if (!browser) throw new Error("There are too few buyers for this machine.");
        await placeOrder(
          { address, side, browser },
          [0, 7, 14].map((line) => sold[(placed * 3 + n + line) % sold.length]!),
        );
        placed += 1;
      }
    }),
  );
  return (placed * 1000) / (performance.now() - started);
}

async function open(db: Db) {
  const sold = await findSold(db);
  const [guests, adders, buyers] = [
    await addBrowsers(db, "guest", 64),
    await addBrowsers(db, "guest", ROUNDS * ADDERS),
    await addBrowsers(db, "customer", 6_000),
  ];
  const shoppers = await addBrowsers(db, "customer", 64);
  const newcomers = await addBrowsers(db, "guest", 64);
  await fillFloor(db);
  return { sold, guests, newcomers, adders, buyers, shoppers };
}

/**
 * Requests per second beside the floor server in the same run (docs/performance.md): one process each, the same Postgres, 32
 * connections, orders by 8 buyers; the market as in production, with its rate limits and jobs.
 */
export async function benchFloor(market: BenchMarket): Promise<Row[]> {
  const url = await openSized(market, SIZE);
  // Filling sixty thousand shoppers takes longer than a statement of production may.
  const db = createDb({ url, statementTimeoutMs: 300_000 });
  const { sold, guests, newcomers, adders, buyers, shoppers } = await open(db);
  const env = { ...market.env, ...PRODUCTION, DATABASE_URL: url };
  const servers: Servers = {
    market: await startChild("child-main.ts", env),
    floor: await startChild("floor/server-child.ts", { DATABASE_URL: url }),
  };
  try {
    await fillCarts(servers, [...guests, ...shoppers], sold);
    const rows: Row[] = [];
    const row = (what: string, { market: ours, floor }: Record<Side, number>, wanted: number) => {
      const ratio = ours / floor;
      const value = `${ratio.toFixed(2)} of the floor (${Math.round(ours)} : ${Math.round(floor)} a second)`;
      rows.push({ what, value, wanted: `≥ ${wanted}`, good: ratio >= wanted });
    };
    const only = new RegExp(process.env["BENCH_ONLY"] ?? "");
    const measure = async (what: string, flow: Flow, wanted: number, requests = 1) => {
      const rate = async (side: Side, round: number) =>
        (await load(servers[side].address, (connection) => flow(connection, side, round))) / requests;
      if (only.test(what)) row(what, await compare(rate), wanted);
    };
    /** A page has no counterpart on the floor server. */
    const pageRow = async (what: string, flow: Flow) => {
      if (!only.test(what)) return;
      const { address } = servers.market;
      let best = 0;
      for (let round = 0; round < ROUNDS; round += 1)
        best = Math.max(best, await load(address, (connection) => flow(connection, "market", round)));
      rows.push({ what, value: `${Math.round(best)} a second`, wanted: "≥ 5,000", good: best >= 5_000 });
    };
    const get = (side: Side, browser: Browser, ours: string, floor: string): Request => ({
      method: "GET",
      path: side === "market" ? ours : floor,
      headers: browser[side],
    });
    const reads = (browsers: Browser[], path: (n: number) => [ours: string, floor: string]): Flow => {
      return (connection, side) =>
        slice(browsers, connection).flatMap((browser, k) =>
          Array.from({ length: 10 }, (_, n) => get(side, browser, ...path(connection + 32 * k + n))),
        );
    };
    const list = (n: number): [string, string] => [
      `/api/collections/${1 + (n % 20)}/products?page=1&perPage=18`,
      `/collections/${1 + (n % 20)}/1`,
    ];
    const detail = (n: number): [string, string] => {
      const id = sold[n % 50]!.product;
      return [`/api/products/${id}`, `/products/${id}`];
    };
    const texts = words(sold);
    const search = (text: string): [string, string] => {
      const q = encodeURIComponent(text);
      return [`/api/search/new/query/${q}?page=1&perPage=18`, `/search/${q}`];
    };
    const newText = newTexts(sold);
    await measure("list, guest", reads(guests, list), 2);
    await measure("product, guest", reads(guests, detail), 1);
    await measure("list, signed in", reads(shoppers, list), 1);
    await measure("product, signed in", reads(shoppers, detail), 1);
    await measure(
      "search, words searched before",
      reads(guests, (n) => search(texts[n % texts.length]!)),
      2,
    );
    const unseen: Flow = (connection, side) =>
      Array.from({ length: 2_000 }, () => get(side, guests[connection]!, ...search(newText.next().value as string)));
    await measure("search, every text new", unseen, 0.6);
    await measure(
      "cart of 5, guest",
      reads(guests, () => ["/api/cart", "/cart"]),
      0.5,
    );
    await measure(
      "cart of 5, signed in",
      reads(shoppers, () => ["/api/cart", "/cart"]),
      0.5,
    );
    const add: Flow = (connection, side, round) =>
      slice(adders.slice(round * ADDERS, (round + 1) * ADDERS), connection).map((browser, n) =>
        putRequest(side, browser, sold[(connection + n * 3) % sold.length]!),
      );
    await measure("add to cart, with the cart in the answer", add, 0.35);
    const come: Flow = (connection, side) => arrival(side, sold[connection]!);
    await measure("new guest and first item", come, 0.2, 2);
    const page =
      (browsers: Browser[]): Flow =>
      (connection, side) =>
        slice(browsers, connection).map((browser) => ({
          method: "GET",
          path: "/shop",
          headers: { ...browser[side], "accept-encoding": "br" },
        }));
    await pageRow("HTML of /shop, guest with a cart of 5", page(guests));
    await pageRow("HTML of /shop, guest without a cart", page(newcomers));
    const placing = async (side: Side) => ordersPerSecond(servers[side], side, buyers, sold);
    if (only.test("orders")) row("whole orders, 8 buyers", await compare(placing), 0.4);
    const memory = await servers.market.memory();
    rows.push({
      what: "memory afterwards",
      value: `${Math.round(memory / 2 ** 20)} MiB`,
      wanted: "≤ 300 MiB",
      good: memory <= 300 * 2 ** 20,
    });
    return rows;
  } finally {
    await servers.market.stop();
    await servers.floor.stop();
    await db.close();
  }
}
