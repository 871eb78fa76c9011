import pg from "pg";

import { BASELINE, type Migration, migrationsDir, oldMigrationsDir, readMigrations } from "./migration-files.ts";
import { migrateQueues, queuesAreCurrent } from "./queues.ts";
import {
  ensureServerRole,
  type GrantOptions,
  type GrantPlan,
  grantServerRole,
  requireServerRights,
  RoleError,
} from "./roles.ts";
import { listMigrations, withSchemaEngine } from "./schema-engine.ts";

/** A database that cannot be brought up to date; the message is one sentence for people. */
export class MigrateError extends Error {}

export type MigrateOptions = {
  /** The address of the role that may create tables (MIGRATE_DATABASE_URL, else DATABASE_URL). */
  url: string;
  /** The server's role, when `url` is the owner's: it is granted what the server needs, on new tables as well. */
  role?: string;
  log?: (line: string) => void;
  /** Another folder of migrations, for tests. */
  dir?: string;
};

type Recorded = { migration_name: string; checksum: string; finished_at: Date | null };

const oldest = { number: 150_000, name: "15" };
/** Any fixed number will do; the lock is per database. */
const lockKey = 7_263_527;

/** Host and database of a connection string, without user and password. */
export function describeUrl(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host || "localhost"}${pathname}`;
  } catch {
    return "the database";
  }
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: "marketday migrate",
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch (error) {
    const reason = (error as Error).message || (error as NodeJS.ErrnoException).code;
    throw new MigrateError(`The database at ${describeUrl(url)} cannot be reached: ${reason}.`, { cause: error });
  }
  return client;
}

async function requireVersion(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as name",
  );
  const found = rows[0];
  if (found && found.number >= oldest.number) return;
  throw new MigrateError(
    `The database at ${describeUrl(url)} is Postgres ${found?.name ?? "of an unknown version"}; Marketday needs ${oldest.name} or newer.`,
  );
}

async function readRecorded(client: pg.Client): Promise<Recorded[]> {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('_prisma_migrations') is not null as exists",
  );
  if (!rows[0]?.exists) return [];
  const recorded = await client.query<Recorded>(
    "select migration_name, checksum, finished_at from _prisma_migrations where rolled_back_at is null order by started_at",
  );
  return recorded.rows;
}

/** Rejects a database that is newer than this code, or that has another history. */
function requireSameHistory(recorded: Recorded[], migrations: Migration[]): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { migration_name: name, checksum, finished_at } of recorded) {
    const migration = known.get(name);
    if (!migration) {
      throw new MigrateError(
        `The database has the migration ${name}, which this version does not know: start a newer version, or restore a backup.`,
      );
    }
    if (finished_at && migration.checksum !== checksum) {
      throw new MigrateError(
        `The migration ${name} was changed after it was applied to this database: put the file back as it was.`,
      );
    }
  }
}

type Migrator = { role: string; migrated: boolean; mayMigrate: boolean };

/** The connection's role, and whether it may change the tables, or make those of an empty database. */
async function readMigrator(client: pg.Client): Promise<Migrator> {
  const { rows } = await client.query<Migrator>(
    `select current_user::text as role, c.oid is not null as migrated,
       case when c.oid is not null then pg_has_role(current_user, c.relowner, 'USAGE')
         else has_schema_privilege(current_user, 'public', 'CREATE') and has_database_privilege(current_user, current_database(), 'CREATE') end as "mayMigrate"
     from (select 1) one left join pg_class c on c.oid = to_regclass('_prisma_migrations')`,
  );
  return rows[0]!;
}

/** Applies the migrations that are not recorded as finished, and returns their names. */
async function apply(url: string, migrations: Migration[], dir: string, recorded: readonly Recorded[]) {
  const unfinished = recorded.filter((row) => !row.finished_at).map((row) => row.migration_name);
  return withSchemaEngine(
    url,
    [["schema.prisma", 'datasource db {\n  provider = "postgresql"\n}\n']],
    async (engine) => {
      // A script is one transaction, so an unfinished one left nothing behind and can run again.
      for (const migrationName of unfinished) await engine.markMigrationRolledBack({ migrationName });
      const { appliedMigrationNames } = await engine.applyMigrations({
        migrationsList: listMigrations(dir, migrations),
        filters: { externalTables: [], externalEnums: [] },
      });
      return appliedMigrationNames;
    },
  );
}

const isCurrent = (recorded: readonly Recorded[], migrations: readonly Migration[]): boolean =>
  recorded.every((row) => row.finished_at) &&
  migrations.every(({ name }) => recorded.some((row) => row.migration_name === name));

/** Whether the database was made by the migrations that the baseline replaced. */
const isOlderThanBaseline = (recorded: readonly Recorded[], migrations: readonly Migration[]): boolean =>
  recorded.length > 0 &&
  migrations.some(({ name }) => name === BASELINE) &&
  recorded.every((row) => row.migration_name !== BASELINE);

/**
 * Applies what an older database lacks of the old migrations, and then records the baseline in their place: both lead to the same
 * tables. One that was killed in between goes on at the next start. Returns the names of what was applied.
 */
async function upgradeToBaseline(
  client: pg.Client,
  url: string,
  recorded: Recorded[],
  migrations: readonly Migration[],
): Promise<string[]> {
  const old = await readMigrations(oldMigrationsDir);
  requireSameHistory(recorded, old);
  const applied = await apply(url, old, oldMigrationsDir, recorded);
  const baseline = migrations.find(({ name }) => name === BASELINE)!;
  await client.query("begin");
  await client.query("delete from _prisma_migrations");
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     values (gen_random_uuid(), $1, $2, now(), now(), 1)`,
    [baseline.checksum, baseline.name],
  );
  await client.query("commit");
  return applied;
}

