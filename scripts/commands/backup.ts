import { dirname, join, resolve } from "node:path";

import { backUp, sizeOf } from "@marketday/server/modules/backup/back-up";
import { backupFolder } from "@marketday/server/modules/backup/list-backups";
import { backupName, type Pruned, pruneBackups } from "@marketday/server/modules/backup/prune-backups";
import { restore } from "@marketday/server/modules/backup/restore";
import { audit } from "@marketday/server/modules/doctor/violation-sql";
import { storeBackup } from "@marketday/server/modules/health/stored-health";
import { type Command, InvalidArgumentError } from "commander";

import { command } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { some, whole } from "../lib/cli/values.ts";

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** Options of `market backup`. */
interface BackupOptions {
  into?: string;
  keep?: number;
}

function count(text: string): number {
  const found = whole(text);
  if (found === 0) throw new InvalidArgumentError("Keep at least 1.");
  return found;
}

/** Lines that `--keep` adds to the output of `market backup`. */
const prunedLines = ({ kept, deleted, damaged }: Pruned): string[] => [
  `${some(kept.length, "backups")} kept, ${some(deleted.length, "older ones")} deleted.`,
  ...damaged.map(
    (name) => `${name} is not a complete backup. It was kept and does not count: inspect it, then delete it.`,
  ),
];

/** `market backup`: the whole market in one folder. */
const backupCommand = (): Command =>
  command<BackupOptions>({
    name: "backup [folder]",
    summary: "save the whole market: every table at one instant, pictures, and a manifest with checksums",
    about:
      "Works while a server is running. Without a folder: backups/<instant> in the data folder. The folder appears complete or not\nat all. It holds no secrets: keep SESSION_SECRET and PASSWORD_PEPPER (or the files of that name in the data folder) elsewhere.",
    examples: ["backup", "backup /mnt/backups/monday", "backup --into /mnt/backups --keep 14"],
    options: (cmd) =>
      cmd
        .option("--into <folder>", "make it in this folder, named by its time (default: backups in the data folder)")
        .option(
          "--keep <count>",
          "then delete backups named by their time, except this many of the newest complete ones",
          count,
        ),
    async run({ options, out, market, signal }, given) {
      if (given !== undefined && (options.into !== undefined || options.keep !== undefined))
        throw new CliError(
          EXIT.usage,
          "--into and --keep are for backups named by their time: leave the folder's name out. Nothing was done.",
        );
      const bar = out.progress("Saving");
      const { folder, bytes, manifest, pruned } = await market(
        async (ctx) => {
          const parent = resolve(options.into ?? backupFolder(ctx.deps.env));
          const name = backupName(ctx.now);
          const folder = given === undefined ? join(parent, name) : resolve(given);
          const manifest = await backUp(ctx, folder, { signal, onProgress: bar.at });
          await storeBackup(ctx.deps.db, new Date(manifest.takenAt), dirname(folder));
          const pruned =
            options.keep === undefined ? undefined : await pruneBackups(parent, options.keep, name, ctx.now);
          return { folder, manifest, bytes: await sizeOf(folder), pruned };
        },
        { long: true, stopsItself: true },
      ).finally(() => bar.end());
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
      const summary = {
        folder,
        takenAt: manifest.takenAt,
        tables: manifest.tables.length,
        rows,
        files: manifest.files.length,
        bytes,
        ...(pruned && { pruned }),
      };
      out.answer(summary, () =>
        [
          `Saved ${some(rows, "rows")} of ${some(summary.tables, "tables")} and ${some(summary.files, "pictures")} in ${folder} (${megabytes(bytes)}).`,
          ...(pruned ? prunedLines(pruned) : []),
        ].join("\n"),
      );
    },
  });

/** `market restore`: replaces the contents of the database with a backup. */
const restoreCommand = (): Command =>
  command({
    name: "restore <folder>",
    summary: "replace the contents of the database with a backup",
    about:
      "Reads and checks the whole backup first: a damaged one, or one of a newer version, is refused and nothing is changed. One of\nan older version is brought up to date in a temporary database, which the role must be able to create. Until all of it is in\nplace the market stays as it was. A database that is not empty is replaced only with --yes. Stop the server first.\nIf the server's role does not own the tables, MIGRATE_DATABASE_URL must be set (docs/security.md). Accounts that were deleted\nsince the backup are deleted again.",
    examples: ["restore /mnt/backups/monday --dry-run", "restore /mnt/backups/monday --yes"],
    writes: true,
    needsConfirmation: true,
    async run({ options, out, market, signal }, given) {
      const bar = out.progress("Restoring");
      const folder = resolve(given);
      const { restored, problems } = await market(
        async (ctx) => {
          const restored = await restore(ctx, folder, {
            signal,
            onProgress: bar.at,
            replace: options.yes === true,
            dryRun: options.dryRun === true,
          });
          // As of the time of the backup: the server catches up with what has come due since.
          const then = new Date(restored.manifest.takenAt);
          return { restored, problems: options.dryRun ? [] : await audit(ctx.deps.db, then) };
        },
        { long: true, stopsItself: true, asOwner: true },
      ).finally(() => bar.end());
      if (problems.length > 0) process.exitCode = EXIT.refused;
      const { manifest, migrated, replaced, deletedAgain, otherPepper } = restored;
      const summary = {
        folder,
        takenAt: manifest.takenAt,
        tables: manifest.tables.length,
        migrated,
        replaced,
        deletedAgain,
        otherPepper,
        problems,
        dryRun: options.dryRun === true,
      };
      out.answer(summary, () =>
        [
          `${options.dryRun ? "Would restore" : "Restored"} the market of ${manifest.takenAt} (${summary.tables} tables).`,
          ...(migrated.length > 0
            ? [
                `The backup is of an older version and ${options.dryRun ? "would be" : "was"} brought up to date by ${some(migrated.length, "migrations")} (the last is ${migrated.at(-1)}).`,
              ]
            : []),
          ...(deletedAgain.length > 0
            ? [`Deleted again: ${deletedAgain.length} accounts that were deleted since the backup.`]
            : []),
          ...(otherPepper
            ? [
                out.color.yellow(
                  "PASSWORD_PEPPER is not the one from the time of the backup: no one can log in until the old one is set.",
                ),
              ]
            : []),
          ...(problems.length > 0
            ? [`${problems.length} things do not add up: ./market doctor lists them.`]
            : options.dryRun
              ? []
              : ["Everything adds up."]),
        ].join("\n"),
      );
    },
  });

/** `market backup` and `market restore`. */
export const backupCommands = (): Command[] => [backupCommand(), restoreCommand()];
