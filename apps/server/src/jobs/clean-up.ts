import { execute, sql } from "@marketday/db";
import { IDEMPOTENCY_KEY_MS } from "@marketday/domain/limits";
import { addMs, Day } from "@marketday/domain/time";

import type { Context } from "../lib/context.ts";
import { deleteOldFailures } from "../lib/job-failures.ts";
import { deleteFailedAttempts } from "../modules/checkout/attempt-store.ts";
import { deleteOldEvents } from "../modules/identify/store.ts";
import { sweepPhotos } from "../modules/problems/sweep-photos.ts";
import { deleteOldResults } from "../modules/subscriptions/auto-store.ts";

/** Rows of one statement: its locks are short (failures.md D14). */
const BATCH = 1000;

/** How long sent mails, failed attempts and results of auto-checkout are kept: by then their event is over and cannot come again. */
const KEPT_MS = 90 * Day.ms;

/**
 * How long webhook events are kept. A provider repeats an event for 3 days at most (Stripe), and its effects are in payments and
 * the audit log.
 */
const WEBHOOK_EVENTS_KEPT_MS = 30 * Day.ms;

/** Deletes unused rows: old keys, ended sessions, guests without a session, old sent mails. */
export async function cleanUp({ deps }: Context): Promise<void> {
  const now = deps.clock.now();
  const { db, env } = deps;
  const away = addMs(now, -env.sessionIdleDays * Day.ms);
  const steps = [
    () =>
      execute(
        db,
        sql`delete from idempotency_key where (actor, key) in (
        select actor, key from idempotency_key where created_at < ${addMs(now, -IDEMPOTENCY_KEY_MS)} limit ${BATCH}::int)`,
      ),
    () =>
      execute(
        db,
        sql`delete from session where id in (
        select id from session where last_seen_at < ${away} or ended_at < ${addMs(now, -Day.ms)} limit ${BATCH}::int)`,
      ),
    () =>
      execute(
        db,
        sql`delete from guest where id in (
        select g.id from guest g where g.created_at < ${away} and not exists (select 1 from session s where s.guest_id = g.id) limit ${BATCH}::int)`,
      ),
    () =>
      execute(
        db,
        sql`delete from bot_proof where nonce in (
        select nonce from bot_proof where expires_at < ${now} limit ${BATCH}::int)`,
      ),
    () =>
      execute(
        db,
        sql`delete from rate_limit where key in (
        select key from rate_limit where expire < ${now.getTime()}::bigint limit ${BATCH}::int)`,
      ),
    () => deleteOldEvents(db, now, BATCH),
    () =>
      execute(
        db,
        sql`delete from webhook_event where (provider, event_id) in (
        select provider, event_id from webhook_event where processed_at < ${addMs(now, -WEBHOOK_EVENTS_KEPT_MS)} limit ${BATCH}::int)`,
      ),
    () => deleteOldFailures(db, now, BATCH),
    () => deleteFailedAttempts(db, addMs(now, -KEPT_MS), BATCH),
    () =>
      execute(
        db,
        sql`delete from mail where id in (select id from mail where sent_at < ${addMs(now, -KEPT_MS)} limit ${BATCH}::int)`,
      ),
    () => deleteOldResults(db, addMs(now, -KEPT_MS), BATCH),
  ];
  for (const step of steps) while ((await step()) === BATCH);
  await sweepPhotos(deps, now);
}
