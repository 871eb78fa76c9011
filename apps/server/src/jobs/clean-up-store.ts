import { type Conn, execute, sql } from "@marketday/db";

/** Deletes expired proofs of the bot check: at most `rows` at once. */
export const deleteOldProofs = (db: Conn, now: Date, rows: number): Promise<number> =>
  execute(
    db,
    sql`delete from bot_proof where nonce in (
          select nonce from bot_proof where expires_at < ${now} limit ${rows}::int)`,
  );

/** Deletes expired counts of rate limits: at most `rows` at once. */
export const deleteOldLimits = (db: Conn, now: Date, rows: number): Promise<number> =>
  execute(
    db,
    sql`delete from rate_limit where key in (
          select key from rate_limit where expire < ${now.getTime()}::bigint limit ${rows}::int)`,
  );

/** Deletes webhook events that were processed before an instant: at most `rows` at once. */
export const deleteOldWebhookEvents = (db: Conn, before: Date, rows: number): Promise<number> =>
  execute(
    db,
    sql`delete from webhook_event where (provider, event_id) in (
          select provider, event_id from webhook_event where processed_at < ${before} limit ${rows}::int)`,
  );
