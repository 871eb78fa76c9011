import { mkdir, rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

import { type Db, execute, query, queryOne, raw, sql, sqlTransaction, type AnyTx } from "@marketday/db";
import { hashPassword } from "@marketday/server/lib/password";
import { storeUpload, uploadFolder } from "@marketday/server/modules/pictures/import-pictures";

import { DemoError } from "../lib/demo.ts";
import { buildMarket, type TableRows, weekOf } from "./data/market.ts";
import { type DemoShopper, shoppers } from "./data/people.ts";
import { pictureFile, picturePath, pictureRows, sharedPictures } from "./data/pictures.ts";

export type { DemoShopper } from "./data/people.ts";

export interface FillInput {
  db: Db;
  now: Date;
  env: {
    /** The server's pepper for passwords. */
    pepper: string;
    /** The folder the pictures are stored in. */
    dataDir: string;
  };
  /** When it is aborted, the market stays empty. */
  signal?: AbortSignal;
  /** Called before each step. */
  onProgress?: (step: string, done: number, total: number) => void;
}

/** Key of the market fact of a filled market; its value is the week. */
const FACT = "demo_filled";
/** Advisory lock: only one process fills at a time. */
const LOCK_KEY = 7_263_900;
/** Rows per insert statement. */
const BATCH_SIZE = 1_000;
/** ms between two attempts to get the lock. */
const LOCK_RETRY_MS = 250;

const STEPS: Readonly<Record<string, string>> = {
  hub: "Creating the markets",
  vendor: "Setting up 60 vendors",
  product: "Adding 1,200 products",
  collection: "Arranging collections",
  customer: "Adding customers",
  orders: "Packing twelve weeks of orders",
  ledger_transaction: "Writing the ledger",
  review: "Collecting reviews",
  content_page: "Writing pages and posts",
};

async function insert(tx: AnyTx, table: string, rows: readonly object[], signal?: AbortSignal): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = raw(
    Object.keys(first)
      .map((column) => `"${column}"`)
      .join(", "),
  );
  const into = raw(`"${table}"`);
  // The ledger's entries of one statement must sum to zero, so a transaction is not divided between two.
  const size = table === "ledger_entry" ? rows.length : BATCH_SIZE;
  for (let from = 0; from < rows.length; from += size) {
    signal?.throwIfAborted();
    const part = JSON.stringify(rows.slice(from, from + size));
    await execute(
      tx,
      sql`insert into ${into} (${columns}) select ${columns} from jsonb_populate_recordset(null::${into}, ${part}::jsonb)`,
    );
  }
}

/** Sets the sequences to the highest id, because the rows were inserted with their ids. */
async function advanceSequences(tx: AnyTx, tables: readonly TableRows[]): Promise<void> {
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

async function findState(db: Db | AnyTx): Promise<"empty" | "demo" | "other"> {
  const row = await queryOne<{ demo: boolean; used: boolean }>(
    db,
    sql`select exists (select 1 from market_fact where key = ${FACT}) as demo,
          (exists (select 1 from hub) or exists (select 1 from vendor) or exists (select 1 from customer)) as used`,
  );
  return row?.demo ? "demo" : row?.used ? "other" : "empty";
}

/** Copies the pictures into the data folder, as `market images import` does. @returns the paths of new files */
async function storePictures(dataDir: string): Promise<string[]> {
  const folder = uploadFolder({ dataDir });
  await mkdir(folder, { recursive: true });
  const created: string[] = [];
  for (const [key, { id }] of sharedPictures) {
    const path = await storeUpload(folder, { id, name: pictureFile(key), path: picturePath(key) });
    if (path !== null) created.push(path);
  }
  return created;
}

/** Replaces pictures that earlier versions stored as recipes with files. Rows that refer to them follow by cascade. */
async function replaceRecipes(db: Db, dataDir: string): Promise<void> {
  if (!(await queryOne(db, sql`select 1 from picture where recipe is not null limit 1`))) return;
  await storePictures(dataDir);
  const [{ allRecipes }, { recipeId }] = await Promise.all([
    import("./data/recipes.ts"),
    import("./drawing/recipe.ts"),
  ]);
  const rows = pictureRows();
  const replacements = JSON.stringify(
    allRecipes.map(({ recipe }, place) => ({ ...rows[place], recipe_id: recipeId(recipe) })),
  );
  await execute(
    db,
    sql`update picture p set id = r.id, alt = r.alt, thumbhash = r.thumbhash, file = r.file, recipe = null
        from jsonb_to_recordset(${replacements}::jsonb) as r(recipe_id text, id text, alt text, thumbhash text, file text)
        where p.id = r.recipe_id and p.recipe is not null and not exists (select 1 from picture same where same.id = r.id)`,
  );
}

/**
 * Fills an empty market with the demo of `now`'s week, in one transaction: a process that is killed leaves no row behind.
 * A market that is the demo already keeps its rows. Throws DemoError for a market that holds anything else.
 * @returns the shoppers to log in with
 */
export async function fillDemo(input: FillInput): Promise<{ shoppers: DemoShopper[] }> {
  const { db, now, env, signal, onProgress = () => undefined } = input;
  const state = await findState(db);
  if (state === "other") throw new DemoError("This market is not empty, so the demo is not put into it.");
  if (state === "demo") {
    await replaceRecipes(db, env.dataDir);
    return { shoppers: [...shoppers] };
  }

  onProgress("Picking names and prices", 0, 1);
  const hashes = await Promise.all(shoppers.map(({ password }) => hashPassword(password, env.pepper)));
  const tables = buildMarket(now, hashes);
  const total = tables.reduce((sum, { rows }) => sum + rows.length, 0);
  let created: string[] = [];
  const filling = sqlTransaction(db, async (tx) => {
    await execute(tx, sql`set local statement_timeout = 0`);
    await execute(tx, sql`set local idle_in_transaction_session_timeout = 0`);
    await execute(tx, sql`set local lock_timeout = 0`);
    // Polled, because a connection that is silent for long while it waits counts as dead.
    while (
      !(await queryOne<{ got: boolean }>(tx, sql`select pg_try_advisory_xact_lock(${LOCK_KEY}::bigint) as got`))?.got
    ) {
      signal?.throwIfAborted();
      await setTimeout(LOCK_RETRY_MS);
    }
    // Another process may have filled it in the meantime.
    const stateNow = await findState(tx);
    if (stateNow === "demo") return;
    if (stateNow === "other") throw new DemoError("This market is not empty any more, so the demo is not put into it.");
    created = await storePictures(env.dataDir);
    let done = 0;
    let step = "Picking names and prices";
    for (const { table, rows } of tables) {
      step = STEPS[table] ?? step;
      onProgress(step, done, total);
      await insert(tx, table, rows, signal);
      done += rows.length;
    }
    await advanceSequences(tx, tables);
    // Postgres analyzes new tables automatically after a minute; until then it guesses how many rows there are.
    await execute(tx, sql`analyze`);
    const value = JSON.stringify({ week: weekOf(now).monday });
    await execute(tx, sql`insert into market_fact (key, value, created_at) values (${FACT}, ${value}::jsonb, ${now})`);
    signal?.throwIfAborted();
  });
  await filling.catch(async (error: unknown) => {
    for (const path of created) await rm(path, { force: true });
    throw error;
  });
  onProgress("The market is open", total, total);
  return { shoppers: [...shoppers] };
}
