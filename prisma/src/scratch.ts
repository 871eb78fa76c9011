import { createHash, randomBytes } from "node:crypto";

import pg from "pg";

import type { Db } from "./conn.ts";
import { poolOf } from "./query.ts";
import { RoleError } from "./roles.ts";

const INSUFFICIENT_PRIVILEGE = "42501";

/** The address of another database of the same Postgres. */
function addressOf(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

/**
 * Drops a database, after ending what this role runs in it. Postgres itself stops an autovacuum there and waits some seconds for the
 * connections to end; `with (force)` would need the right to end the sessions of every role.
 */
async function drop(client: pg.Client, name: string): Promise<void> {
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user",
    [name],
  );
  await client.query(`drop database if exists ${name}`);
}

/**
 * Runs `work` with the address of a new, empty database of the same Postgres, which is dropped at the end. Those that killed
 * processes left behind for this database are dropped first, so a second run beside this one ends this one's work.
 * @param onLeft called when one cannot be dropped, because another role is connected to it; the next run tries again
 * @throws RoleError when the role may not create databases
 */
export async function withScratchDatabase<T>(
  db: Db,
  work: (url: string) => Promise<T>,
  onLeft: (name: string, error: unknown) => void,
): Promise<T> {
  const url = poolOf(db).options.connectionString ?? "";
  const client = new pg.Client({ connectionString: url, application_name: "marketday restore" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ database: string; role: string }>(
      "select current_database()::text as database, current_user::text as role",
    );
    const { database, role } = rows[0]!;
    const prefix = `marketday_restore_${createHash("sha256").update(database).digest("hex").slice(0, 8)}_`;
    const left = await client.query<{ name: string }>(
      "select datname::text as name from pg_database where starts_with(datname, $1)",
      [prefix],
    );
    for (const { name } of left.rows) await drop(client, name).catch((error: unknown) => onLeft(name, error));
    const name = `${prefix}${randomBytes(4).toString("hex")}`;
    try {
      await client.query(`create database ${name} template template0`);
    } catch (error) {
      if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
      const statement = `alter role ${client.escapeIdentifier(role)} createdb;`;
      throw new RoleError(
        `The backup is of an older version, and bringing it up to date needs a second, temporary database, which the database role "${role}" may not create. As a superuser, in psql: ${statement} Then run this again. Nothing was changed.`,
      );
    }
    try {
      return await work(addressOf(url, name));
    } finally {
      await drop(client, name).catch((error: unknown) => onLeft(name, error));
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}
