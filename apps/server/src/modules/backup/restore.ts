import { createReadStream } from "node:fs";
import { copyFile, mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

import { copyBytesIn, execute, query, sql, transaction, type Tx, stopOnAbort, queryOne } from "@marketday/db";

import { forgetPerson } from "../account/delete-account.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { type Context, asCustomerId } from "../identity/context.ts";
import type { BackupHow } from "./back-up.ts";
import { checkBackup } from "./check-backup.ts";
import { BackupError, type Manifest, pepperMark, readManifest } from "./manifest.ts";
import {
  findDeletions,
  findFilled,
  findMigrations,
  findRoleThatMayNotRestore,
  findServers,
  findTables,
} from "./store.ts";

export interface RestoreHow extends BackupHow {
  /** Empties a database that has rows. */
  replace: boolean;
  dryRun: boolean;
}

export interface Restored {
  manifest: Manifest;
  /** Tables that had rows before. */
  replaced: string[];
  /** Accounts that were deleted after the backup was taken and are deleted again. */
  deletedAgain: number[];
  /** Whether the passwords' pepper differs from the backup's, so that no customer can log in. */
  otherPepper: boolean;
}

class DryRun extends Error {}

/** Accounts that are deleted in another backup beside this one or in the current database (failures.md L3). */
async function knownDeletions(tx: Tx, folder: string): Promise<Set<number>> {
  const known = new Set(await findDeletions(tx));
  const siblings = await readdir(dirname(folder), { withFileTypes: true }).catch(() => []);
  for (const entry of siblings.filter((each) => each.isDirectory())) {
    const manifest = await readManifest(join(dirname(folder), entry.name)).catch(() => null);
    for (const id of manifest?.deletions ?? []) known.add(id);
  }
  return known;
}

/** The trigger that rejects rows of deleted customers is off while rows come back: what outlived its customer is among them. */
const setCustomerTriggers = (tx: Tx, state: "enable" | "disable") =>
  tx.client.query(`do $$ declare name regclass; begin
    for name in select tgrelid from pg_trigger where tgname = 'customer_exists' loop
      execute format('alter table %s ${state} trigger customer_exists', name);
    end loop;
  end $$`);

async function fill(tx: Tx, folder: string, manifest: Manifest, how: RestoreHow): Promise<void> {
  await setCustomerTriggers(tx, "disable");
  const all = manifest.tables.map(({ name }) => `"${name}"`).join(", ");
  await tx.client.query(`truncate ${all} cascade; truncate search.word`);
  for (const [place, table] of manifest.tables.entries()) {
    how.signal.throwIfAborted();
    how.onProgress?.(place, manifest.tables.length, table.name);
    const bytes: Readable = createReadStream(join(folder, table.file.path)).pipe(createGunzip());
    const columns = table.columns.map((name) => `"${name}"`).join(", ");
    const rows = await copyBytesIn(tx, `"${table.name}" (${columns})`, bytes);
    if (rows !== table.rows)
      throw new BackupError(
        `The backup is damaged: ${table.name} has ${rows} rows, not ${table.rows}. Nothing was changed.`,
      );
  }
  for (const { name, value, isCalled } of manifest.sequences)
    await query(tx, sql`select setval(${`"${name}"`}::regclass, ${value}::bigint, ${isCalled}::boolean)`);
  await setCustomerTriggers(tx, "enable");
}

/** Pictures are named by their content, so an existing one is the same. */
async function restoreFiles(ctx: Context, folder: string, manifest: Manifest): Promise<void> {
  for (const { path } of manifest.files) {
    const to = join(ctx.deps.env.dataDir, path);
    await mkdir(dirname(to), { recursive: true });
    await copyFile(join(folder, "files", path), `${to}.tmp`);
    await rename(`${to}.tmp`, to);
  }
}

function requireSameSchema(manifest: Manifest, have: readonly string[], folder: string): void {
  const missing = have.filter((name) => !manifest.migrations.includes(name));
  const unknown = manifest.migrations.filter((name) => !have.includes(name));
  if (missing.length + unknown.length === 0) return;
  const names = [
    ...missing.map((name) => `without ${name.split(" ")[0]}`),
    ...unknown.map((name) => `with ${name.split(" ")[0]}`),
  ];
  throw new BackupError(
    `The backup in ${folder} is of another version of the schema (${names.slice(0, 3).join(", ")}): restore it with the version of Marketday that made it, then update. Nothing was changed.`,
  );
}

/**
 * Replaces the database's rows with a backup, in one transaction. First every file is read and compared with the manifest. Accounts
 * that were deleted since are deleted again in the same transaction.
 * @throws BackupError for a damaged backup, another schema, a database with rows (unless `replace`), and a server that runs on it
 */
export async function restore(ctx: Context, folder: string, how: RestoreHow): Promise<Restored> {
  const manifest = await checkBackup(folder, how.signal);
  const { db, env } = ctx.deps;
  const restored: Restored = {
    manifest,
    replaced: [],
    deletedAgain: [],
    otherPepper: pepperMark(env.pepper) !== manifest.pepper,
  };
  try {
    await transaction(
      db,
      async (tx) => {
        await tx.client.query(
          "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '30s'",
        );
        const forget = await stopOnAbort(tx, how.signal, (pid) =>
          execute(db, sql`select pg_cancel_backend(${pid}::int)`),
        );
        try {
          requireSameSchema(manifest, await findMigrations(tx), folder);
          const role = await findRoleThatMayNotRestore(tx);
          if (role !== null)
            throw new BackupError(
              `The database role "${role}" may not restore, because it does not own the tables: set MIGRATE_DATABASE_URL to the address of the role that does. Nothing was changed.`,
            );
          if ((await findServers(tx)) > 0)
            throw new BackupError("A server is running on this database: stop it first. Nothing was changed.");
          restored.replaced = await findFilled(tx, await findTables(tx));
          if (restored.replaced.length > 0 && !how.replace && !how.dryRun)
            throw new BackupError(
              `The database is not empty (${restored.replaced.slice(0, 5).join(", ")} …). Say --yes to put the backup in the place of what it holds. Nothing was changed.`,
            );
          const deletions = await knownDeletions(tx, folder);
          await fill(tx, folder, manifest, how);
          for (const id of [...deletions].filter((each) => !manifest.deletions.includes(each)))
            if (await forgetAgain(tx, ctx, id)) restored.deletedAgain.push(id);
          await writeAuditEntry(tx, ctx, {
            action: "restore",
            subject: `backup:${manifest.takenAt}`,
            reason: "",
            data: { folder, replaced: restored.replaced, deletedAgain: restored.deletedAgain },
          });
          how.signal.throwIfAborted();
          if (how.dryRun) throw new DryRun();
          await restoreFiles(ctx, folder, manifest);
          await execute(tx, sql`analyze`);
        } finally {
          forget();
        }
      },
      { retries: 0 },
    );
  } catch (error) {
    if (how.signal.aborted) throw how.signal.reason;
    if (!(error instanceof DryRun)) throw error;
  }
  return restored;
}

/** Deletes an account again that a backup contains; false when it is not in it, or deleted in it too. */
async function forgetAgain(tx: Tx, { now }: Context, customerId: number): Promise<boolean> {
  const person = await queryOne<{ email: string | null }>(
    tx,
    sql`select email from customer where id = ${customerId}::int and deleted_at is null`,
  );
  if (!person?.email) return false;
  await forgetPerson(tx, asCustomerId(customerId), person.email, now);
  return true;
}
