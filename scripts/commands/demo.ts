import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { createDb } from "@marketday/db";
import { type Env, loadEnv } from "@marketday/server/env";
import { marketUrl } from "@marketday/server/lib/market-url";
import type { Command } from "commander";

import type { DemoShopper } from "../demo/data/people.ts";
import { command } from "../lib/cli/command.ts";
import type { Output } from "../lib/cli/output.ts";
import { openDatabase } from "../lib/database.ts";
import { applicationName, stoppable } from "../lib/market-deps.ts";

async function fill(env: Env, now: Date, out: Output, signal: AbortSignal): Promise<readonly DemoShopper[]> {
  // Loaded here because the demo's data is large and no other command needs it.
  const { fillDemo } = await import("../demo/fill.ts");
  const database = await openDatabase(env);
  const db = createDb({ url: database.url, applicationName, statementTimeoutMs: 60_000 });
  const bar = out.progress("Filling");
  let last = "";
  const onProgress = (step: string, done: number, total: number): void => {
    if (!process.stderr.isTTY && step !== last) out.say(`  ${step}`);
    last = step;
    bar.at(done, total, step);
  };
  try {
    const { shoppers } = await stoppable(signal, database.url, () => fillDemo({ db, now, env, signal, onProgress }));
    // `pnpm start` reads and prints this file.
    await mkdir(env.dataDir, { recursive: true });
    const file = join(env.dataDir, "demo-shoppers.json");
    await writeFile(file, `${JSON.stringify(shoppers, null, 2)}\n`, { mode: 0o600 });
    return shoppers;
  } finally {
    bar.end();
    await db.close();
    await database.close();
  }
}

/** The number of rows for each table, without writing them. */
async function countRows(now: Date): Promise<{ week: string; rows: Record<string, number> }> {
  const { buildMarket, weekOf } = await import("../demo/data/market.ts");
  const rows = Object.fromEntries(buildMarket(now, []).map(({ table, rows }) => [table, rows.length]));
  return { week: weekOf(now).monday, rows };
}

/** `market demo`: fills an empty market with the demo of the week (docs/product.md §13). Safe to run again. */
export const demoCommand = (): Command =>
  command({
    name: "demo",
    summary: "fill an empty market with the demo of this week",
    about:
      "6 hubs, 60 vendors, 1,200 products, 12 weeks of orders. The same week creates the same market. A market that already\nhas the demo is not changed; a market with any other data is refused.",
    examples: ["demo"],
    writes: true,
    async run({ options, out, signal }) {
      const now = new Date();
      if (options.dryRun) {
        const { week, rows } = await countRows(now);
        return out.answer({ week, rows }, () =>
          [
            `The demo of the week of ${week} would write:`,
            ...Object.entries(rows).map(([table, count]) => `  ${String(count).padStart(6)}  ${table}`),
          ].join("\n"),
        );
      }
      const env = loadEnv();
      const shoppers = await fill(env, now, out, signal);
      const address = marketUrl(env);
      return out.answer({ address, shoppers }, () =>
        [
          `\nThe demo market is ready. \`pnpm start\`, then open ${address}\n\nShoppers to log in with:`,
          ...shoppers.map(({ name, email, password }) => `  ${name.padEnd(16)} ${email.padEnd(30)} ${password}`),
        ].join("\n"),
      );
    },
  });
