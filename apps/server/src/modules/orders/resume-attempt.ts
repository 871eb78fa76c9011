import { sql, sqlTransaction } from "@marketday/db";
import { CHALLENGE_MS } from "@marketday/domain/limits";
import { addMs, isBefore, Minute } from "@marketday/domain/time";

import type { Context } from "../../lib/context.ts";
import { freeDeadKeys } from "../../lib/idempotency-store.ts";
import { isNotPaused, runEach, SWEEP_PAUSE_MAX_MS } from "../../lib/job-failures.ts";
import { findOrphanedCharges } from "../payments/find-orphaned-charges.ts";
import { claimAttempt, findAbandonedAttempts, findChargesToVoid, parkChallenge } from "./checkout-store.ts";
import { LEASE_MS } from "./hold-stock.ts";
import { chargeOf, failAndRelease, outcomeOf, type Settled, settleAttempt, voidCharge } from "./settle-attempt.ts";

/**
 * Finishes an attempt whose worker died: looks up its charge by the attempt's key, then either places the orders once, or
 * releases the stock and voids the charge (failures.md B1). An unanswered bank challenge releases the stock after ten minutes
 * and stays open for an hour (A6); then the attempt fails.
 */
export async function resumeAttempt(ctx: Context, id: string): Promise<Settled> {
  const { deps } = ctx;
  const now = deps.clock.now();
  const attempt = await claimAttempt(deps.db, id, now, addMs(now, LEASE_MS), "abandoned");
  if (!attempt) return outcomeOf(ctx, id);
  if (attempt.amount_due_cents === 0) return settleAttempt(ctx, attempt, null);
  const found = await deps.payments.find(chargeOf(attempt));
  if (found?.state === "authorized") return settleAttempt(ctx, attempt, found);
  if (found?.state === "captured")
    return settleAttempt(ctx, attempt, {
      state: "authorized",
      ref: found.ref,
      saved: found.saved ?? null,
      cardFingerprint: found.cardFingerprint ?? null,
    });
  const challengeDeadline = addMs(attempt.created_at, CHALLENGE_MS);
  if (found?.state === "challenge" && attempt.source === "checkout" && isBefore(now, challengeDeadline)) {
    const parked = await sqlTransaction(deps.db, (tx) => parkChallenge(tx, attempt, challengeDeadline));
    return parked
      ? { kind: "challenge", attemptId: attempt.id, clientSecret: found.clientSecret }
      : { kind: "superseded" };
  }
  const failure =
    found?.state === "challenge"
      ? {
          status: 402,
          message: "Your bank's check wasn't completed in time. You haven't been charged.",
          code: "challenge_expired",
        }
      : found?.state === "declined"
        ? { status: 402, message: found.reason, code: found.code }
        : { status: 503, message: "The payment was interrupted. You have not been charged.", code: "interrupted" };
  return failAndRelease(ctx, attempt, failure);
}

const BATCH_SIZE = 50;
const CHECKOUTS = "checkouts";
/** Part of the job `checkouts`. */
const VOIDS = "voids";

/** How long after its lease an idempotency key is freed (failures.md V12): longer than any live request takes. */
const KEY_GRACE_MS = Minute.ms;

/**
 * The sweep: finishes abandoned attempts, voids charges without an order and frees dead idempotency keys, oldest first.
 * Returns how many it finished.
 */
export async function resumeAbandoned(ctx: Context): Promise<number> {
  const { db, clock } = ctx.deps;
  let done = 0;
  const abandoned = await findAbandonedAttempts(
    db,
    clock.now(),
    isNotPaused(ctx, CHECKOUTS, sql`'checkout ' || checkout_attempt.id`),
    BATCH_SIZE,
  );
  await runEach(ctx, {
    pauseMaxMs: SWEEP_PAUSE_MAX_MS,
    job: CHECKOUTS,
    items: abandoned,
    subjectOf: ({ id }) => `checkout ${id}`,
    isComplete: abandoned.length < BATCH_SIZE,
    run: async ({ id }) => {
      if ((await resumeAttempt(ctx, id)).kind !== "superseded") done += 1;
    },
  });
  // A live worker voids right after it fails the attempt, so only charges older than a lease are voided here.
  const before = addMs(clock.now(), -LEASE_MS);
  const charges = await findChargesToVoid(
    db,
    before,
    isNotPaused(ctx, VOIDS, sql`'charge of checkout ' || a.id`),
    BATCH_SIZE,
  );
  await runEach(ctx, {
    pauseMaxMs: SWEEP_PAUSE_MAX_MS,
    job: VOIDS,
    items: charges,
    subjectOf: ({ id }) => `charge of checkout ${id}`,
    isComplete: charges.length < BATCH_SIZE,
    run: async ({ id }) => {
      if (await voidCharge(ctx, id)) done += 1;
    },
  });
  done += await freeDeadKeys(db, addMs(clock.now(), -KEY_GRACE_MS), BATCH_SIZE);
  return done + (await findOrphanedCharges(ctx));
}
