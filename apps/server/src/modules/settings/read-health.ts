import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Backups, SystemHealth } from "@marketday/contracts/admin/settings";
import { z } from "zod";

import type { Deps } from "../../deps.ts";
import { projectRoot } from "../../env.ts";
import { backupFolder, listBackups } from "../backup/list-backups.ts";
import { findLastBackup, readHealth } from "../health/stored-health.ts";
import { canRetry } from "../job-failures/retry-sql.ts";
import { findHealth } from "./health-sql.ts";

/** Failed work that is listed. */
const WORK = 200;
/** Backups that are listed. */
const BACKUPS = 10;

const Package = z.object({ version: z.string() });

/** The version of package.json. */
const readVersion = async (): Promise<string> =>
  Package.parse(JSON.parse(await readFile(join(projectRoot, "package.json"), "utf8"))).version;

const isoOf = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Whether the machine is well: the last checks, failed work, versions. */
export async function readSystemHealth({ db, clock }: Deps): Promise<SystemHealth> {
  const [row, marketday] = await Promise.all([findHealth(db, clock.now(), WORK), readVersion()]);
  if (!row) throw new Error("no health");
  const { failed, problems, checkedAt } = readHealth(row.facts);
  return {
    checks: { failed, problems, checkedAt: isoOf(checkedAt) },
    total: row.total,
    work: row.work.map(({ next_at: nextAt, since, ...work }) => ({
      ...work,
      since: new Date(since).toISOString(),
      nextAt: nextAt === null ? null : new Date(nextAt).toISOString(),
      canRetry: canRetry(work.job, nextAt !== null),
    })),
    versions: {
      marketday,
      node: process.version.replace("v", ""),
      postgres: row.postgres,
      migration: row.migration,
    },
  };
}

/** The last backup, and those in its folder. */
export async function readBackups({ db, env }: Deps): Promise<Backups> {
  const { takenAt, folder } = await findLastBackup(db);
  const shown = folder ?? backupFolder(env);
  return { lastAt: isoOf(takenAt), folder: shown, found: await listBackups(shown, BACKUPS) };
}
