import { setTimeout } from "node:timers/promises";

import { type Db, execute, query, queryOne, raw, sql, sqlTransaction, type SqlTx } from "@marketday/db";
import { hashPassword } from "@marketday/server/lib/password";

import { buildMarket, type TableRows, weekOf } from "./data/market.ts";
import { type DemoShopper, shoppers } from "./data/people.ts";
import { DemoError } from "./demo-error.ts";

export type { DemoShopper } from "./data/people.ts";
export { DemoError } from "./demo-error.ts";

export interface FillInput {
  db: Db;
  now: Date;
  env: {
    /** The passwords' pepper, as the server has it. */
    pepper: string;
  };
  /** Aborted, the market stays empty. */
  signal?: AbortSignal;
  /** Told before each step. */
  onProgress?: (step: string, done: number, total: number) => void;
}

/** The fact that stands in a filled market; its value names the week. */
const fact = "demo_filled";
/** Any fixed number: only one process fills at a time. */
const lockKey = 7_263_900;
/** Rows a statement, so that none is long in itself. */
const atOnce = 1_000;
/** ms between two looks whether the other one is done. */
const LOOK_MS = 250;

const steps: Readonly<Record<string, string>> = {
  hub: "Drawing the markets",
  vendor: "Setting up 60 stalls",
  product: "Laying out 1,200 products",
  collection: "Sorting the shelves",
  customer: "Inviting the neighbors",
  orders: "Packing twelve weeks of orders",
  ledger_transaction: "Counting the till",
  review: "Listening to what people say",
  content_page: "Writing the signs",
};

async function insert(tx: SqlTx, table: string, rows: readonly object[], signal?: AbortSignal): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = raw(
    Object.keys(first)
      .map((column) => `"${column}"`)
      .join(", "),
  );
  const into = raw(`"${table}"`);
  for (let from = 0; from < rows.length; from += atOnce) {
    signal?.throwIfAborted();
    const part = JSON.stringify(rows.slice(from, from + atOnce));
    await execute(
      tx,
      sql`insert into ${into} (${columns}) select ${columns} from jsonb_populate_recordset(null::${into}, ${part}::jsonb)`,
    );
  }
}

/** Rows came with ids of their own: the next ones go on after them. */
async function advanceSequences(tx: SqlTx, tables: readonly TableRows[]): Promise<void> {
  for (const { table, rows } of tables) {
    const [first] = rows;
    if (!first || !("id" in first) || typeof first.id !== "number" || table === "orders") continue;
    const name = raw(`"${table}"`);
    await query(
      tx,
      sql`select setval(pg_get_serial_sequence(${`"${table}"`}, 'id'), (select max(id) from ${name})) as value`,
    );
  }
}

async function state(db: Db | SqlTx): Promise<"empty" | "demo" | "other"> {
  const row = await queryOne<{ demo: boolean; used: boolean }>(
    db,
    sql`select exists (select 1 from market_fact where key = ${fact}) as demo,
          (exists (select 1 from hub) or exists (select 1 from vendor) or exists (select 1 from customer)) as used`,
  );
  return row?.demo ? "demo" : row?.used ? "other" : "empty";
}

/**
 * Fills an empty market with the demo of `now`'s week, in one transaction: killed anywhere, it leaves nothing behind. A
 * market that is the demo already is left as it is. Throws DemoError for a market that holds anything else.
 * @returns the shoppers to log in with
 */
export async function fillDemo(input: FillInput): Promise<{ shoppers: DemoShopper[] }> {
  const { db, now, env, signal, onProgress = () => undefined } = input;
  const found = await state(db);
  if (found === "other") throw new DemoError("This market is not empty, so the demo is not put into it.");
  if (found === "demo") return { shoppers: [...shoppers] };

  onProgress("Picking names and prices", 0, 1);
  const hashes = await Promise.all(shoppers.map(({ password }) => hashPassword(password, env.pepper)));
  const tables = buildMarket(now, hashes);
  const total = tables.reduce((sum, { rows }) => sum + rows.length, 0);
  await sqlTransaction(db, async (tx) => {
    await execute(tx, sql`set local statement_timeout = 0`);
    await execute(tx, sql`set local idle_in_transaction_session_timeout = 0`);
    await execute(tx, sql`set local lock_timeout = 0`);
    // Asked again and again, not waited for: a connection that says nothing for long is taken for a dead one.
    while (
      !(await queryOne<{ got: boolean }>(tx, sql`select pg_try_advisory_xact_lock(${lockKey}::bigint) as got`))?.got
    ) {
      signal?.throwIfAborted();
      await setTimeout(LOOK_MS);
    }
    // Somebody else may have filled it while this one waited.
    const since = await state(tx);
    if (since === "demo") return;
    if (since === "other") throw new DemoError("This market is not empty any more, so the demo is not put into it.");
    let done = 0;
    let step = "Picking names and prices";
    for (const { table, rows } of tables) {
      step = steps[table] ?? step;
      onProgress(step, done, total);
      await insert(tx, table, rows, signal);
      done += rows.length;
    }
    await advanceSequences(tx, tables);
    // Postgres looks at new tables by itself after a minute; until then it would guess how many rows there are.
    await execute(tx, sql`analyze`);
    const value = JSON.stringify({ week: weekOf(now).monday });
    await execute(tx, sql`insert into market_fact (key, value, created_at) values (${fact}, ${value}::jsonb, ${now})`);
    signal?.throwIfAborted();
  });
  onProgress("The market is open", total, total);
  return { shoppers: [...shoppers] };
}
