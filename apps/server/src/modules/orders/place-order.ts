import { setTimeout as pause } from "node:timers/promises";

import type { CheckoutChoice } from "@marketday/contracts/checkout";
import { isUniqueViolation, PoolExhausted, sqlState } from "@marketday/db";
import { addMs, isBefore, Second } from "@marketday/domain/time";

import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { AppError, notFound, unavailable } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../../lib/context.ts";
import type { PaymentTries } from "../payments/payment-tries.ts";
import {
  type AttemptRow,
  claimAttempt,
  findAttempt,
  findAttemptByKey,
  findLatestOrders,
  findLiveAttempt,
  extendLease,
  releaseAttemptLease,
} from "./checkout-store.ts";
import { CARD_GONE, PAYMENTS_DOWN, PAYMENTS_LIMITED, SUPERSEDED, TOTAL_CHANGED } from "./failures.ts";
import { type HoldInput, holdStock, LEASE_MS } from "./hold-stock.ts";
import { quoteAgain } from "./quote-again.ts";
import { resumeAttempt } from "./resume-attempt.ts";
import {
  authorizeAttempt,
  chargeOf,
  failAndRelease,
  tryVoidCharge,
  outcomeOf,
  type Settled,
  settleAttempt,
  settleOrVoid,
} from "./settle-attempt.ts";

export interface PlaceInput {
  choice: CheckoutChoice;
  /** Dollars: the quote's `orderTotal` the shopper saw. */
  expectedTotal: number;
  /** The first delivery day the shopper saw, `YYYY-MM-DD`; null: the next one. */
  expectedDay: string | null;
  source: "checkout" | "auto";
  /** "actor key" of the request; a retry with the same key finds the same attempt. */
  idempotencyKey: string | null;
  select?: HoldInput["select"];
  /** The limit on payment attempts; omitted for automatic orders. */
  tries?: PaymentTries;
  /** Limits wrong discount codes; omitted for automatic orders. */
  guardCode?: <T>(work: () => Promise<T>) => Promise<T>;
}

const HOLD_TRIES = 4;

/**
 * Reserves the stock, with retries. Many checkouts of the last units wait for the same row lock. A lock timeout or an
 * exhausted connection pool occurs before anything is written, so a retry is safe; by then most units are sold and the row
 * is free (failures.md A1). When another request has just started an attempt for the cart, the retry finds that attempt
 * (failures.md M1).
 */
async function holdWithRetry(ctx: Context, customerId: CustomerId, hubId: number, input: HoldInput) {
  for (let tried = 1; ; tried += 1) {
    try {
      return await holdStock(ctx, customerId, hubId, input);
    } catch (error) {
      const isTransient =
        sqlState(error) === "55P03" ||
        error instanceof PoolExhausted ||
        isUniqueViolation(error, "checkout_attempt_live_key");
      if (!isTransient || tried >= HOLD_TRIES) throw error;
    }
  }
}

export type PlaceResult =
  | { kind: "placed"; orderIds: number[] }
  | { kind: "challenge"; attemptId: string; clientSecret: string };

const WAIT_MS = 12 * Second.ms;
const POLL_MS = 100;

/**
 * Waits until another request's attempt for the same cart ends or reaches a challenge. An attempt whose lease has expired is
 * resumed instead.
 * @throws AppError 409 `still_running` after 12 s; 503 `payments_down`
 */
