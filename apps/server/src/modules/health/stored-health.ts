import type { Client, Db } from "@marketday/db";
import { z } from "zod";

/** What the last checks and the last backup left in `market_fact`. */
export interface StoredHealth {
  /** Problems that the checks found; null: they have not run yet. */
  failed: number | null;
  /** The first of them, as `market doctor` prints them. */
  problems: string[];
  checkedAt: Date | null;
  lastBackupAt: Date | null;
}

/** Keys of `market_fact`. */
export const CHECKS = "doctor";
export const BACKUP = "backup";
/** Problems that are stored. */
const PROBLEMS_STORED = 10;

const Checks = z.object({ failed: z.number(), problems: z.array(z.string()), checkedAt: z.coerce.date() });
const Backup = z.object({ takenAt: z.coerce.date(), folder: z.string().optional() });

/** Of the values of `market_fact` by their keys. What is not there, or of another version, counts as never. */
export function readHealth(facts: Readonly<Record<string, unknown>>): StoredHealth {
  const checks = Checks.safeParse(facts[CHECKS]).data;
  return {
    failed: checks?.failed ?? null,
    problems: checks?.problems ?? [],
    checkedAt: checks?.checkedAt ?? null,
    lastBackupAt: Backup.safeParse(facts[BACKUP]).data?.takenAt ?? null,
  };
}

/** Stores what the checks of this moment found, unless later ones have stored their result. */
export async function storeChecks(db: Client, problems: readonly string[], now: Date): Promise<void> {
  const value = { failed: problems.length, problems: problems.slice(0, PROBLEMS_STORED), checkedAt: now.toISOString() };
  const fact = { key: CHECKS, value, created_at: now };
  if ((await db.market_fact.createMany({ data: [fact], skipDuplicates: true })).count === 1) return;
  await db.market_fact.updateMany({ where: { key: CHECKS, created_at: { lte: now } }, data: fact });
}

/** Stores when the newest complete backup was taken, and the folder that it is in. */
export async function storeBackup(db: Client, takenAt: Date, folder: string): Promise<void> {
  const fact = { value: { takenAt: takenAt.toISOString(), folder }, created_at: takenAt };
  await db.market_fact.upsert({ where: { key: BACKUP }, create: { key: BACKUP, ...fact }, update: fact });
}

/** When the newest backup was taken, and the folder that it is in; null: none, or not known. */
export async function findLastBackup(db: Client): Promise<{ takenAt: Date | null; folder: string | null }> {
  const fact = await db.market_fact.findUnique({ where: { key: BACKUP }, select: { value: true } });
  const { takenAt = null, folder = null } = Backup.safeParse(fact?.value).data ?? {};
  return { takenAt, folder };
}

/**
 * Claims the hourly checks, of which `created_at` is when they were begun: false when a server has begun them after `since`.
 */
export async function claimChecks(db: Db, since: Date, now: Date): Promise<boolean> {
  const fact = { key: CHECKS, value: {}, created_at: now };
  if ((await db.market_fact.createMany({ data: [fact], skipDuplicates: true })).count === 1) return true;
  const due = { key: CHECKS, created_at: { lte: since } };
  return (await db.market_fact.updateMany({ where: due, data: { created_at: now } })).count === 1;
}
