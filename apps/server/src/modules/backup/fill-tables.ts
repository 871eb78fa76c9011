import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";

import {
  copyBytesIn,
  copyOut,
  type Db,
  execute,
  query,
  sql,
  stopOnAbort,
  sqlTransaction,
  type SqlTx,
} from "@marketday/db";

import type { BackupHow } from "./back-up.ts";
import { BackupError, type Manifest } from "./manifest.ts";
import { findSequences, findTables } from "./table-sql.ts";

/** The rows that fill the tables of an empty market. */
export interface Content {
  /** A table comes after those it refers to. `rows`: the number that is expected, if it is known. */
  tables: { name: string; columns: string[]; rows: number | null; read: () => Readable }[];
  sequences: Manifest["sequences"];
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");

/** The rows in the files of a backup. */
export const contentOf = (folder: string, { tables, sequences }: Manifest): Content => ({
  tables: tables.map(({ name, columns, rows, file }) => ({
    name,
    columns,
    rows,
    // A failed read destroys the stream that is returned, with the reason.
    read: () => pipeline(createReadStream(join(folder, file.path)), createGunzip(), () => undefined),
  })),
  sequences,
});

/** The rows of another market's database, as of its transaction. */
export const contentOfMarket = async (tx: SqlTx): Promise<Content> => ({
  tables: (await findTables(tx)).map(({ name, columns }) => ({
    name,
    columns,
    rows: null,
    read: () => copyOut(tx, `"${name}" (${quoted(columns)})`),
  })),
  sequences: await findSequences(tx),
});

/** Runs `work` in one transaction without a time limit, whose statement is cancelled when `signal` is aborted. */
export const withLongTransaction = <T>(db: Db, signal: AbortSignal, work: (tx: SqlTx) => Promise<T>): Promise<T> =>
  sqlTransaction(
    db,
    async (tx) => {
      await tx.client.query(
        "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '30s'",
      );
      const forget = await stopOnAbort(tx, signal, (pid) => execute(db, sql`select pg_cancel_backend(${pid}::int)`));
      try {
        return await work(tx);
      } finally {
        forget();
      }
    },
    { retries: 0 },
  );

/** The trigger that rejects rows of deleted customers is off while rows come back: what outlived its customer is among them. */
const setCustomerTriggers = (tx: SqlTx, state: "enable" | "disable") =>
  tx.client.query(`do $$ declare name regclass; begin
    for name in select tgrelid from pg_trigger where tgname = 'customer_exists' loop
      execute format('alter table %s ${state} trigger customer_exists', name);
    end loop;
  end $$`);

/** Replaces all rows of the market with `content`. */
export async function fill(tx: SqlTx, { tables, sequences }: Content, how: BackupHow): Promise<void> {
  await setCustomerTriggers(tx, "disable");
  await tx.client.query(`truncate ${quoted(tables.map(({ name }) => name))} cascade; truncate search.word`);
  for (const [place, table] of tables.entries()) {
    how.signal.throwIfAborted();
    how.onProgress?.(place, tables.length, table.name);
    const rows = await copyBytesIn(tx, `"${table.name}" (${quoted(table.columns)})`, table.read());
    if (table.rows !== null && rows !== table.rows)
      throw new BackupError(
        `The backup is damaged: ${table.name} has ${rows} rows, not ${table.rows}. Nothing was changed.`,
      );
  }
  for (const { name, value, isCalled } of sequences)
    await query(tx, sql`select setval(${`"${name}"`}::regclass, ${value}::bigint, ${isCalled}::boolean)`);
  await setCustomerTriggers(tx, "enable");
  await execute(tx, sql`analyze`);
}