async function waitFor(ctx: Context, attemptId: string): Promise<void> {
  const started = ctx.deps.clock.elapsed();
  await ctx.deps.failpoint("checkout:waiting");
  while (ctx.deps.clock.elapsed() - started < WAIT_MS) {
    const attempt = await findAttempt(ctx.deps.db, attemptId);
    if (!attempt || attempt.state === "placed" || attempt.state === "failed" || attempt.state === "challenge") return;
    if (attempt.lease_until <= ctx.deps.clock.now()) {
      try {
        await resumeAttempt(ctx, attemptId);
      } catch (error) {
        if (!(error instanceof ProviderUnavailable)) throw error;
        // The charge may exist. The attempt keeps its stock, and the next retry or the sweep looks the charge up again
        // (failures.md B10).
        await releaseAttemptLease(ctx.deps.db, attemptId, ctx.deps.clock.now());
        throw unavailable("Payments are temporarily unavailable. Please try again in a moment.", PAYMENTS_DOWN.code, 5);
      }
      return;
    }
    await pause(POLL_MS);
  }
  throw new AppError(
    409,
    "This cart is being checked out. Please wait a moment.",
    { code: "still_running" },
    { "retry-after": "1" },
  );
}

/**
 * Converts a settled attempt to the response of the call.
 * @throws AppError when there is no order: the attempt's failure, with a new quote when the total has changed
 */
async function toResult(ctx: Context, attemptId: string, settled: Settled): Promise<PlaceResult> {
  if (settled.kind === "placed" || settled.kind === "challenge") return settled;
  if (settled.kind === "failed") {
    const { status, message, code } = settled.failure;
    const quote = code === TOTAL_CHANGED.code ? await quoteAgain(ctx, attemptId) : null;
    throw new AppError(
      status,
      message,
      { code, ...(quote && { quote }) },
      status === 503 ? { "retry-after": "5" } : {},
    );
  }
  throw new AppError(409, "This request is still in progress.", { code: "still_running" }, { "retry-after": "1" });
}

/**
 * Places orders for the customer's cart in three steps: reserve the stock, authorize the payment outside any transaction,
 * write the orders. Each step is recorded before it starts, so a crash at any point ends in one order and one charge, or in
 * neither (docs/product.md §7). The cart's row lock serializes two tabs; a retry with the same key continues its own attempt.
 */
export async function placeOrder(
  ctx: Context,
  customerId: CustomerId,
  hubId: number,
  input: PlaceInput,
): Promise<PlaceResult> {
  const { deps } = ctx;
  if (input.idempotencyKey) {
    const before = await findAttemptByKey(deps.db, input.idempotencyKey);
    if (before?.state === "placed") return { kind: "placed", orderIds: before.order_ids };
    if (before && before.state === "held") {
      await waitFor(ctx, before.id);
      const outcome = await outcomeOf(ctx, before.id);
      if (outcome.kind === "placed") return outcome;
    }
  }
  const hold = () => holdWithRetry(ctx, customerId, hubId, input);
  await input.tries?.check();
  for (let turn = 0; turn < 3; turn += 1) {
    await deps.failpoint("checkout:start");
    const held = await (input.guardCode && input.choice.discountCode ? input.guardCode(hold) : hold());
    if (held.kind === "refused") throw held.error;
    if (held.kind === "busy") {
      await waitFor(ctx, held.attempt.id);
      continue;
    }
    if (held.superseded) await tryVoidCharge(ctx, held.superseded.id);
    try {
      const settled = await payAndSettle(ctx, customerId, held.attemptId, input);
      await deps.failpoint("checkout:settled");
      return await toResult(
        ctx,
        held.attemptId,
        settled.kind === "superseded" ? await outcomeOf(ctx, held.attemptId) : settled,
      );
    } catch (error) {
      // This request has failed: release the lease, so that the next retry does not wait for it to expire.
      if (!(error instanceof AppError))
        await releaseAttemptLease(deps.db, held.attemptId, deps.clock.now()).catch(() => undefined);
      throw error;
    }
  }
  throw new AppError(
    409,
    "This cart is being checked out. Please wait a moment.",
    { code: "still_running" },
    { "retry-after": "1" },
  );
}

