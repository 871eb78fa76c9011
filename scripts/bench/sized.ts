import { createDb, execute, raw, sql } from "@marketday/db";
import { migrate } from "@marketday/db/migrate";

import { fillCatalogue, type Size } from "./catalogue.ts";
import type { BenchMarket } from "./market.ts";

const made = new WeakMap<BenchMarket, Map<string, Promise<string>>>();

/** Another market beside the demo's, in a database of its own; benches of one run share those of a size. @returns where it is */
export function openSized(market: BenchMarket, size: Size): Promise<string> {
  const name = `bench_${size.vendors}_${size.products}`;
  const here = made.get(market) ?? new Map<string, Promise<string>>();
  made.set(market, here);
  const url = here.get(name) ?? makeSized(market, size, name);
  here.set(name, url);
  return url;
}

async function makeSized(market: BenchMarket, size: Size, name: string): Promise<string> {
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
