import { sqlTransaction, type AnyTx } from "@marketday/db";
import { CHALLENGE_MS } from "@marketday/domain/limits";
import { addMs, isBefore } from "@marketday/domain/time";

import { type Charge, type ChargeState, ProviderUnavailable } from "../../gateways/payments/payments.ts";
import type { Context } from "../identity/context.ts";
import { markVoided, uncountPayment } from "../payments/charge-sql.ts";
import { tryVoidCharge } from "../payments/void-charge.ts";
import { releaseHolds } from "../stock/stock-sql.ts";
import { type AttemptRow, markChallenge, markFailed } from "./attempt-sql.ts";
import { findAttempt } from "./attempt-store.ts";
import { completeOrder, type PaidCharge } from "./complete-order.ts";
import {
  CHALLENGE_EXPIRED,
  CHALLENGE_OFF_SESSION,
  type CheckoutOutcome,
  type Failure,
  INTERRUPTED,
  PAYMENTS_DOWN,
  refuse,
} from "./outcome.ts";

/** The identifiers by which the payment provider finds the attempt's charge. */
export const chargeOf = (attempt: AttemptRow): Charge => ({
  key: attempt.charge_key,
  customerId: attempt.customer_id,
  ref: attempt.provider_ref,
});

interface FailOptions {
  /** Queues the email about it, or writes what else belongs to it, in the same transaction. */
  enqueue?: ((tx: AnyTx) => Promise<void>) | undefined;
  /** The provider was never called for this attempt, so it is not called to void anything either. */
  isUnsent?: boolean;
}

/** Ends the attempt without an order: releases its reserved stock, then voids its charge, each once. */
export async function failAttempt(
  ctx: Context,
  attempt: AttemptRow,
  failure: Failure,
  { enqueue, isUnsent = false }: FailOptions = {},
): Promise<CheckoutOutcome> {
  const { deps, now } = ctx;
  const hasFailed = await sqlTransaction(deps.db, async (tx) => {
    if (!(await markFailed(tx, attempt, failure, now))) return false;
    await releaseHolds(tx, attempt.id, now);
    if (isUnsent && attempt.payment_id !== null) await markVoided(tx, attempt.payment_id, true, now);
    await enqueue?.(tx);
    return true;
  });
  if (!hasFailed) return { kind: "running" };
  await deps.failpoint("checkout:failed");
  if (!isUnsent) await tryVoidCharge(ctx, attempt.payment_id);
  return refuse(failure);
}

/**
 * Waits for the bank's challenge. The stock is held for ten minutes, the challenge stays open for an hour (failures.md A6);
 * an automatic order has no shopper to answer it.
 */
async function awaitChallenge(
  ctx: Context,
  attempt: AttemptRow,
  charge: { ref: string; clientSecret: string },
): Promise<CheckoutOutcome> {
  const now = ctx.deps.clock.now();
  const deadline = addMs(attempt.created_at, CHALLENGE_MS);
  if (attempt.source === "auto") return failAttempt(ctx, attempt, CHALLENGE_OFF_SESSION);
  if (!isBefore(now, deadline)) return failAttempt(ctx, attempt, CHALLENGE_EXPIRED);
  const isHoldOver = !isBefore(now, attempt.expires_at);
  const isWaiting = await sqlTransaction(ctx.deps.db, (tx) =>
    markChallenge(tx, attempt, {
      providerRef: charge.ref,
      until: isHoldOver ? deadline : attempt.expires_at,
      releaseStock: isHoldOver,
      now,
    }),
  );
  return isWaiting
    ? { kind: "challenge", attemptId: attempt.id, clientSecret: charge.clientSecret }
    : { kind: "running" };
}

async function complete(ctx: Context, attempt: AttemptRow, paid: PaidCharge | null): Promise<CheckoutOutcome> {
  const completion = await completeOrder(ctx, attempt, paid);
  if (completion.kind !== "failed") return completion;
  return failAttempt(ctx, attempt, completion.failure, {
    enqueue: async (tx) => {
      await completion.enqueue?.(tx);
      // The card was accepted: the attempt does not count as declined.
      if (paid && attempt.payment_id) await uncountPayment(tx, attempt.payment_id);
    },
  });
}

async function step(ctx: Context, attempt: AttemptRow, charge: ChargeState | null): Promise<CheckoutOutcome> {
  if (attempt.amount_due_cents === 0) return complete(ctx, attempt, null);
  switch (charge?.state) {
    case "authorized":
    case "captured":
      return complete(ctx, attempt, charge);
    case "declined":
      return failAttempt(ctx, attempt, { code: charge.code, message: charge.reason });
    case "challenge":
      return awaitChallenge(ctx, attempt, charge);
    default:
      return failAttempt(ctx, attempt, INTERRUPTED);
  }
}

/** How a finished attempt ended; `running` while it is not finished. */
export async function findOutcome(ctx: Context, id: string): Promise<CheckoutOutcome> {
  const attempt = await findAttempt(ctx.deps.db, id);
  if (attempt?.state === "placed") return { kind: "placed", orderIds: attempt.order_ids };
  if (attempt?.state === "failed" && attempt.failure) return refuse(attempt.failure);
  return { kind: "running" };
}

/**
 * Moves an attempt on by the state of its charge: places its orders, waits for the bank's challenge, or fails it. The
 * shopper's request, a retry, the answered challenge, the webhook and the sweep all end here. The caller holds the
 * attempt's lease; with a stale fencing token nothing changes, and the result is what the other worker made of it. If that
 * is a failure, the charge pays for nothing and is voided (failures.md C7).
 * @param charge null: the provider has no such charge, or nothing is due
 */
export async function advance(ctx: Context, attempt: AttemptRow, charge: ChargeState | null): Promise<CheckoutOutcome> {
  const outcome = await step(ctx, attempt, charge);
  if (outcome.kind !== "running") return outcome;
  const current = await findOutcome(ctx, attempt.id);
  if (current.kind === "refused") await tryVoidCharge(ctx, attempt.payment_id);
  return current;
}

/**
 * Calls the provider and advances the attempt by the answer. If the call gets no answer, the charge is looked up by its key.
 * If that finds no charge, the attempt fails with `payments_down`; the sweep voids any authorization once the provider is
 * available (failures.md B10, B11).
 * @param whenUnknown what becomes of the attempt when the lookup gets no answer either; by default it fails too
 */
export async function advanceBy(
  ctx: Context,
  attempt: AttemptRow,
  call: () => Promise<ChargeState | null>,
  whenUnknown: () => Promise<CheckoutOutcome> = () => failAttempt(ctx, attempt, PAYMENTS_DOWN),
): Promise<CheckoutOutcome> {
  let charge: ChargeState | null;
  try {
    charge = await call();
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    try {
      charge = await ctx.deps.payments.find(chargeOf(attempt));
    } catch (again) {
      if (!(again instanceof ProviderUnavailable)) throw again;
      return whenUnknown();
    }
    if (charge === null || charge.state === "voided") return failAttempt(ctx, attempt, PAYMENTS_DOWN);
  }
  return advance(ctx, attempt, charge);
}