/** Authorizes the payment of an attempt that has its stock reserved, then settles it. */
async function payAndSettle(
  ctx: Context,
  customerId: CustomerId,
  attemptId: string,
  { choice, tries }: PlaceInput,
): Promise<Settled> {
  const { deps } = ctx;
  await deps.failpoint("checkout:held");
  const attempt = await findAttempt(deps.db, attemptId);
  if (!attempt) throw notFound();
  if (attempt.amount_due_cents === 0) return settleAttempt(ctx, attempt, null);
  await deps.failpoint("checkout:asking");
  const savedRef = choice.paymentMethodId ? await findSavedRef(ctx, customerId, choice.paymentMethodId) : null;
  // The saved card was removed after it was chosen.
  if (choice.paymentMethodId && savedRef === null) return failAndRelease(ctx, attempt, CARD_GONE);
  const now = deps.clock.now();
  if (!isBefore(now, attempt.lease_until) && !(await extendLease(deps.db, attempt, addMs(now, LEASE_MS))))
    return { kind: "superseded" };
  try {
    await tries?.count();
  } catch (error) {
    // Concurrent payments from the same network have reached the limit.
    if (error instanceof AppError) await failAndRelease(ctx, attempt, PAYMENTS_LIMITED);
    throw error;
  }
  const authorization = await authorizeAttempt(ctx, attempt, () =>
    deps.payments.authorize({
      ...chargeOf(attempt),
      amountCents: attempt.amount_due_cents,
      means: {
        card: choice.card ?? null,
        token: choice.confirmationToken ?? null,
        savedRef,
        save: choice.savePaymentMethod,
        offSession: attempt.source === "auto",
      },
    }),
  ).catch(async (error: unknown) => {
    // An unavailable provider is not a decline, so it does not count against the limit.
    if (error instanceof AppError) await tries?.uncount();
    throw error;
  });
  await deps.failpoint("checkout:paid");
  return settleOrVoid(ctx, attempt, authorization);
}

async function findSavedRef(ctx: Context, customerId: CustomerId, methodId: number): Promise<string | null> {
  const method = await ctx.deps.db.payment_method.findFirst({
    where: { id: methodId, customer_id: customerId, deleted_at: null },
  });
  return method?.provider_ref ?? null;
}

/** The error for an attempt replaced by a checkout in another tab; names that checkout's orders once placed (failures.md M1). */
async function supersededError(ctx: Context, attempt: AttemptRow): Promise<AppError> {
  const { status, message, code } = SUPERSEDED;
  if (attempt.cart_id === null) return new AppError(status, message, { code });
  const live = await findLiveAttempt(ctx.deps.db, attempt.cart_id);
  if (live) await waitFor(ctx, live.id);
  const orderIds = await findLatestOrders(ctx.deps.db, attempt.cart_id, attempt.created_at);
  return new AppError(status, message, { code, ...(orderIds.length > 0 && { orderId: orderIds[0], orderIds }) });
}

/** Finishes the customer's attempt after the bank's challenge (docs/product.md §7). @throws AppError 404 for another customer's attempt */
export async function completeCheckout(
  ctx: Context,
  customerId: CustomerId,
  attemptId: string,
  approve: boolean,
): Promise<PlaceResult> {
  const { deps } = ctx;
  const before = await findAttempt(deps.db, attemptId);
  if (!before || before.customer_id !== customerId) throw notFound();
  const now = deps.clock.now();
  const attempt = await claimAttempt(deps.db, attemptId, now, addMs(now, LEASE_MS), "challenge");
  if (!attempt) {
    // The webhook is finishing the attempt, or has just done so (failures.md B4).
    await waitFor(ctx, attemptId);
    const outcome = await outcomeOf(ctx, attemptId);
    if (outcome.kind === "failed" && outcome.failure.code === SUPERSEDED.code) throw await supersededError(ctx, before);
    return toResult(ctx, attemptId, outcome);
  }
  await deps.failpoint("complete:claimed");
  const authorization = await authorizeAttempt(ctx, attempt, () => deps.payments.confirm(chargeOf(attempt), approve));
  return toResult(ctx, attemptId, await settleOrVoid(ctx, attempt, authorization));
}
