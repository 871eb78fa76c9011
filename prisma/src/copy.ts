import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import pgCopy from "pg-copy-streams";

import type { SqlTx } from "./query.ts";

/** A cell on its way in: null, a number, a text, or a list that becomes an array of text. */
export type CopyValue = string | number | boolean | null | readonly string[];

/** About this many characters travel at once. */
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
 * Streams rows into a table with COPY, as fast as Postgres takes them and with one chunk in memory. When `rows` throws,
 * its error comes out and the transaction is broken, as after any failed statement.
 * @param target `table (column, …)`: trusted text, never from outside
 */
export async function copyIn(tx: SqlTx, target: string, rows: AsyncIterable<readonly CopyValue[]>): Promise<number> {
  const into = tx.client.query(pgCopy.from(`copy ${target} from stdin`));
  await pipeline(Readable.from(chunksOf(rows)), into);
  return into.rowCount;
}

/** The same for bytes that are in Postgres' own format already, as `copyOut` gave them. */
export async function copyBytesIn(tx: SqlTx, target: string, bytes: Readable): Promise<number> {
  const into = tx.client.query(pgCopy.from(`copy ${target} from stdin`));
  await pipeline(bytes, into);
  return into.rowCount;
}

/**
 * What a table or a query holds, in Postgres' text format, as a stream to be read to its end.
 * @param source `table (column, …)` or `(select …)`: trusted text, never from outside
 */
export function copyOut(tx: SqlTx, source: string): Readable {
  return tx.client.query(pgCopy.to(`copy ${source} to stdout`));
}

/**
 * Rows of a long answer, some thousand at a time, as they stood when the transaction's snapshot was taken.
 * @param statement trusted text, never from outside
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
 * Stops the statement a transaction is in when `signal` is aborted, from a connection of its own: the statement fails,
 * and with it the transaction.
 * @returns forgets the signal again
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
