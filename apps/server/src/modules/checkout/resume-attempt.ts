import { setTimeout as pause } from "node:timers/promises";

import { PAYMENT_LEASE_MS } from "@marketday/domain/limits";
import { addMs, Minute, Second } from "@marketday/domain/time";

import { type ChargeState, ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { notFound } from "../../lib/app-error.ts";
import { freeDeadKeys } from "../../lib/idempotency-sql.ts";
import { customerActor, isKeyRunning, type KeyId, releaseDeadKey } from "../../lib/idempotency-store.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { isNotPaused } from "../job-failures/failure-sql.ts";
import { runEach, SWEEP_PAUSE_MAX_MS } from "../job-failures/run-each.ts";
import { findOrphanedCharges } from "../payments/find-orphaned-charges.ts";
import { voidUnusedCharges } from "../payments/void-charge.ts";
import { advance, advanceBy, chargeOf, findOutcome } from "./advance-attempt.ts";
import {
  type AttemptRow,
  claimAttempt,
  findAbandonedAttempts,
  findLatestOrders,
  findLiveAttempt,
  attemptSubject,
} from "./attempt-sql.ts";
import { findAttempt, findAttemptByKey, releaseAttemptLease } from "./attempt-store.ts";
import {
  CART_BUSY,
  type CheckoutOutcome,
  IN_PROGRESS,
  PAYMENTS_UNKNOWN,
  type Refusal,
  refuse,
  SUPERSEDED,
} from "./outcome.ts";
import { quoteAgain } from "./price-checkout.ts";

const claim = (ctx: Context, id: string, held: "abandoned" | "challenge") => {
  const now = ctx.deps.clock.now();
  return claimAttempt(ctx.deps.db, id, now, addMs(now, PAYMENT_LEASE_MS), held);
};

/**
 * Takes over an attempt whose worker died or whose challenge was not answered in time, and advances it by its charge: the
 * orders are placed once, or the stock is released and the charge voided (failures.md B1).
 * @throws ProviderUnavailable the charge may exist, the attempt stays as it is
 */
async function resumeAttempt(ctx: Context, id: string): Promise<CheckoutOutcome> {
  const attempt = await claim(ctx, id, "abandoned");
  if (!attempt) return findOutcome(ctx, id);
  const charge = attempt.amount_due_cents === 0 ? null : await ctx.deps.payments.find(chargeOf(attempt));
  return advance(ctx, attempt, charge);
}

/**
 * Finishes an attempt when the provider's webhook reports the result of the bank's challenge. The shopper may return at the
 * same moment (failures.md B4); the lease lets only one of the two finish it. Null: it is not waiting for a challenge.
 */
export async function finishChallenge(ctx: Context, id: string, charge: ChargeState): Promise<CheckoutOutcome | null> {
  const attempt = await claim(ctx, id, "challenge");
  if (!attempt) return null;
  await ctx.deps.failpoint("challenge:claimed");
  return advance(ctx, attempt, charge);
}

/**
 * The provider is unavailable and the charge may exist: the attempt keeps its stock, and the next retry or the sweep looks the
 * charge up again (failures.md B10).
 */
async function leaveToRetry({ deps }: Context, id: string): Promise<Refusal> {
  await releaseAttemptLease(deps.db, id, deps.clock.now());
  return refuse(PAYMENTS_UNKNOWN, { retryAfter: 5 });
}

const WAIT_MS = 12 * Second.ms;
const POLL_MS = 100;

/**
 * Waits until another request's attempt ends or reaches a challenge, and resumes it when its lease has expired. Null: it has
 * ended; otherwise why this request does not go on: `still_running` after 12 s, or `payments_down`.
 */
export async function waitForAttempt(ctx: Context, id: string): Promise<Refusal | null> {
  const { clock, db } = ctx.deps;
  const started = clock.elapsed();
  await ctx.deps.failpoint("checkout:waiting");
  while (clock.elapsed() - started < WAIT_MS) {
    const attempt = await findAttempt(db, id);
    if (attempt?.state !== "held") return null;
    if (attempt.lease_until <= clock.now()) {
      try {
        await resumeAttempt(ctx, id);
        return null;
      } catch (error) {
        if (!(error instanceof ProviderUnavailable)) throw error;
        return leaveToRetry(ctx, id);
      }
    }
    await pause(POLL_MS);
  }
  return refuse(CART_BUSY, { retryAfter: 1 });
}

/** The outcome as the shopper needs it: with a new quote when the total has changed. */
export async function forShopper(ctx: Context, attemptId: string, outcome: CheckoutOutcome): Promise<CheckoutOutcome> {
  if (outcome.kind === "running") return refuse(IN_PROGRESS, { retryAfter: 1 });
  if (outcome.kind !== "refused" || outcome.code !== "total_changed" || outcome.quote) return outcome;
  return { ...outcome, quote: await quoteAgain(ctx, attemptId) };
}

/** The refusal of an attempt replaced by a checkout in another tab; names that checkout's orders once placed (failures.md M1). */
async function superseded(ctx: Context, attempt: AttemptRow): Promise<Refusal> {
  const { db } = ctx.deps;
  if (attempt.cart_id === null) return refuse(SUPERSEDED);
  const live = await findLiveAttempt(db, attempt.cart_id);
  const waited = live && (await waitForAttempt(ctx, live.id));
  if (waited) return waited;
  const orderIds = await findLatestOrders(db, attempt.cart_id, attempt.created_at);
  return refuse(SUPERSEDED, orderIds.length > 0 ? { orderIds } : {});
}

/**
 * Finishes the customer's attempt after the bank's challenge (docs/product.md §7). `approve` is for the test provider. When the
 * provider does not say how the challenge ended, the shopper's approval is kept: the next request, for this attempt or for
 * the same cart, or the sweep finishes it.
 * @throws AppError 404 for another customer's attempt
 */
export async function completeChallenge(
  ctx: Context,
  customerId: CustomerId,
  attemptId: string,
  approve: boolean,
): Promise<CheckoutOutcome> {
  const { deps } = ctx;
  const before = await findAttempt(deps.db, attemptId);
  if (!before || before.customer_id !== customerId) throw notFound();
  const attempt = await claim(ctx, attemptId, "challenge");
  if (attempt) {
    await deps.failpoint("complete:claimed");
    const outcome = await advanceBy(
      ctx,
      attempt,
      () => deps.payments.confirm(chargeOf(attempt), approve),
      () => leaveToRetry(ctx, attemptId),
    );
    return forShopper(ctx, attemptId, outcome);
  }
  // The webhook is finishing the attempt, or has just done so (failures.md B4).
  const waited = await waitForAttempt(ctx, attemptId);
  if (waited) return waited;
  const outcome = await findOutcome(ctx, attemptId);
  if (outcome.kind === "refused" && outcome.code === "superseded") return superseded(ctx, before);
  return forShopper(ctx, attemptId, outcome);
}

/**
 * The outcome of the customer's checkout with this idempotency key, where its response was lost; null: nothing was placed, and
 * the key may be used again. An attempt whose server died is ended first.
 */
export async function resumeByKey(ctx: Context, customerId: CustomerId, key: string): Promise<CheckoutOutcome | null> {
  const { db, clock } = ctx.deps;
  const id: KeyId = { actor: customerActor(customerId), key };
  if (await isKeyRunning(db, id, clock.now())) return refuse(IN_PROGRESS, { retryAfter: 1 });
  const attempt = await findAttemptByKey(db, customerId, `${id.actor} ${id.key}`);
  if (!attempt) {
    await releaseDeadKey(db, id, clock.now());
    return null;
  }
  const waited = await waitForAttempt(ctx, attempt.id);
  if (waited) return waited;
  if (attempt.state === "challenge") {
    const charge = await ctx.deps.payments.find(chargeOf(attempt)).catch(() => null);
    if (charge?.state === "challenge")
      return { kind: "challenge", attemptId: attempt.id, clientSecret: charge.clientSecret };
  }
  const outcome = await findOutcome(ctx, attempt.id);
  if (outcome.kind === "refused" && outcome.code === "superseded") return superseded(ctx, attempt);
  return forShopper(ctx, attempt.id, outcome);
}

const BATCH_SIZE = 50;
const CHECKOUTS = "checkouts";

/** How long after its lease an idempotency key is freed (failures.md V12): longer than any live request takes. */
const KEY_GRACE_MS = Minute.ms;

/**
 * The sweep: finishes abandoned attempts, voids charges without an order, frees dead idempotency keys and looks up orphaned
 * charges, oldest first. Returns how many it finished.
 */
export async function resumeAbandoned(ctx: Context): Promise<number> {
  const { db, clock } = ctx.deps;
  const abandoned = await findAbandonedAttempts(
    db,
    clock.now(),
    isNotPaused(ctx, CHECKOUTS, attemptSubject),
    BATCH_SIZE,
  );
  let done = 0;
  await runEach(ctx, {
    pauseMaxMs: SWEEP_PAUSE_MAX_MS,
    job: CHECKOUTS,
    items: abandoned,
    subjectOf: ({ id }) => `checkout ${id}`,
    isComplete: abandoned.length < BATCH_SIZE,
    run: async ({ id }) => {
      if ((await resumeAttempt(ctx, id)).kind !== "running") done += 1;
    },
  });
  done += await voidUnusedCharges(ctx);
  done += await freeDeadKeys(db, addMs(clock.now(), -KEY_GRACE_MS), BATCH_SIZE);
  return done + (await findOrphanedCharges(ctx));
}
