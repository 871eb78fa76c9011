import { createDb } from "@marketday/db";
import autocannon from "autocannon";

import { type ChildServer, startChild } from "./child.ts";
import { findScarce, findSold, placeOrder, type Sold } from "./floor/orders.ts";
import { addBrowsers, type Browser, PRODUCTION } from "./floor/shoppers.ts";
import type { BenchMarket } from "./market.ts";
import { openSized } from "./sized.ts";
import type { Row } from "./table.ts";

const SIZES = (process.env["BENCH_PRODUCTS"] ?? "1000,10000,100000").split(",").map(Number);
const ORDERS_PER_SECOND = Number(process.env["BENCH_ORDERS"] ?? 20);
const CONNECTIONS = 32;
const SECONDS = 4;
const GUESTS = 64;

interface Load {
  /** Requests per second. */
  rate: number;
  /** ms */
  p99: number;
}

async function load(address: string, guests: readonly Browser[], paths: readonly string[]): Promise<Load> {
  let connection = 0;
  const { requests, duration, errors, non2xx, latency } = await autocannon({
    url: address,
    connections: CONNECTIONS,
    duration: SECONDS,
    setupClient: (client) => {
      const first = connection++;
      client.setRequests(
        paths.map((_, n) => ({
          method: "GET",
          path: paths[(first + n) % paths.length]!,
          headers: guests[(first + n) % guests.length]!.market,
        })),
      );
    },
  });
  if (errors > 0 || non2xx > 0) throw new Error(`${paths[0]}: ${errors} errors, ${non2xx} bad responses`);
  return { rate: requests.total / duration, p99: latency.p99 };
}

/**
 * Orders at a fixed rate until it is stopped, whether or not earlier ones are finished. Each has one of the scarce products, while
 * there are some, so that every second order sells something out.
 * @returns stop, with the orders placed
 */
function keepOrdering(
  server: ChildServer,
  buyers: Browser[],
  sold: readonly Sold[],
  scarce: Sold[],
): () => Promise<number> {
  const running = new Set<Promise<void>>();
  let placed = 0;
  let failed: unknown;
  const timer = setInterval(() => {
    const browser = buyers.pop();
    if (!browser) throw new Error("There are too few buyers.");
    const n = buyers.length;
    const [first, second, third] = [0, 7, 14].map((line) => sold[(n * 3 + line) % sold.length]!);
    const products = [first!, second!, scarce.shift() ?? third!];
    const order: Promise<void> = placeOrder({ address: server.address, side: "market", browser }, products)
      .then(() => void (placed += 1))
      .catch((error: unknown) => void (failed = error))
      .finally(() => running.delete(order));
    running.add(order);
  }, 1000 / ORDERS_PER_SECOND);
  return async () => {
    clearInterval(timer);
    const done = placed;
    await Promise.all(running);
    if (failed) throw failed;
    return done;
  };
}

/**
 * Public reads of guests alone and while others order, as the hub's catalogue grows from 1,000 to 100,000 products: an order must
 * not empty the hub's cache. Client, server and database share the machine, so the orders' own work is part of the ratio.
 */
export async function benchWhileOrdering(market: BenchMarket): Promise<Row[]> {
  const rows: Row[] = [];
  for (const products of SIZES) {
    const url = await openSized(market, { vendors: Math.min(400, products / 25), products });
    const db = createDb({ url });
    const [sold, scarce] = [await findSold(db), await findScarce(db)];
    const guests = await addBrowsers(db, "guest", GUESTS);
    const buyers = await addBrowsers(db, "customer", ORDERS_PER_SECOND * SECONDS * 12);
    await db.close();
    const server = await startChild("child-main.ts", { ...market.env, ...PRODUCTION, DATABASE_URL: url });
    try {
      const pathsByName: Record<string, string[]> = {
        "lists of 18": Array.from({ length: 20 }, (_, n) => `/api/collections/${1 + n}/products?page=1&perPage=18`),
        products: sold.slice(0, 50).map(({ product }) => `/api/products/${product}`),
        feed: ["/api/feed"],
        search: [...new Set(sold.flatMap(({ title }) => title.split(" ").slice(0, 3)))].map(
          (word) => `/api/search/new/query/${word}?page=1&perPage=18`,
        ),
      };
      for (const [name, paths] of Object.entries(pathsByName)) {
        await load(server.address, guests, paths);
        const alone = await load(server.address, guests, paths);
        const stop = keepOrdering(server, buyers, sold, scarce);
        const beside = await load(server.address, guests, paths);
        const placed = await stop();
        const kept = beside.rate / alone.rate;
        rows.push({
          what: `${name} at ${products.toLocaleString("en")} products, while others order`,
          value: `${kept.toFixed(2)} of ${Math.round(alone.rate)} a second, p99 ${alone.p99} → ${beside.p99} ms, ${(placed / SECONDS).toFixed(0)} orders/s`,
          wanted: "≥ 0.7, p99 ≤ 5 ×",
          good: kept >= 0.7 && beside.p99 <= 5 * Math.max(1, alone.p99),
        });
      }
    } finally {
      await server.stop();
    }
  }
  return rows;
}
