import type { Client } from "@marketday/db";

export interface KeyId {
  actor: string;
  key: string;
}

/** A customer as the actor of a key. */
export const customerActor = (customerId: number): string => `c${customerId}`;

/** A person of the staff as the actor of a key. */
export const staffActor = (staffId: number): string => `s${staffId}`;

/** Deletes the key of a request that changed nothing, so that it can be used again. */
export async function releaseKey(db: Client, { actor, key }: KeyId): Promise<void> {
  await db.idempotency_key.deleteMany({ where: { actor, key, state: "running" } });
}

/** Whether the request with this key is still being answered. */
export const isKeyRunning = async (db: Client, { actor, key }: KeyId, now: Date): Promise<boolean> =>
  (await db.idempotency_key.count({ where: { actor, key, state: "running", lease_until: { gt: now } } })) > 0;

/** Deletes the key of a dead request, so that it can be used with another body. */
export async function releaseDeadKey(db: Client, { actor, key }: KeyId, now: Date): Promise<void> {
  await db.idempotency_key.deleteMany({ where: { actor, key, state: "running", lease_until: { lte: now } } });
}

/** Deletes keys that were created before an instant: at most `rows` at once. */
export const deleteOldKeys = async (db: Client, before: Date, rows: number): Promise<number> =>
  (await db.idempotency_key.deleteMany({ where: { created_at: { lt: before } }, limit: rows })).count;
