import type { Client } from "@marketday/db";

const countOf = ({ count }: { count: number }): number => count;

/** Deletes expired proofs of the bot check: at most `rows` at once. */
export const deleteOldProofs = (db: Client, now: Date, rows: number): Promise<number> =>
  db.bot_proof.deleteMany({ where: { expires_at: { lt: now } }, limit: rows }).then(countOf);

/** Deletes expired counts of rate limits: at most `rows` at once. */
export const deleteOldLimits = (db: Client, now: Date, rows: number): Promise<number> =>
  db.rate_limit.deleteMany({ where: { expire: { lt: now.getTime() } }, limit: rows }).then(countOf);

/** Deletes webhook events that were processed before an instant: at most `rows` at once. */
export const deleteOldWebhookEvents = (db: Client, before: Date, rows: number): Promise<number> =>
  db.webhook_event.deleteMany({ where: { processed_at: { lt: before } }, limit: rows }).then(countOf);
