import type { CheckoutChoice } from "@marketday/contracts/checkout";
import { PAYMENT_LEASE_MS } from "@marketday/domain/limits";
import { addMs, isBefore } from "@marketday/domain/time";

import type { Context, CustomerId } from "../identity/context.ts";
import { findMethodRef } from "../payments/method-store.ts";
import { isUnavailable } from "../payments/refused-payment.ts";
import { tryVoidCharge } from "../payments/void-charge.ts";
import { advance, advanceBy, chargeOf, failAttempt, findOutcome } from "./advance-attempt.ts";
import type { AttemptRow } from "./attempt-sql.ts";
import { extendLease, findAttemptByKey, releaseAttemptLease } from "./attempt-store.ts";
import { CARD_GONE, CART_BUSY, type CheckoutOutcome, PAYMENT_LIMIT, refuse } from "./outcome.ts";
import { type PlaceRequest, reserveStock } from "./reserve-stock.ts";
import { forShopper, waitForAttempt } from "./resume-attempt.ts";

/** Card data typed into the checkout; it is passed to the provider and never stored. */
type TypedCard = Pick<CheckoutChoice, "card" | "confirmationToken">;

/** Authorizes the payment of an attempt that has its stock reserved, then completes it. */
async function authorize(
  ctx: Context,
  customerId: CustomerId,
  attempt: AttemptRow,
  request: PlaceRequest,
): Promise<CheckoutOutcome> {
  const { deps } = ctx;
  const tries = request.source === "checkout" ? request.tries : null;
  const typed: TypedCard = request.source === "checkout" ? request.choice : {};
  await deps.failpoint("checkout:held");
  if (attempt.amount_due_cents === 0) return advance(ctx, attempt, null);
  await deps.failpoint("checkout:asking");
  const { paymentMethodId, savePaymentMethod } = attempt.choice;
  const savedRef = paymentMethodId === null ? null : await findMethodRef(deps.db, customerId, paymentMethodId);
  // The saved card was removed after it was chosen.
  if (paymentMethodId !== null && savedRef === null) return failAttempt(ctx, attempt, CARD_GONE, { isUnsent: true });
  const now = deps.clock.now();
  if (!isBefore(now, attempt.lease_until) && !(await extendLease(deps.db, attempt, addMs(now, PAYMENT_LEASE_MS))))
    return findOutcome(ctx, attempt.id);
  const limited = await tries?.count();
  if (limited) {
    // Concurrent payments from the same network have reached the limit.
    await failAttempt(ctx, attempt, PAYMENT_LIMIT, { isUnsent: true });
    return refuse({ code: "payment_limit", message: limited.message }, { retryAfter: limited.retryAfter });
  }
  const outcome = await advanceBy(ctx, attempt, async () => {
    const charge = await deps.payments.authorize({
      ...chargeOf(attempt),
      amountCents: attempt.amount_due_cents,
      means: {
        card: typed.card ?? null,
        token: typed.confirmationToken ?? null,
        savedRef,
        save: savePaymentMethod,
        offSession: attempt.source === "auto",
      },
    });
    await deps.failpoint("checkout:paid");
    return charge;
  });
  // An unavailable provider or bank is not a decline, so it does not count against the limit.
  if (outcome.kind === "refused" && isUnavailable(outcome.code)) await tries?.uncount();
  return outcome;
}

const TURNS = 3;

/**
 * Places orders for the customer's cart in three steps: reserve the stock, authorize the payment outside any transaction,
 * write the orders. Each step is recorded before it starts, so a crash at any point ends in one order and one charge, or in
 * neither (docs/product.md §7). The cart's row lock serializes two tabs; a retry with the same key continues its own attempt.
 */
export async function placeOrder(
  ctx: Context,
  customerId: CustomerId,
  hubId: number,
  request: PlaceRequest,
): Promise<CheckoutOutcome> {
  const { deps } = ctx;
  const before = request.idempotencyKey ? await findAttemptByKey(deps.db, customerId, request.idempotencyKey) : null;
  if (before?.state === "placed") return { kind: "placed", orderIds: before.order_ids };
  if (before?.state === "held") {
    const waited = await waitForAttempt(ctx, before.id);
    if (waited) return waited;
    const outcome = await findOutcome(ctx, before.id);
    if (outcome.kind === "placed") return outcome;
  }
  const limited = request.source === "checkout" ? await request.tries.check() : null;
  if (limited) return refuse({ code: "payment_limit", message: limited.message }, { retryAfter: limited.retryAfter });
  for (let turn = 0; turn < TURNS; turn += 1) {
    await deps.failpoint("checkout:start");
    const reserved = await reserveStock(ctx, customerId, hubId, request);
    if (reserved.kind === "refused" || reserved.kind === "skipped") return reserved;
    if (reserved.kind === "busy") {
      const waited = await waitForAttempt(ctx, reserved.attempt.id);
      if (waited) return waited;
      continue;
    }
    const { attempt, superseded } = reserved;
    if (superseded) await tryVoidCharge(ctx, superseded.payment_id);
    try {
      const outcome = await authorize(ctx, customerId, attempt, request);
      await deps.failpoint("checkout:settled");
      return await forShopper(ctx, attempt.id, outcome);
    } catch (error) {
      // This request has failed: release the lease, so that the next retry does not wait for it to expire.
      await releaseAttemptLease(deps.db, attempt.id, deps.clock.now()).catch(() => undefined);
      throw error;
    }
  }
  return refuse(CART_BUSY, { retryAfter: 1 });
}
