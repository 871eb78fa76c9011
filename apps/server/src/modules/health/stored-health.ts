import type { Client, Db, Prisma } from "@marketday/db";
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
const Backup = z.object({ takenAt: z.coerce.date() });

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

async function store(db: Client, key: string, value: Prisma.InputJsonObject, at: Date): Promise<void> {
  const fact = { value, created_at: at };
  await db.market_fact.upsert({ where: { key }, create: { key, ...fact }, update: fact });
}

/** Stores what the checks of this moment found. */
export const storeChecks = (db: Client, problems: readonly string[], now: Date): Promise<void> =>
  store(
    db,
    CHECKS,
    { failed: problems.length, problems: problems.slice(0, PROBLEMS_STORED), checkedAt: now.toISOString() },
    now,
  );

/** Stores when the newest complete backup was taken. */
export const storeBackup = (db: Client, takenAt: Date): Promise<void> =>
  store(db, BACKUP, { takenAt: takenAt.toISOString() }, takenAt);

/**
 * Claims the hourly checks, of which `created_at` is when they were begun: false when a server has begun them after `since`.
 */
export async function claimChecks(db: Db, since: Date, now: Date): Promise<boolean> {
  const fact = { key: CHECKS, value: {}, created_at: now };
  if ((await db.market_fact.createMany({ data: [fact], skipDuplicates: true })).count === 1) return true;
  const due = { key: CHECKS, created_at: { lte: since } };
  return (await db.market_fact.updateMany({ where: due, data: { created_at: now } })).count === 1;
}
