import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

import { copyBytesIn, copyOut, createDb, type Db, execute, query, sql, sqlTransaction } from "@marketday/db";

import { root } from "../lib/run.ts";
import type { BenchMarket } from "./market.ts";
import type { Row } from "./table.ts";

const PRODUCTS = 50_000;
const MAX_MEMORY = 300 * 1024 * 1024;
const MB = 1024 * 1024;

/** Writes a file of products as a wholesaler sends it: a sentence or two about each, one variant, one hub. */
async function writeFile(db: Db, path: string): Promise<void> {
  const vendors = await query<{ slug: string }>(db, sql`select slug from vendor order by id`);
  const [hub] = await query<{ slug: string }>(db, sql`select slug from hub order by id limit 1`);
  const words = "crisp ripe sweet early late red green golden small large tender earthy bright mild wild".split(" ");
  const word = (place: number): string => words[place % words.length] ?? "";
  function* lines(): Generator<string> {
    yield "slug,title,vendor,description,tags,badge,storage,variant,unit,hub,price,inventory,weekly_inventory\n";
    for (let n = 0; n < PRODUCTS; n += 1) {
      const about = `"A ${word(n)}, ${word(n * 7 + 3)} kind, picked ${word(n * 3 + 1)} in the day. <b>Keeps</b> for ${(n % 9) + 2} days, number ${n}."`;
      yield `import-${n},${word(n)} ${word(n * 5 + 2)} thing ${n},${vendors[n % vendors.length]?.slug},${about},local|bench,${(n % 6) + 2},dry,Each,pound,${hub?.slug},${(n % 40) + 1}.${String(n % 100).padStart(2, "0")},${n % 50},${n % 50}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
}

interface Run {
  seconds: number;
  memory: number;
  counts: Record<string, { created: number; changed: number }>;
}

/** Runs `market products import` as an operator does, in a separate process to measure its peak memory. */
async function runImport(env: Record<string, string>, file: string): Promise<Run> {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("child-main.ts", import.meta.url)), "products", "import", file, "--json"],
    {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    },
  );
  const memoryMessage = once(child, "message");
  const output = await buffer(child.stdout as Readable);
  const [message] = (await memoryMessage) as [{ memory: number }];
  const { counts } = JSON.parse(output.toString()) as Run;
  return { seconds: (performance.now() - started) / 1000, memory: message.memory, counts };
}

/** Seconds for a COPY of the same rows into the same tables, rolled back afterwards. */
async function copySeconds(db: Db): Promise<number> {
  let seconds = 0;
  const rollback = new Error("rolled back");
  await sqlTransaction(db, async (tx) => {
    await tx.client.query("set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0");
    const imported =
      "from product p join variant v on v.product_id = p.id join offer o on o.variant_id = v.id join stock_adjustment a on a.offer_id = o.id where p.slug like 'import-%'";
    const saved: [table: string, bytes: Buffer][] = [];
    for (const [table, alias] of [
      ["product", "p"],
      ["variant", "v"],
      ["offer", "o"],
      ["stock_adjustment", "a"],
    ] as const)
      saved.push([
        table,
        await buffer(
          copyOut(
            tx,
            `(select distinct on (${alias}.id) ${alias}.* ${imported.replace("join stock_adjustment", "left join stock_adjustment")} and ${alias}.id is not null order by ${alias}.id)`,
          ),
        ),
      ]);
    await execute(tx, sql`delete from product where slug like 'import-%'`);
    const started = performance.now();
    for (const [table, bytes] of saved) await copyBytesIn(tx, table, Readable.from([bytes]));
    seconds = (performance.now() - started) / 1000;
    throw rollback;
  }).catch((error: unknown) => {
    if (error !== rollback) throw error;
  });
  return seconds;
}

/** Imports 50,000 products from one file, compared with a COPY of the same rows (docs/operating.md). */
export async function benchImport(market: BenchMarket): Promise<Row[]> {
  const db = createDb({ url: market.databaseUrl, statementTimeoutMs: 0 });
  try {
    const file = join(market.env["DATA_DIR"] ?? "", "products.csv");
    await writeFile(db, file);
    const first = await runImport(market.env, file);
    const second = await runImport(market.env, file);
    const copied = await copySeconds(db);
    const isComplete = first.counts["products"]?.created === PRODUCTS && first.counts["offers"]?.created === PRODUCTS;
    const isUnchanged = Object.values(second.counts).every(({ created, changed }) => created + changed === 0);
    const rate = (seconds: number): string => `${Math.round(PRODUCTS / seconds).toLocaleString("en-US")} rows/s`;
    return [
      {
        what: "import of 50,000 products",
        value: `${rate(first.seconds)} (${first.seconds.toFixed(1)} s)`,
        wanted: "all of them",
        good: isComplete,
      },
      {
        what: "the same file again",
        value: `${rate(second.seconds)} (${second.seconds.toFixed(1)} s)`,
        wanted: "no change",
        good: isUnchanged,
      },
      { what: "COPY of the same rows", value: `${rate(copied)} (${copied.toFixed(1)} s)`, wanted: "", good: true },
      {
        what: "import: peak memory",
        value: `${(Math.max(first.memory, second.memory) / MB).toFixed(0)} MB`,
        wanted: `under ${MAX_MEMORY / MB} MB`,
        good: Math.max(first.memory, second.memory) < MAX_MEMORY,
      },
    ];
  } finally {
    await execute(db, sql`delete from product where slug like 'import-%'`);
    await db.close();
  }
}
