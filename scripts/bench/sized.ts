import { createDb, execute, raw, sql } from "@marketday/db";
import { migrate } from "@marketday/db/migrate";

import { fillCatalogue, type Size } from "./catalogue.ts";
import type { BenchMarket } from "./market.ts";

const urlsByMarket = new WeakMap<BenchMarket, Map<string, Promise<string>>>();

/** Opens a market of a size in a separate database, which the benchmarks of a run share. @returns the URL of the database */
export function openSized(market: BenchMarket, size: Size): Promise<string> {
  const name = `bench_${size.vendors}_${size.products}`;
  const urls = urlsByMarket.get(market) ?? new Map<string, Promise<string>>();
  urlsByMarket.set(market, urls);
  const url = urls.get(name) ?? createSized(market, size, name);
  urls.set(name, url);
  return url;
}

async function createSized(market: BenchMarket, size: Size, name: string): Promise<string> {
  const admin = createDb({ url: market.databaseUrl });
  await execute(admin, sql`create database ${raw(name)}`);
  await admin.close();
  const url = new URL(market.databaseUrl);
  url.pathname = `/${name}`;
  await migrate({ url: url.href });
  const db = createDb({ url: url.href, statementTimeoutMs: 900_000 });
  await fillCatalogue(db, size, new Date());
  await db.close();
  return url.href;
}
