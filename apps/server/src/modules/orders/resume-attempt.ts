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
 * Finishes an attempt whose worker died: asks the provider with the attempt's own key what happened, then places the
 * order once or gives everything back (failures.md B1). A bank's question nobody answered in ten minutes gives the stock back
 * and stays open for an hour (A6), then it is given up.
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
  const lastCall = addMs(attempt.created_at, CHALLENGE_MS);
  if (found?.state === "challenge" && attempt.source === "checkout" && isBefore(now, lastCall)) {
    const parked = await sqlTransaction(deps.db, (tx) => parkChallenge(tx, attempt, lastCall));
    return parked ? { kind: "challenge", attemptId: attempt.id, clientSecret: found.clientSecret } : { kind: "lost" };
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

const AT_ONCE = 50;
const CHECKOUTS = "checkouts";
/** Part of the job `checkouts`. */
const VOIDS = "voids";

/** How long after its lease a request's key is let go of (failures.md V12): longer than any request takes that lives. */
const KEY_REST_MS = Minute.ms;

/** Every attempt, every charge and every request's key that was left lying, oldest first. Returns how many were brought to an end. */
export async function resumeAbandoned(ctx: Context): Promise<number> {
  const { db, clock } = ctx.deps;
  let done = 0;
  const left = await findAbandonedAttempts(
    db,
    clock.now(),
    isNotPaused(ctx, CHECKOUTS, sql`'checkout ' || checkout_attempt.id`),
    AT_ONCE,
  );
  await runEach(ctx, {
    pauseMaxMs: SWEEP_PAUSE_MAX_MS,
    job: CHECKOUTS,
    items: left,
    subjectOf: ({ id }) => `checkout ${id}`,
    isComplete: left.length < AT_ONCE,
    run: async ({ id }) => {
      if ((await resumeAttempt(ctx, id)).kind !== "lost") done += 1;
    },
  });
  // A worker voids right after it gave up; only what it left undone is ours.
  const before = addMs(clock.now(), -LEASE_MS);
  const charges = await findChargesToVoid(
    db,
    before,
    isNotPaused(ctx, VOIDS, sql`'charge of checkout ' || a.id`),
    AT_ONCE,
  );
  await runEach(ctx, {
    pauseMaxMs: SWEEP_PAUSE_MAX_MS,
    job: VOIDS,
    items: charges,
    subjectOf: ({ id }) => `charge of checkout ${id}`,
    isComplete: charges.length < AT_ONCE,
    run: async ({ id }) => {
      if (await voidCharge(ctx, id)) done += 1;
    },
  });
  done += await freeDeadKeys(db, addMs(clock.now(), -KEY_REST_MS), AT_ONCE);
  return done + (await findOrphanedCharges(ctx));
}
