import { buildWeb } from "../lib/web-build.ts";
import { benchAutoCheckout } from "./auto-checkout.ts";
import { type ChildServer, startChild } from "./child.ts";
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

/** `pnpm bench [name …]`: measurements in bytes, counts and ratios. Nothing fails because a machine is slow. */
const benches: Record<string, (market: BenchMarket, server: ChildServer) => Promise<Row[]> | Row[]> = {
  reads: (_market, server) => benchReads(server.address),
  places: () => benchPlaces(),
  statements: (market) => benchStatements(market),
  memory: (_market, server) => benchMemory(server),
  pages: (_market, server) => benchPages(server.address),
  search: (market) => benchSearch(market),
  floor: (market) => benchFloor(market),
  sizes: (market) => benchSizes(market),
  "while-ordering": (market) => benchWhileOrdering(market),
  orders: (market) => benchOrders(market),
  "auto-checkout": (market) => benchAutoCheckout(market),
  webhooks: (market) => benchWebhooks(market),
  sheets: (market) => benchSheets(market),
  import: (market) => benchImport(market),
};

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`There is no benchmark called ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}.`);
  process.exit(1);
}

const names = requested.length > 0 ? requested : Object.keys(benches);
if (names.includes("pages") || names.includes("memory")) await buildWeb((line) => console.log(line));
const market = await openBenchMarket();
const rows: Row[] = [];
try {
  for (const name of names) {
    // A separate server for each, so that none starts with the memory of another.
    const server = await startChild("server-child.ts", market.env);
    try {
      const result = (await benches[name]?.(market, server)) ?? [];
      console.log(table(result));
      rows.push(...result);
    } catch (error) {
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    } finally {
      await server.stop();
    }
  }
} finally {
  await market.stop();
}
console.log(`${rows.filter(({ good }) => good).length} of ${rows.length} within their limits`);
