import type { Db } from "@marketday/db";

const KEY = "sanitizer";

/** The version of the rules that the descriptions were last sanitized with; null: never. */
export async function findSanitizer(db: Db): Promise<number | null> {
  const fact = await db.market_fact.findUnique({ where: { key: KEY }, select: { value: true } });
  return fact && (fact.value as { version: number }).version;
}

export async function setSanitizer(db: Db, version: number, now: Date): Promise<void> {
  const fact = { value: { version }, created_at: now };
  await db.market_fact.upsert({ where: { key: KEY }, create: { key: KEY, ...fact }, update: fact });
}
