import type pg from "pg";
import type { z } from "zod";

import type { Prisma } from "../generated/client.ts";
import { type Conn, type Db, SqlTx } from "./conn.ts";
import type { Pool } from "./pool.ts";
import type { Sql } from "./statement.ts";
import { fromPrisma, rowTypes, toParameter, toPrismaParameter } from "./types.ts";

const pools = new WeakMap<object, Pool>();
let checkRows = false;

/** The pools of databases. */
export function registerPool(db: object, pool: Pool): void {
  pools.set(db, pool);
}

/** The pool of a database made by `createDb`. */
export function poolOf(db: Db): Pool {
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

/** What the pool or the connection of a hand-written transaction takes; null in a transaction of Prisma's client. */
function runnerOf(conn: Conn): Pool | pg.PoolClient | null {
  return conn instanceof SqlTx ? conn.client : (pools.get(conn) ?? null);
}

const valuesOf = (statement: Sql): unknown[] => statement.values.map(toPrismaParameter);

function configOf(statement: Sql): pg.QueryConfig {
  const { text, statementName: name } = statement;
  return { ...(name && { name }), text, values: statement.values.map(toParameter), types: rowTypes };
}

/**
 * Runs one hand-written statement and returns its rows, with the same JavaScript types on the database and in either kind of
 * transaction (see `types.ts`), but for one: in a transaction of Prisma's client a `date` must be cast to text.
 * @param row the row's schema; gives the static type, is checked in tests only
 */
export async function query<T = Record<string, unknown>>(conn: Conn, statement: Sql, row?: z.ZodType<T>): Promise<T[]> {
  const runner = runnerOf(conn);
  const rows = runner
    ? (await runner.query(configOf(statement))).rows
    : fromPrisma(
        await (conn as Prisma.TransactionClient).$queryRawUnsafe<object[]>(statement.text, ...valuesOf(statement)),
      );
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
  const runner = runnerOf(conn);
  if (runner) return (await runner.query(configOf(statement))).rowCount ?? 0;
  return (conn as Prisma.TransactionClient).$executeRawUnsafe(statement.text, ...valuesOf(statement));
}
