import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { SystemHealth } from "@marketday/contracts/admin/settings";
import { z } from "zod";

import type { Deps } from "../../deps.ts";
import { projectRoot } from "../../env.ts";
import { backupFolder, listBackups } from "../backup/list-backups.ts";
import { readHealth } from "../health/stored-health.ts";
import { hasNextTry } from "../job-failures/retry-sql.ts";
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

/** Whether the machine is well: the last checks, failed work, backups, versions. */
export async function readSystemHealth({ db, env, clock }: Deps): Promise<SystemHealth> {
  const folder = backupFolder(env);
  const [row, found, marketday] = await Promise.all([
    findHealth(db, clock.now(), WORK),
    listBackups(folder, BACKUPS),
    readVersion(),
  ]);
  if (!row) throw new Error("no health");
  const health = readHealth(row.facts);
  return {
    checks: { failed: health.failed, problems: health.problems, checkedAt: isoOf(health.checkedAt) },
    total: row.total,
    work: row.work.map((each) => ({
      job: each.job,
      subject: each.subject,
      reason: each.reason,
      tries: each.tries,
      since: new Date(each.since).toISOString(),
      nextAt: each.next_at === null ? null : new Date(each.next_at).toISOString(),
      canRetry: hasNextTry(each.job, each.next_at !== null),
    })),
    backups: { lastAt: isoOf(health.lastBackupAt), folder, found },
    versions: {
      marketday,
      node: process.version.replace("v", ""),
      postgres: row.postgres,
      migration: row.migration,
    },
  };
}
