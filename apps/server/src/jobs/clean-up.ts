import { IDEMPOTENCY_KEY_MS } from "@marketday/domain/limits";
import { STAFF_SESSION } from "@marketday/domain/staff";
import { addMs, Day } from "@marketday/domain/time";

import { deleteOldKeys } from "../lib/idempotency-store.ts";
import { deleteRemovedNotes, deleteRemovedOrderNotes } from "../modules/account/removed-notes-store.ts";
import { deleteFailedAttempts } from "../modules/checkout/attempt-sql.ts";
import { deleteOldApiKeys } from "../modules/identity/api-key-store.ts";
import type { Context } from "../modules/identity/context.ts";
import { deleteOldGuests, deleteOldSessions } from "../modules/identity/session-store.ts";
import { deleteOldStaffSessions } from "../modules/identity/staff-session-store.ts";
import { deleteOldFailures } from "../modules/job-failures/failure-store.ts";
import { runEach } from "../modules/job-failures/run-each.ts";
import { deleteSentMails } from "../modules/mail/outbox-store.ts";
import { sweepPhotos } from "../modules/problems/sweep-photos.ts";
import { deleteOldEvents } from "../modules/sign-in-events/store.ts";
import { deleteOldActions } from "../modules/staff-actions/store.ts";
import { deleteOldChallenges } from "../modules/staff-sign-in/challenge-store.ts";
import { deleteOldResults } from "../modules/subscriptions/auto-result-store.ts";
import { sweepSheetFolders } from "../modules/week/sheet-folders.ts";
import { deleteOldLimits, deleteOldProofs, deleteOldWebhookEvents } from "./clean-up-store.ts";

/** Rows of one statement: its locks are short (failures.md D14). */
const BATCH = 1000;

/**
 * How long sent mails, failed attempts, actions of the staff, removed notes and results of auto-checkout are kept: by then their event is over and cannot
 * come again. The audit log has what the staff did for good.
 */
const KEPT_MS = 90 * Day.ms;

/**
 * How long webhook events are kept. A provider repeats an event for 3 days at most (Stripe), and its effects are in payments and
 * the audit log.
 */
const WEBHOOK_EVENTS_KEPT_MS = 30 * Day.ms;

/**
 * Deletes unused rows: old keys, ended sessions, guests without a session, old sent mails. One kind after the other; a kind that
 * fails does not stop the others, is shown by `market doctor`, and is tried again by the next run (failures.md M3).
 */
export async function cleanUp(ctx: Context): Promise<void> {
  const { db, env, clock } = ctx.deps;
  const now = clock.now();
  const away = addMs(now, -env.sessionIdleDays * Day.ms);
  const batched = (subject: string, deleteBatch: () => Promise<number>) => ({
    subject,
    run: async () => {
      while (!ctx.signal?.aborted && (await deleteBatch()) === BATCH);
    },
  });
  await runEach(ctx, {
    job: "clean-up",
    items: [
      batched("old idempotency keys", () => deleteOldKeys(db, addMs(now, -IDEMPOTENCY_KEY_MS), BATCH)),
      batched("old sessions", () => deleteOldSessions(db, { seen: away, ended: addMs(now, -Day.ms) }, BATCH)),
      batched("old staff sessions", () =>
        deleteOldStaffSessions(
          db,
          { created: addMs(now, -STAFF_SESSION.absoluteMs), ended: addMs(now, -Day.ms) },
          BATCH,
        ),
      ),
      batched("old API keys", () => deleteOldApiKeys(db, addMs(now, -KEPT_MS), BATCH)),
      batched("old passkey challenges", () => deleteOldChallenges(db, now, BATCH)),
      batched("old guests", () => deleteOldGuests(db, away, BATCH)),
      batched("old bot check proofs", () => deleteOldProofs(db, now, BATCH)),
      batched("old rate limits", () => deleteOldLimits(db, now, BATCH)),
      batched("old sign-in events", () => deleteOldEvents(db, now, BATCH)),
      batched("old webhook events", () => deleteOldWebhookEvents(db, addMs(now, -WEBHOOK_EVENTS_KEPT_MS), BATCH)),
      batched("old job failures", () => deleteOldFailures(db, now, BATCH)),
      batched("failed checkout attempts", () => deleteFailedAttempts(db, addMs(now, -KEPT_MS), BATCH)),
      batched("old sent mails", () => deleteSentMails(db, addMs(now, -KEPT_MS), BATCH)),
      batched("old actions of the staff", () => deleteOldActions(db, addMs(now, -KEPT_MS), BATCH)),
      batched("removed notes on people", () => deleteRemovedNotes(db, addMs(now, -KEPT_MS), BATCH)),
      batched("removed notes on orders", () => deleteRemovedOrderNotes(db, addMs(now, -KEPT_MS), BATCH)),
      batched("old auto-checkout results", () => deleteOldResults(db, addMs(now, -KEPT_MS), BATCH)),
      { subject: "photos without a report", run: () => sweepPhotos(ctx.deps, now) },
      { subject: "sheets that were printed", run: () => sweepSheetFolders(ctx.deps, now) },
    ],
    subjectOf: ({ subject }) => subject,
    run: ({ run }) => run(),
    isComplete: true,
    // The job runs once an hour.
    pauseMaxMs: 0,
    atOnce: 1,
  });
}
