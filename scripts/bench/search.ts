import { createDb, type Db } from "@marketday/db";
import { findProducts } from "@marketday/server/modules/products/product-sql";
import { findMatches, findSuggestions } from "@marketday/server/modules/search/search-sql";

import { startChild } from "./child.ts";
import type { BenchMarket } from "./market.ts";
import { openSized } from "./sized.ts";
import type { Row } from "./table.ts";
import { visit } from "./visit.ts";

const size = { vendors: 400, products: 10_000 };
const hubId = 1;
const rounds = 60;

/** Search terms by the case they stand for. */
const terms = {
  word: "tomatoes",
  "a typing error": "strawbery",
  "two words, one wrong": "smoked chedar",
  beginning: "pump",
};

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds: alternating rounds, the best of each, because other processes only make a round slower. */
async function compare(
  server: () => Promise<unknown>,
  bare: () => Promise<unknown>,
): Promise<{ serverMs: number; bareMs: number }> {
  let [serverMs, bareMs] = [Infinity, Infinity];
  for (let round = 0; round < rounds; round += 1) {
    bareMs = Math.min(bareMs, await timed(bare));
    serverMs = Math.min(serverMs, await timed(server));
  }
  return { serverMs, bareMs };
}

const barePage = async (db: Db, text: string) => {
  const { product_ids: ids } = await findMatches(db, hubId, text, { rows: 18, offset: 0 });
  return findProducts(db, hubId, { ids });
};

/** Search and auto-complete over HTTP compared with the bare SQL of the same page; 10,000 products and 400 vendors in one hub. */
export async function benchSearch(market: BenchMarket): Promise<Row[]> {
  const url = await openSized(market, size);
  const server = await startChild("child-main.ts", { ...market.env, DATABASE_URL: url });
  const db = createDb({ url });
  try {
    const { cookie } = await visit(server.address);
    const get = async (path: string) => {
      const response = await fetch(server.address + path, { headers: { cookie } });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      return response.json();
    };
    const rows: Row[] = [];
    const row = (what: string, { serverMs, bareMs }: Awaited<ReturnType<typeof compare>>) =>
      rows.push({
        what,
        value: `${(serverMs / bareMs).toFixed(2)} × the bare SQL (${serverMs.toFixed(1)} ms)`,
        wanted: "≤ 4 ×",
        good: serverMs / bareMs <= 4,
      });
    for (const [name, text] of Object.entries(terms)) {
      const q = encodeURIComponent(text);
      row(
        `search, ${name}`,
        await compare(
          () => get(`/api/search/new/query/${q}`),
          () => barePage(db, text),
        ),
      );
      row(
        `auto-complete, ${name}`,
        await compare(
          () => get(`/api/search/new/auto-complete/${q}`),
          () => findSuggestions(db, hubId, text, 8),
        ),
      );
    }
    return rows;
  } finally {
    await db.close();
    await server.stop();
  }
}
