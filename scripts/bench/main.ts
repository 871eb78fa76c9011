import { parseArgs } from "node:util";

import { buildWeb } from "../lib/web-build.ts";
import { benchAdmin } from "./admin.ts";
import { benchAutoCheckout } from "./auto-checkout.ts";
import { type ChildServer, startChild } from "./child.ts";
import { benchClient } from "./client.ts";
import { benchEvents } from "./events.ts";
import { benchFloor } from "./floor/bench.ts";
import { benchImport } from "./import.ts";
import { type BenchMarket, openBenchMarket } from "./market.ts";
import { benchMemory } from "./memory.ts";
import { benchOrders } from "./orders.ts";
import { benchPages } from "./pages.ts";
import { benchPlaces } from "./places.ts";
import { benchReads } from "./reads.ts";
import { benchSearch } from "./search.ts";
import { benchSheets } from "./sheets.ts";
import { benchSizes } from "./sizes.ts";
import { benchStatements } from "./statements.ts";
import { type Row, table } from "./table.ts";
import { benchWebhooks } from "./webhooks.ts";
import { benchWhileOrdering } from "./while-ordering.ts";

/** Runs a benchmark with a separate server, so that none starts with the memory of another. */
const withServer =
  (bench: (server: ChildServer) => Promise<Row[]>) =>
  async ({ env }: BenchMarket): Promise<Row[]> => {
    const server = await startChild("child-main.ts", env);
    try {
      return await bench(server);
    } finally {
      await server.stop();
    }
  };

/**
 * `pnpm bench [--json] [name …]`: measurements in bytes, counts and ratios. Nothing fails because a machine is slow. With `--json`, the
 * rows are the only output.
 */
const benches: Record<string, (market: BenchMarket) => Promise<Row[]> | Row[]> = {
  reads: withServer((server) => benchReads(server.address)),
  places: () => benchPlaces(),
  client: (market) => benchClient(market),
  statements: (market) => benchStatements(market),
  memory: withServer((server) => benchMemory(server)),
  pages: withServer((server) => benchPages(server.address)),
  search: (market) => benchSearch(market),
  floor: (market) => benchFloor(market),
  sizes: (market) => benchSizes(market),
  "while-ordering": (market) => benchWhileOrdering(market),
  orders: (market) => benchOrders(market),
  "auto-checkout": (market) => benchAutoCheckout(market),
  webhooks: (market) => benchWebhooks(market),
  sheets: (market) => benchSheets(market),
  import: (market) => benchImport(market),
  admin: (market) => benchAdmin(market),
  events: (market) => benchEvents(market),
};

const {
  values: { json },
  positionals: requested,
} = parseArgs({ allowPositionals: true, options: { json: { type: "boolean", default: false } } });
const unknown = requested.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`There is no benchmark called ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}.`);
  process.exit(1);
}

const print = (line: string) => (json ? undefined : console.log(line));
const names = requested.length > 0 ? requested : Object.keys(benches);
if (names.some((name) => ["pages", "memory", "floor", "admin"].includes(name))) await buildWeb(print);
const market = await openBenchMarket();
const rows: (Row & { bench: string })[] = [];
try {
  for (const name of names) {
    try {
      const result = (await benches[name]?.(market)) ?? [];
      print(table(result));
      rows.push(...result.map((row) => ({ bench: name, ...row })));
    } catch (error) {
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  }
} finally {
  await market.stop();
}
if (json) console.log(JSON.stringify(rows, null, 2));
print(`${rows.filter(({ good }) => good).length} of ${rows.length} within their limits`);
