import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import type pg from "pg";
import pgCopy from "pg-copy-streams";

import type { SqlTx } from "./conn.ts";

/** A cell to be written: null, a number, a text, or a list that becomes an array of text. */
export type CopyValue = string | number | boolean | null | readonly string[];

/** The approximate size of a chunk, in characters. */
const chunk = 65_536;

const special = /[\\\n\r\t]/g;
const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const escapeText = (text: string): string => text.replace(special, (one) => escapes[one]!);

const arrayLiteral = (items: readonly string[]): string =>
  `{${items.map((item) => `"${item.replaceAll(/[\\"]/g, (one) => `\\${one}`)}"`).join(",")}}`;

/** One row as a line of Postgres' text format. */
function lineOf(row: readonly CopyValue[]): string {
  const cells = row.map((value) => {
    if (value === null) return "\\N";
    if (typeof value === "string") return escapeText(value);
    if (typeof value === "boolean") return value ? "t" : "f";
    if (typeof value === "number") return String(value);
    return escapeText(arrayLiteral(value));
  });
  return `${cells.join("\t")}\n`;
}

async function* chunksOf(rows: AsyncIterable<readonly CopyValue[]>): AsyncGenerator<Buffer> {
  let text = "";
  for await (const row of rows) {
    text += lineOf(row);
    if (text.length < chunk) continue;
    yield Buffer.from(text);
    text = "";
  }
  if (text !== "") yield Buffer.from(text);
}

/**
 * Streams rows into a table with COPY, as fast as Postgres takes them and with one chunk in memory. An error of `rows` is
 * thrown and breaks the transaction, as after any failed statement.
 * @param target `table (column, …)`: trusted text, never user input
 */
export async function copyIn(tx: SqlTx, target: string, rows: AsyncIterable<readonly CopyValue[]>): Promise<number> {
  const into = tx.client.query(pgCopy.from(`copy ${target} from stdin`));
  await pipeline(Readable.from(chunksOf(rows)), into);
  return into.rowCount;
}

/** The same for bytes in Postgres's own format, as `copyOut` returns them. */
export async function copyBytesIn(tx: SqlTx, target: string, bytes: Readable): Promise<number> {
  const into = tx.client.query(pgCopy.from(`copy ${target} from stdin`));
  await pipeline(bytes, into);
  return into.rowCount;
}

/**
 * The rows of a table or a query in Postgres's text format, as a stream. When it is destroyed before its end, the connection is
 * closed, and the transaction fails: Postgres reads no other statement until all rows are read.
 * @param source `table (column, …)` or `(select …)`: trusted text, never user input
 */
export function copyOut(tx: SqlTx, source: string): Readable {
  const { client } = tx;
  const rows = client.query(pgCopy.to(`copy ${source} to stdout`));
  // The failed statement is answered in full, so the connection still works.
  let answered = false;
  rows.on("error", () => (answered ||= !rows.destroyed));
  rows.once("close", () => {
    if (!rows.readableEnded && !answered) void (client as pg.ClientBase as pg.Client).end();
  });
  return rows;
}

/**
 * The rows of a large result, some thousand at a time, as of the transaction's snapshot.
 * @param statement trusted text, never user input
 */
export async function* readInBatches<T>(tx: SqlTx, statement: string, size = 2_000): AsyncGenerator<T[]> {
  await tx.client.query(`declare batch no scroll cursor for ${statement}`);
  try {
    for (;;) {
      const { rows } = await tx.client.query(`fetch ${size} from batch`);
      if (rows.length === 0) return;
      yield rows as T[];
    }
  } finally {
    await tx.client.query("close batch").catch(() => undefined);
  }
}

/**
 * Cancels the current statement of a transaction when `signal` is aborted, over a separate connection: the statement fails,
 * and with it the transaction.
 * @returns stops listening to the signal
 */
export async function stopOnAbort(
  tx: SqlTx,
  signal: AbortSignal,
  cancel: (pid: number) => Promise<unknown>,
): Promise<() => void> {
  const { rows } = await tx.client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const pid = rows[0]!.pid;
  const stop = (): void => void cancel(pid).catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  return () => signal.removeEventListener("abort", stop);
}
