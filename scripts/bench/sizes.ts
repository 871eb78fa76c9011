import autocannon from "autocannon";

import { type ChildServer, startChild } from "./child.ts";
import type { BenchMarket } from "./market.ts";
import { openSized } from "./sized.ts";
import type { Row } from "./table.ts";
import { visit } from "./visit.ts";

const sizes = [1_000, 10_000, 100_000];
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
  server: ChildServer;
  cookie: string;
  paths: Record<"feed" | "collection page", string>;
}

/** The speed of the feed and of a collection page as the hub's catalogue grows from 1,000 to 100,000 products. */
export async function benchSizes(market: BenchMarket): Promise<Row[]> {
  const markets: Sized[] = [];
  try {
    for (const products of sizes) {
      const url = await openSized(market, { vendors: Math.min(400, products / 25), products });
      const server = await startChild("server-child.ts", { ...market.env, DATABASE_URL: url });
      const { cookie, feed, collection } = await visit(server.address);
      markets.push({ products, server, cookie, paths: { feed, "collection page": collection } });
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
    return rows;
  } finally {
    for (const { server } of markets) await server.stop();
  }
}
