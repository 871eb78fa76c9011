import type pg from "pg";
import type { z } from "zod";

import { type Conn, type Db, Tx } from "./conn.ts";
import { withClient } from "./pool.ts";
import { Replica } from "./replica.ts";
import type { Sql } from "./statement.ts";
import { rowTypes, toParameter } from "./types.ts";

const pools = new WeakMap<object, pg.Pool>();
let checkRows = false;

/** The pools of databases. */
export function registerPool(db: object, pool: pg.Pool): void {
  pools.set(db, pool);
}

/** The pool of a database made by `createDb`. */
export function poolOf(db: Db): pg.Pool {
  const pool = pools.get(db);
  if (!pool) throw new Error("This database was not made by createDb.");
  return pool;
}

/** For tests: checks every row against its schema, column by column. Off by default, because it takes time. */
export function setRowChecking(on: boolean): void {
  checkRows = on;
}

function check(rows: unknown[], schema: z.ZodType, text: string): void {
  const exact = "strict" in schema ? (schema as z.ZodObject).strict() : schema;
  for (const row of rows) {
    const { error } = exact.safeParse(row);
    if (error) {
      const problems = error.issues.map((issue) => `${issue.path.join(".") || "row"}: ${issue.message}`).join("; ");
      throw new TypeError(`A row is not what its schema says (${problems}) in: ${text.trim()}`);
    }
  }
}

async function run(conn: Conn, statement: Sql): Promise<pg.QueryResult> {
  const { text, statementName: name } = statement;
  const config = { ...(name && { name }), text, values: statement.values.map(toParameter), types: rowTypes };
  if (conn instanceof Tx) return conn.client.query(config);
  if (conn instanceof Replica) return conn.query(config);
  return withClient(poolOf(conn), (client) => client.query(config));
}

/**
 * Runs one hand-written statement and returns its rows, with the same JavaScript types on the database and in a
 * transaction (see `types.ts`). It is prepared under a name, so that only its values are sent the second time.
 * @param row the row's schema; gives the static type, is checked in tests only
 */
export async function query<T = Record<string, unknown>>(conn: Conn, statement: Sql, row?: z.ZodType<T>): Promise<T[]> {
  const { rows } = await run(conn, statement);
  if (checkRows && row) check(rows, row, statement.text);
  return rows as T[];
}

/** The one row of a statement, or null; throws when there are more. */
export async function queryOne<T = Record<string, unknown>>(
  conn: Conn,
  statement: Sql,
  row?: z.ZodType<T>,
): Promise<T | null> {
  const rows = await query(conn, statement, row);
  if (rows.length > 1) throw new Error(`A statement for one row answered ${rows.length}: ${statement.text.trim()}`);
  return rows[0] ?? null;
}

/** Runs one statement. @returns the number of rows it changed */
export async function execute(conn: Conn, statement: Sql): Promise<number> {
  return (await run(conn, statement)).rowCount ?? 0;
}
