import { createDb, type Db } from "@marketday/db";
import { findProducts } from "@marketday/server/modules/products/store";
import { findMatches, findSuggestions } from "@marketday/server/modules/search/store";

import { startChild } from "./child.ts";
import type { BenchMarket } from "./market.ts";
import { openSized } from "./sized.ts";
import type { Row } from "./table.ts";
import { visit } from "./visit.ts";

const size = { vendors: 400, products: 10_000 };
const hubId = 1;
const rounds = 60;

/** What is typed, and why. */
const typed = {
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

/** Both sides in turn, the best of each: what else runs on the machine only adds. Milliseconds. */
async function compare(
  ours: () => Promise<unknown>,
  bare: () => Promise<unknown>,
): Promise<{ ours: number; bare: number }> {
  let [mine, least] = [Infinity, Infinity];
  for (let round = 0; round < rounds; round += 1) {
    least = Math.min(least, await timed(bare));
    mine = Math.min(mine, await timed(ours));
  }
  return { ours: mine, bare: least };
}

const barePage = async (db: Db, text: string) => {
  const { product_ids: ids } = await findMatches(db, hubId, text, { rows: 18, offset: 0 });
  return findProducts(db, hubId, { ids });
};

/** Search and auto-complete over HTTP against the bare SQL of the same page, with 10,000 products and 400 vendors in one hub. */
export async function benchSearch(market: BenchMarket): Promise<Row[]> {
  const url = await openSized(market, size);
  const server = await startChild("server-child.ts", { ...market.env, DATABASE_URL: url });
  const db = createDb({ url });
  try {
    const { cookie } = await visit(server.address);
    const ask = async (path: string) => {
      const answer = await fetch(server.address + path, { headers: { cookie } });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      return answer.json();
    };
    const rows: Row[] = [];
    const row = (what: string, { ours, bare }: { ours: number; bare: number }) =>
      rows.push({
        what,
        value: `${(ours / bare).toFixed(2)} × the bare SQL (${ours.toFixed(1)} ms)`,
        wanted: "≤ 4 ×",
        good: ours / bare <= 4,
      });
    for (const [why, text] of Object.entries(typed)) {
      const q = encodeURIComponent(text);
      row(
        `search, ${why}`,
        await compare(
          () => ask(`/api/search/new/query/${q}`),
          () => barePage(db, text),
        ),
      );
      row(
        `auto-complete, ${why}`,
        await compare(
          () => ask(`/api/search/new/auto-complete/${q}`),
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
