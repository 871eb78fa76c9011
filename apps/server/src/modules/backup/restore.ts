import { copyFile, mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";

import { sqlTransaction, type AnyTx } from "@marketday/db";
import { compareSchema } from "@marketday/db/migrate";

import { forgetPerson } from "../account/delete-account.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { resetHealth } from "../health/health-sql.ts";
import { type Context, asCustomerId } from "../identity/context.ts";
import type { BackupHow } from "./back-up.ts";
import { checkBackup } from "./check-backup.ts";
import { type Content, contentOf, fill, withLongTransaction } from "./fill-tables.ts";
import { BackupError, type Manifest, pepperMark, readManifest } from "./manifest.ts";
import { withMigrated } from "./migrate-backup.ts";
import {
  endHeldActions,
  endStaffAccess,
  findDeletions,
  findEmail,
  findFilled,
  findMigrations,
  findRoleThatMayNotRestore,
  findServers,
  findTables,
} from "./table-sql.ts";

export interface RestoreHow extends BackupHow {
  /** Empties a database that has rows. */
  replace: boolean;
  dryRun: boolean;
}

export interface Restored {
  manifest: Manifest;
  /** The migrations by which the rows of an older version were brought up to date. */
  migrated: string[];
  /** Tables that had rows before. */
  replaced: string[];
  /** Accounts that were deleted after the backup was taken and are deleted again. */
  deletedAgain: number[];
  /** Whether the passwords' pepper differs from the backup's, so that no customer can log in. */
  otherPepper: boolean;
}

class DryRun extends Error {}

/** Accounts that are deleted in another backup beside this one or in the current database (failures.md L3). */
async function knownDeletions(tx: AnyTx, folder: string): Promise<Set<number>> {
  const known = new Set(await findDeletions(tx));
  const siblings = await readdir(dirname(folder), { withFileTypes: true }).catch(() => []);
  for (const entry of siblings.filter((each) => each.isDirectory())) {
    const manifest = await readManifest(join(dirname(folder), entry.name)).catch(() => null);
    for (const id of manifest?.deletions ?? []) known.add(id);
  }
  return known;
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

/** The last of a schema's migrations, by which people find the version that has it. */
const nameOf = (migrations: readonly string[]): string => migrations.at(-1)?.split(" ")[0] ?? "none";

/** @throws BackupError for a backup that this version can neither read nor bring up to date */
async function requireKnownSchema({ migrations }: Manifest, folder: string): Promise<"current" | "older"> {
  const age = await compareSchema(migrations);
  if (age === "newer")
    throw new BackupError(
      `The backup in ${folder} was made by a newer version of Marketday (its tables are those of ${nameOf(migrations)}): restore it with the version that made it, or a newer one. Nothing was changed.`,
    );
  if (age === "other")
    throw new BackupError(
      `The backup in ${folder} was made by another edition of Marketday (one of its migrations up to ${nameOf(migrations)} has another content here): restore it with the one that made it. Nothing was changed.`,
    );
  return age;
}

/** @returns the tables that have rows. @throws BackupError when the database may not be replaced */
async function requireReplaceable(tx: AnyTx, how: RestoreHow): Promise<string[]> {
  if ((await compareSchema(await findMigrations(tx))) !== "current")
    throw new BackupError(
      "The database was brought to another version meanwhile: restore with that version. Nothing was changed.",
    );
  const role = await findRoleThatMayNotRestore(tx);
  if (role !== null)
    throw new BackupError(
      `The database role "${role}" may not restore, because it does not own the tables: set MIGRATE_DATABASE_URL to the address of the role that does. Nothing was changed.`,
    );
  if ((await findServers(tx)) > 0)
    throw new BackupError("A server is running on this database: stop it first. Nothing was changed.");
  const filled = await findFilled(tx, await findTables(tx));
  if (filled.length > 0 && !how.replace && !how.dryRun)
    throw new BackupError(
      `The database is not empty (${filled.slice(0, 5).join(", ")} …). Say --yes to put the backup in the place of what it holds. Nothing was changed.`,
    );
  return filled;
}

/** Replaces the rows of the database with `content` in one transaction; with `dryRun` it is rolled back. */
async function replaceRows(
  ctx: Context,
  folder: string,
  { manifest, content, how }: { manifest: Manifest; content: Content; how: RestoreHow },
): Promise<Pick<Restored, "replaced" | "deletedAgain">> {
  const { db } = ctx.deps;
  const result: Pick<Restored, "replaced" | "deletedAgain"> = { replaced: [], deletedAgain: [] };
  try {
    await withLongTransaction(db, how.signal, async (tx) => {
      result.replaced = await requireReplaceable(tx, how);
      const deletions = await knownDeletions(tx, folder);
      await fill(tx, content, how);
      for (const id of [...deletions].filter((each) => !manifest.deletions.includes(each)))
        if (await forgetAgain(tx, ctx, id)) result.deletedAgain.push(id);
      await endStaffAccess(tx, ctx.now);
      await endHeldActions(tx, ctx.now);
      await resetHealth(tx, new Date(manifest.takenAt));
      await writeAuditEntry(tx, ctx, {
        action: "restore",
        subject: `backup:${manifest.takenAt}`,
        reason: "",
        data: { folder, ...result },
      });
      how.signal.throwIfAborted();
      if (how.dryRun) throw new DryRun();
      await restoreFiles(ctx, folder, manifest);
    });
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
  }
  return result;
}

/**
 * Replaces the database's rows with a backup, in one transaction: until its commit the market that was there stays. First every
 * file is read and compared with the manifest. The rows of an older version are brought up to date in a temporary database before.
 * Accounts that were deleted since are deleted again in the same transaction, and the staff's sessions and links end.
 * @throws BackupError for a damaged backup, one of a newer version, a database with rows (unless `replace`), and a server that runs
 *   on it; RoleError when an older backup needs a temporary database that the role may not create
 */
export async function restore(ctx: Context, folder: string, how: RestoreHow): Promise<Restored> {
  const { db, env } = ctx.deps;
  try {
    const age = await requireKnownSchema(await readManifest(folder), folder);
    const manifest = await checkBackup(folder, how.signal);
    const otherPepper = pepperMark(env.pepper) !== manifest.pepper;
    const replace = (content: Content) => replaceRows(ctx, folder, { manifest, content, how });
    if (age === "current")
      return { manifest, migrated: [], otherPepper, ...(await replace(contentOf(folder, manifest))) };
    await sqlTransaction(db, (tx) => requireReplaceable(tx, how));
    return await withMigrated(ctx.deps, folder, manifest, how, async (content, migrated) => ({
      manifest,
      migrated,
      otherPepper,
      ...(await replace(content)),
    }));
  } catch (error) {
    if (how.signal.aborted) throw how.signal.reason;
    throw error;
  }
}

/** Deletes an account again that a backup contains; false when it is not in it, or deleted in it too. */
async function forgetAgain(tx: AnyTx, ctx: Context, customerId: number): Promise<boolean> {
  const email = await findEmail(tx, customerId);
  if (!email) return false;
  await forgetPerson(tx, ctx, asCustomerId(customerId), email);
  return true;
}
