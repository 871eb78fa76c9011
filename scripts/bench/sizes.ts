import { setTimeout as delay } from "node:timers/promises";

import { createDb, execute, sql } from "@marketday/db";
import autocannon from "autocannon";

import { RARE_WORD } from "./catalogue.ts";
import { type ChildServer, startChild } from "./child.ts";
import type { BenchMarket } from "./market.ts";
import { openSized } from "./sized.ts";
import type { Row } from "./table.ts";
import { visit } from "./visit.ts";

const sizes = (process.env["BENCH_PRODUCTS"] ?? "1000,10000,100000").split(",").map(Number);
const rounds = 12;

/** Requests per second. */
async function load(url: string, cookie: string): Promise<number> {
  const { requests, duration, errors, non2xx } = await autocannon({
    url,
    headers: { cookie, "accept-encoding": "br" },
    connections: 20,
    duration: 1,
  });
  if (errors > 0 || non2xx > 0) throw new Error(`${url}: ${errors} errors, ${non2xx} bad responses`);
  return requests.total / duration;
}

interface Sized {
  products: number;
  url: string;
  server: ChildServer;
  cookie: string;
  paths: Record<"feed" | "collection page", string>;
}

/** Longer than a stale entry may be served, and than a notification takes. */
const STALE_AFTER_MS = 500;

/** Milliseconds of readings that find nothing cached, in the order of the readings. */
async function firstReadings({ url, server, cookie }: Sized): Promise<Record<string, number[]>> {
  const db = createDb({ url });
  const read = async (path: string): Promise<number> => {
    const start = performance.now();
    const response = await fetch(server.address + path, { headers: { cookie } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return performance.now() - start;
  };
  const readings: Record<string, number[]> = { "collection page": [], search: [], feed: [], "list of collections": [] };
  try {
    for (let round = 1; round <= rounds; round += 1) {
      // Everything that is cached of the hub becomes stale.
      await execute(db, sql`update hub set name = name`);
      await delay(STALE_AFTER_MS);
      // The session and the hubs are read again too, and not as a part of what is measured.
      await read("/api/hubs");
      readings["collection page"]!.push(await read(`/api/collections/${round}/products?page=1&perPage=18`));
      readings["search"]!.push(await read(`/api/search/new/query/${RARE_WORD}?page=${round}&perPage=18`));
      readings["feed"]!.push(await read("/api/feed"));
      readings["list of collections"]!.push(await read("/api/collections"));
    }
  } finally {
    await db.close();
  }
  return readings;
}

/** Milliseconds wanted of a first reading at the largest size. */
const wantedMs: Record<string, number> = { "collection page": 5, search: 4 };

async function firstRows(markets: readonly Sized[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const market of markets)
    for (const [name, ms] of Object.entries(await firstReadings(market))) {
      const sorted = ms.toSorted((a, b) => a - b);
      const [best, median] = [sorted[0]!, sorted[sorted.length >> 1]!];
      const wanted = market.products === sizes.at(-1) ? wantedMs[name] : undefined;
      rows.push({
        what: `first reading of ${name} at ${market.products.toLocaleString("en")} products`,
        value: `${median.toFixed(1)} ms, best ${best.toFixed(1)} ms`,
        wanted: wanted ? `≤ ${wanted} ms` : "",
        good: !wanted || median <= wanted,
      });
    }
  return rows;
}

/** The speed of the feed and of a collection page as the hub's catalogue grows from 1,000 to 100,000 products: cached, and read for the first time. */
export async function benchSizes(market: BenchMarket): Promise<Row[]> {
  const markets: Sized[] = [];
  try {
    for (const products of sizes) {
      const url = await openSized(market, { vendors: Math.min(400, products / 25), products });
      const server = await startChild("child-main.ts", { ...market.env, DATABASE_URL: url });
      const { cookie, feed, collection } = await visit(server.address);
      markets.push({ products, url, server, cookie, paths: { feed, "collection page": collection } });
    }
    const rows: Row[] = [];
    for (const name of ["feed", "collection page"] as const) {
      const best = new Map<number, number>();
      // Alternating rounds, the best of each, because other processes only make a round slower.
      for (let round = 0; round < rounds; round += 1)
        for (const { products, server, cookie, paths } of markets)
          best.set(products, Math.max(best.get(products) ?? 0, await load(server.address + paths[name], cookie)));
      const rates = [...best.values()];
      const apart = Math.max(...rates) / Math.min(...rates);
      rows.push({
        what: `GET ${name} at ${sizes.map((products) => products.toLocaleString("en")).join(", ")} products`,
        value: `${rates.map((rate) => Math.round(rate)).join(", ")} requests/s, ${apart.toFixed(2)} × apart`,
        wanted: "< 1.5 ×",
        good: apart < 1.5,
      });
    }
    return [...rows, ...(await firstRows(markets))];
  } finally {
    for (const { server } of markets) await server.stop();
  }
}