/**
 * Brings the database and its queues up to date, keeping `_prisma_migrations` as `prisma migrate deploy` does. Any number of
 * processes may start at once: one applies, the others wait for it (docs/failures.md D11). A role that does not own the tables may
 * call it on a database that is up to date; its rights are checked then.
 * @returns the names of what was applied now
 * @throws MigrateError; RoleError when the role may not migrate, or lacks a right that the server needs
 */
export async function migrate({ url, role, log, dir = migrationsDir }: MigrateOptions): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(dir);
  return withLock(url, "The database could not be brought up to date", async (client) => {
    const migrator = await readMigrator(client);
    if (!migrator.mayMigrate && migrator.migrated) await requireServerRights(client);
    const found = await readRecorded(client);
    const isOlder = isOlderThanBaseline(found, migrations);
    if (!isOlder) requireSameHistory(found, migrations);
    if (!migrator.mayMigrate) {
      if (isCurrent(found, migrations) && (await queuesAreCurrent(client))) return { applied: [] };
      throw new RoleError(
        `The database at ${describeUrl(url)} must be brought up to date, which the role "${migrator.role}" may not do: set MIGRATE_DATABASE_URL to the address of the role that owns the tables, here or for the command ./market database grant ${migrator.role}.`,
      );
    }
    if (!isCurrent(found, migrations)) log?.("Bringing the database up to date …");
    const applied = isOlder ? await upgradeToBaseline(client, url, found, migrations) : [];
    const recorded = isOlder ? await readRecorded(client) : found;
    if (!isCurrent(recorded, migrations)) applied.push(...(await apply(url, migrations, dir, recorded)));
    await migrateQueues(client);
    if (role !== undefined && role !== migrator.role) await ensureServerRole(client, role);
    return { applied };
  });
}

/** How a schema relates to this version's. `newer`: a migration of it is unknown here; `other`: one has another content. */
export type SchemaAge = "current" | "older" | "newer" | "other";

/** A migration as the backups list it. */
const labelOf = ({ name, checksum }: Migration): string => `${name} ${checksum}`;

/** The migrations of this version that made a schema, if it has no others: those of today, or those that the baseline replaced. */
async function findSource(made: readonly string[]): Promise<{ dir: string; migrations: Migration[] } | null> {
  for (const dir of [migrationsDir, oldMigrationsDir]) {
    const migrations = (await readMigrations(dir)).filter((migration) => made.includes(labelOf(migration)));
    if (made.length > 0 && migrations.length === made.length) return { dir, migrations };
  }
  return null;
}

/** @param made the schema's finished migrations, each "name checksum" */
export async function compareSchema(made: readonly string[]): Promise<SchemaAge> {
  const current = await readMigrations();
  const source = await findSource(made);
  if (source) return source.dir === migrationsDir && made.length === current.length ? "current" : "older";
  const names = new Set([...current, ...(await readMigrations(oldMigrationsDir))].map(({ name }) => name));
  return made.every((label) => names.has(label.split(" ")[0]!)) ? "other" : "newer";
}

/**
 * Gives an empty database the tables of an older version; `migrate` brings it up to date.
 * @param made the migrations of that version, each "name checksum"; `compareSchema` finds them older or current
 */
export async function migrateTo(url: string, made: readonly string[]): Promise<void> {
  const source = await findSource(made);
  if (!source) throw new MigrateError("These migrations are not those of a version that this one knows.");
  await withLock(url, "The tables of an older version could not be made", () =>
    apply(url, source.migrations, source.dir, []),
  );
}

/**
 * Gives a role what the server needs, in one transaction; nothing when it has exactly that.
 * @param url the owner's address; its database must be migrated
 * @throws MigrateError; RoleError when there is no such role, or `url` is not the owner's
 */
export const grantRole = (url: string, role: string, options: GrantOptions = {}): Promise<GrantPlan> =>
  withLock(url, "The rights could not be granted", (client) => grantServerRole(client, role, options));

/** Runs `work` while no other process migrates this database or grants rights in it. */
async function withLock<T>(url: string, failure: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await open(url);
  try {
    await requireVersion(client, url);
    await client.query("select pg_advisory_lock($1)", [lockKey]);
    return await work(client);
  } catch (error) {
    if (error instanceof MigrateError || error instanceof RoleError) throw error;
    throw new MigrateError(`${failure}: ${(error as Error).message}.`, { cause: error });
  } finally {
    // Ending the session releases the lock.
    await client.end().catch(() => undefined);
  }
}

/**
 * Connects once, so that a wrong address or password is one sentence.
 * @throws MigrateError
 */
export async function requireConnection(url: string): Promise<void> {
  await (await open(url)).end();
}

if (import.meta.main) {
  try {
    const url = process.env["MIGRATE_DATABASE_URL"] ?? process.env["DATABASE_URL"];
    if (!url) throw new MigrateError("DATABASE_URL is not set.");
    const { applied } = await migrate({ url, log: console.log });
    console.log(applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The database is up to date.");
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
