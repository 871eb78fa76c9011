import type pg from "pg";
import type { z } from "zod";

import { connectionOf, type Lent } from "./adapter.ts";
import type { Conn, Db } from "./client.ts";
import { withClient } from "./pool.ts";
import { type Sql, statementName } from "./statement.ts";
import { rowTypes, toParameter } from "./types.ts";

/** A transaction on a connection of the pool, without Prisma: made by `sqlTransaction`, used by `query` and `execute`. */
export class SqlTx {
  readonly #client: pg.PoolClient;
  #open = true;
  constructor(client: pg.PoolClient) {
    this.#client = client;
  }
  /** The connection, until the transaction ends. */
  get client(): pg.PoolClient {
    if (!this.#open) throw new Error("A statement came after the end of its transaction; an await is missing.");
    return this.#client;
  }
  close(): void {
    this.#open = false;
  }
}

const pools = new WeakMap<object, pg.Pool>();
const lentTo = new WeakMap<object, Promise<Lent>>();
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
  const { text } = statement;
  const name = statementName(text);
  const config = { ...(name && { name }), text, values: statement.values.map(toParameter), types: rowTypes };
  if (conn instanceof SqlTx) return conn.client.query(config);
  const pool = pools.get(conn);
  if (pool) return withClient(pool, (client) => client.query(config));
  let lending = lentTo.get(conn);
  if (!lending) lentTo.set(conn, (lending = connectionOf(conn)));
  const lent = await lending;
  if (!lent.open) throw new Error("A statement came after the end of its transaction; an await is missing.");
  return lent.client.query(config);
}

/**
 * Runs one hand-written statement and returns its rows, with the same JavaScript types on the database and in both
 * kinds of transaction (see `types.ts`). It is prepared under a name, so that only its values are sent the second time.
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
