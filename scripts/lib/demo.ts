import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createDb, type Db, Prisma } from "@marketday/db";
import type { Env } from "@marketday/server/env";

import { withProcessLock } from "../../prisma/src/lock.ts";

/** A market that cannot be filled; the message is one sentence for people. */
export class DemoError extends Error {}

export type DemoShopper = { name: string; email: string; password: string };

/** `scripts/demo/fill.ts`. */
type FillDemo = (input: {
  db: Db;
  now: Date;
  env: Env;
  onProgress: (step: string, done: number, total: number) => void;
}) => Promise<{ shoppers: DemoShopper[] }>;

const FACT = "demo_market";

/** `outdated`: a demo whose pictures an earlier version stored as recipes. */
async function findState(db: Db): Promise<"empty" | "filling" | "outdated" | "full"> {
  const fact = await db.market_fact.findUnique({ where: { key: FACT } });
  const { state } = (fact?.value ?? {}) as { state?: string };
  if (state === "filling") return "filling";
  if (
    state === "done" &&
    (await db.picture.findFirst({ where: { recipe: { not: Prisma.DbNull } }, select: { id: true } }))
  )
    return "outdated";
  return (await db.hub.findFirst({ select: { id: true } })) ? "full" : "empty";
}

async function saveState(db: Db, state: "filling" | "done"): Promise<void> {
  const value = { state };
  await db.market_fact.upsert({ where: { key: FACT }, create: { key: FACT, value }, update: { value } });
}

/** On a terminal one line that is overwritten, elsewhere a line per step. */
function progress(): (step: string, done: number, total: number) => void {
  let last = "";
  return (step, done, total) => {
    if (process.stdout.isTTY) {
      const filled = Math.round((24 * done) / Math.max(1, total));
      const bar = `${"█".repeat(filled)}${"░".repeat(24 - filled)}`;
      process.stdout.write(`\r\u001b[K  ${bar} ${step}${done >= total ? "\n" : ""}`);
    } else if (step !== last) console.log(`  ${step}`);
    last = step;
  };
}

/**
 * Fills an empty market with the demo, or finishes a fill that was killed.
 * @returns its shoppers when this market is a demo, else null
 */
export async function ensureDemo(env: Env, url: string, now: Date): Promise<DemoShopper[] | null> {
  const file = join(env.dataDir, "demo-shoppers.json");
  const db = createDb({ url, applicationName: "marketday demo", statementTimeoutMs: 60_000 });
  try {
    mkdirSync(env.dataDir, { recursive: true });
    return await withProcessLock(join(env.dataDir, "demo.lock"), async () => {
      const state = await findState(db);
      const wanted = env.demo === "auto" && !env.production;
      if (state === "full" || !wanted) {
        return state === "full" && existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as DemoShopper[]) : null;
      }
      if (state !== "outdated") console.log("The market is empty: making a demo market. DEMO=off leaves it empty.");
      const { fillDemo } = (await import(new URL("../demo/fill.ts", import.meta.url).href)) as { fillDemo: FillDemo };
      if (state !== "outdated") await saveState(db, "filling");
      const { shoppers } = await fillDemo({ db, now, env, onProgress: progress() });
      writeFileSync(file, `${JSON.stringify(shoppers, null, 2)}\n`, { mode: 0o600 });
      await saveState(db, "done");
      return shoppers;
    });
  } finally {
    await db.close();
  }
}

/** `scripts/demo/staff.ts`. */
type OpenDemoStaff = (db: Db, now: Date) => Promise<DemoOwner | null>;

/** The owner of a demo market; `token`: of a new invitation link, null once they have set up a sign-in. */
export interface DemoOwner {
  name: string;
  email: string;
  token: string | null;
}

/** The owner of a demo market, outside production and without DEMO=off; null for any other market. */
export async function ensureDemoStaff(
  env: Pick<Env, "production" | "demo">,
  url: string,
  now: Date,
): Promise<DemoOwner | null> {
  if (env.production || env.demo !== "auto") return null;
  const db = createDb({ url, applicationName: "marketday demo", poolSize: 1 });
  try {
    const { openDemoStaff } = (await import(new URL("../demo/staff.ts", import.meta.url).href)) as {
      openDemoStaff: OpenDemoStaff;
    };
    return await openDemoStaff(db, now);
  } finally {
    await db.close();
  }
}

/** Whether the market has no hub yet: nothing can be sold in it. */
export async function isEmptyMarket(url: string): Promise<boolean> {
  const db = createDb({ url, applicationName: "marketday start", poolSize: 1 });
  try {
    return (await findState(db)) === "empty";
  } finally {
    await db.close();
  }
}
