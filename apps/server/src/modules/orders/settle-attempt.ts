import { randomInt } from "node:crypto";

import { isUniqueViolation, sqlTransaction, type SqlTx } from "@marketday/db";
import { isPastCutoff, mayFinish } from "@marketday/domain/delivery";
import { creditEntries, saleEntries } from "@marketday/domain/ledger";
import { HOLD_MS } from "@marketday/domain/limits";
import { cents } from "@marketday/domain/money";
import { newOrderId } from "@marketday/domain/order";
import type { ReferralMatch } from "@marketday/domain/referral";
import { addMs } from "@marketday/domain/time";

import {
  type Authorization,
  type Charge,
  type Found,
  ProviderUnavailable,
  type SavedMethod,
} from "../../gateways/payments/payments.ts";
import { AppError } from "../../lib/app-error.ts";
import { asCustomerId, type Context } from "../../lib/context.ts";
import { finishKey } from "../../lib/idempotency-store.ts";
import { enqueueMail } from "../mail/store.ts";
import { detachCopy } from "../payments/keep-card.ts";
import { insertMethod, type Kept } from "../payments/store.ts";
import { findReferralRefusal, lockReferrer, refuseReferral } from "../referrals/refusal.ts";
import { lockOpenDeliveries } from "../week/store.ts";
import { lockOpenBox, lockCustomerBoxes } from "./box-store.ts";
import {
  type AttemptRow,
  awaitChallenge,
  failAttempt,
  type Failure,
  findAttempt,
  lockOwn,
  markVoided,
  paysForOrders,
} from "./checkout-store.ts";
import {
  ALREADY_ORDERED,
  CODE_GONE,
  CREDIT_GONE,
  CHALLENGE_OFF_SESSION,
  PAST_CUTOFF,
  PAYMENTS_DOWN,
  SOLD_OUT,
  TOTAL_CHANGED,
} from "./failures.ts";
import {
  type Booking,
  emptyHoldsAndCart,
  insertBookings,
  insertOrders,
  insertDefaultAddress,
  markPlaced,
  type OrderToInsert,
  recordPayment,
  spendCredit,
  useDiscountCode,
  useReferral,
  setPaymentMethod,
} from "./placing-store.ts";
import { reacquireHold, releaseHolds } from "./stock-store.ts";

/** How an attempt ended. `superseded`: its fencing token is stale because another worker has taken it over. */
export type Settled =
  | { kind: "placed"; orderIds: number[] }
  | { kind: "challenge"; attemptId: string; clientSecret: string }
  | { kind: "failed"; failure: Failure }
  | { kind: "superseded" };

/** Thrown to roll back the placing transaction; never leaves this file. */
class Rollback extends Error {
  /** Why the attempt fails; null: it was superseded. */
  readonly failure: Failure | null;
  /** Why the referral is refused permanently. */
  readonly refused: ReferralMatch | null;
  constructor(failure: Failure | null, refused: ReferralMatch | null = null) {
    super("rolled back");
    this.failure = failure;
    this.refused = refused;
  }
}

/** The identifiers by which the payment provider finds the attempt's charge. */
export const chargeOf = (attempt: AttemptRow): Charge => ({
  key: attempt.charge_key,
  customerId: attempt.customer_id,
  ref: attempt.provider_ref,
});

/**
 * Ends the attempt without an order: releases its reserved stock, then voids its authorization, each once. `enqueue` queues
 * the email about it in the same transaction.
 */
export async function failAndRelease(
  ctx: Context,
  attempt: AttemptRow,
  failure: Failure,
  enqueue?: (tx: SqlTx) => Promise<void>,
): Promise<Settled> {
  const { deps, now } = ctx;
  const hasFailed = await sqlTransaction(deps.db, async (tx) => {
    const failed = await failAttempt(tx, attempt, failure, now);
    if (failed) await releaseHolds(tx, attempt.id);
    if (failed) await enqueue?.(tx);
    return failed;
  });
  if (!hasFailed) return { kind: "superseded" };
  await deps.failpoint("checkout:failed");
  await tryVoidCharge(ctx, attempt.id);
  return { kind: "failed", failure };
}

/**
 * Voids the charge of an attempt that no longer pays for an order. A charge that the provider does not know yet is looked up
 * again later (`find-orphaned-charges.ts`). Returns false when the charge pays for an order. Rejects when the provider fails
 * to void it.
 */
export async function voidCharge({ deps }: Context, attemptId: string): Promise<boolean> {
  if (await paysForOrders(deps.db, attemptId)) return false;
  const attempt = await findAttempt(deps.db, attemptId);
  const isKnown = attempt === null || (await deps.payments.void(chargeOf(attempt)));
  await markVoided(deps.db, attemptId, isKnown, deps.clock.now());
  return true;
}

/** `voidCharge` that logs an error instead of throwing; the sweep retries the void (`resume-attempt.ts`). */
export async function tryVoidCharge(ctx: Context, attemptId: string): Promise<boolean> {
  try {
    return await voidCharge(ctx, attemptId);
  } catch (error) {
    ctx.deps.log.error({ err: error, attempt: attemptId }, "charge was not voided");
    return false;
  }
}

function bookingsOf(orders: readonly OrderToInsert[], customerId: number): Booking[] {
  return orders.flatMap((order) => [
    {
      kind: "sale" as const,
      orderId: order.id,
      entries: saleEntries({
        customerId,
        lines: order.lines.map((line) => ({ ...line, unitCents: cents(line.unitCents) })),
        tipCents: cents(order.tipCents),
        taxCents: cents(order.taxCents),
        cardFeeCents: cents(order.cardFeeCents),
        deliveryFeeCents: cents(order.deliveryFeeCents),
        discountCents: cents(order.discountCents),
      }),
    },
    { kind: "credit" as const, orderId: order.id, entries: creditEntries(customerId, cents(order.creditCents)) },
  ]);
}

/**
 * Last step of placing an order. One transaction writes the orders, their lines, the ledger entries, the emails, the emptied
 * cart and the stored response of the idempotency key.
 */
async function place(
  ctx: Context,
  attempt: AttemptRow,
  paid: { ref: string; saved: SavedMethod | null; cardFingerprint: string | null } | null,
): Promise<Settled> {
  const { deps, now } = ctx;
  const { plan, choice } = attempt;
  const customerId = asCustomerId(attempt.customer_id);
  let kept: Kept | null = null;
  try {
    const placed = await sqlTransaction(deps.db, async (tx): Promise<Settled> => {
      if (!(await markPlaced(tx, attempt, now))) throw new Rollback(null);
      if (paid && attempt.payment_id)
        await recordPayment(
          tx,
          {
            id: attempt.payment_id,
            providerRef: paid.ref,
            provider: deps.payments.name,
            methodId: choice.paymentMethodId,
            cardFingerprint: paid.cardFingerprint,
          },
          now,
        );
      await deps.failpoint("checkout:placing");
      if (
        !(await lockOpenDeliveries(
          tx,
          plan.orders.map(({ deliveryId }) => deliveryId),
        ))
      )
        throw new Rollback(PAST_CUTOFF);
      const orders: OrderToInsert[] = [];
      for (const order of plan.orders) {
        if (order.joinsOrderId !== null) await lockCustomerBoxes(tx, customerId, order.deliveryId);
        const boxId = order.joinsOrderId === null ? null : await lockOpenBox(tx, order.joinsOrderId, customerId);
        // An add-on is priced without a delivery fee. If its box is gone the fee is due, and the total is no longer the one
        // the shopper agreed to (failures.md M5).
        const isFeeDue =
          order.ownDeliveryFeeCents === null ? choice.type === "delivery" : order.ownDeliveryFeeCents > 0;
        if (order.joinsOrderId !== null && boxId === null && isFeeDue) throw new Rollback(TOTAL_CHANGED);
        orders.push({
          ...order,
          id: newOrderId(randomInt),
          joinsOrderId: boxId,
          status: order.isPreOrder ? "future" : "open",
        });
      }
      const [first] = orders;
      if (!first) throw new Rollback(null);
      await insertOrders(tx, orders, {
        attemptId: attempt.id,
        customerId,
        hubId: attempt.hub_id,
        source: attempt.source,
        choice,
        paymentId: attempt.payment_id,
        now,
      });
      await deps.failpoint("checkout:ordered");
      if (paid?.saved && attempt.payment_id) {
        kept = await insertMethod(tx, customerId, deps.payments.name, paid.saved, now);
        if (kept.id !== null) await setPaymentMethod(tx, attempt.payment_id, kept.id);
      }
      if (plan.creditCents > 0 && !(await spendCredit(tx, customerId, plan.creditCents)))
        throw new Rollback(CREDIT_GONE);
      if (plan.discountCodeId !== null && !(await useDiscountCode(tx, plan.discountCodeId, customerId, first.id, now)))
        throw new Rollback(CODE_GONE);
      if (plan.usesReferral) {
        // Checked after the payment's card and the order's address are written, so that both are compared.
        await lockReferrer(tx, customerId);
        const refused = await findReferralRefusal(tx, customerId);
        if (refused) throw new Rollback(TOTAL_CHANGED, refused);
        if (!(await useReferral(tx, customerId, first.id))) throw new Rollback(TOTAL_CHANGED);
      }
      if (plan.referralRefused) await refuseReferral(tx, customerId, plan.referralRefused);
      await insertBookings(tx, bookingsOf(orders, attempt.customer_id), now);
      await deps.failpoint("checkout:booked");
      await emptyHoldsAndCart(tx, attempt.id, plan.orders);
      if (choice.address) await insertDefaultAddress(tx, customerId, choice.address, now);
      for (const order of orders)
        await enqueueMail(tx, {
          key: `order-confirmation:${order.id}`,
          template: "order-confirmation",
          customerId,
          data: { orderId: order.id },
          now,
        });
      const orderIds = orders.map(({ id }) => id);
      if (attempt.idempotency_key) {
        const [actor, ...key] = attempt.idempotency_key.split(" ");
        await finishKey(
          tx,
          { actor: actor!, key: key.join(" ") },
          201,
          JSON.stringify({ orderId: orderIds[0], orderIds }),
        );
      }
      await deps.failpoint("checkout:before-commit");
      return { kind: "placed", orderIds };
    });
    if (paid?.saved && kept) await detachCopy(ctx, kept, paid.saved);
    return placed;
  } catch (error) {
    if (error instanceof Rollback && error.refused) await refuseReferral(deps.db, customerId, error.refused);
    if (error instanceof Rollback)
      return error.failure ? failAndRelease(ctx, attempt, error.failure) : { kind: "superseded" };
    throw error;
  }
}

/** Fails an attempt whose stock was sold while the bank's challenge was open: nothing is charged, and an email says so (failures.md A6). */
const failLate = (ctx: Context, attempt: AttemptRow): Promise<Settled> =>
  failAndRelease(ctx, attempt, SOLD_OUT, (tx) =>
    enqueueMail(tx, {
      key: `not-charged:${attempt.id}`,
      template: "not-charged",
      customerId: attempt.customer_id,
      data: {},
      now: ctx.now,
    }),
  );

const PLACE_TRIES = 3;

/**
 * Applies the provider's authorization to an attempt: places its orders, waits for the bank's challenge, or fails it. The
 * caller holds the attempt's lease; with a stale fencing token nothing changes (`superseded`). `authorization` is null when
 * no amount is due.
 */
export async function settleAttempt(
  ctx: Context,
  attempt: AttemptRow,
  authorization: Authorization | null,
): Promise<Settled> {
  if (authorization?.state === "declined")
    return failAndRelease(ctx, attempt, { status: 402, message: authorization.reason, code: authorization.code });
  if (authorization?.state === "challenge" && attempt.source === "auto")
    return failAndRelease(ctx, attempt, CHALLENGE_OFF_SESSION);
  if (authorization?.state === "challenge") {
    const waiting = await awaitChallenge(ctx.deps.db, attempt, authorization.ref);
    return waiting
      ? { kind: "challenge", attemptId: attempt.id, clientSecret: authorization.clientSecret }
      : { kind: "superseded" };
  }
  const cutoff = new Date(attempt.plan.orders[0]!.cutoffAt);
  const instant = ctx.deps.clock.now();
  // A shopper who started before the cutoff may finish shortly after it. An automatic order may not (docs/product.md §9).
  const inTime =
    attempt.source === "auto" ? !isPastCutoff(cutoff, instant) : mayFinish(attempt.created_at, cutoff, instant);
  if (!inTime) return failAndRelease(ctx, attempt, PAST_CUTOFF);
  const isHeld = await sqlTransaction(ctx.deps.db, async (tx) =>
    (await lockOwn(tx, attempt)) ? reacquireHold(tx, attempt, instant, addMs(instant, HOLD_MS)) : null,
  );
  if (isHeld === null) return { kind: "superseded" };
  if (!isHeld) return failLate(ctx, attempt);
  await ctx.deps.failpoint("checkout:reacquired");
  for (let tried = 1; ; tried += 1) {
    try {
      const placed = await place(ctx, attempt, authorization);
      await ctx.deps.failpoint("checkout:placed");
      return placed;
    } catch (error) {
      if (isUniqueViolation(error, "orders_auto_key")) return failAndRelease(ctx, attempt, ALREADY_ORDERED);
      // Random order id already taken: retry with new ids.
      if (!isUniqueViolation(error, "orders_pkey") || tried >= PLACE_TRIES) throw error;
    }
  }
}

/**
 * Settles an attempt after a provider call. If another worker has failed the attempt in the meantime, the authorization pays
 * for nothing and is voided (failures.md C7).
 */
export async function settleOrVoid(
  ctx: Context,
  attempt: AttemptRow,
  authorization: Authorization | null,
): Promise<Settled> {
  const settled = await settleAttempt(ctx, attempt, authorization);
  if (settled.kind === "superseded" && (await outcomeOf(ctx, attempt.id)).kind === "failed")
    await tryVoidCharge(ctx, attempt.id);
  return settled;
}

/** The current state of an attempt's charge; null when there is none or the provider is still unavailable. */
async function refetchCharge({ deps }: Context, attempt: AttemptRow): Promise<Found | null> {
  try {
    return await deps.payments.find(chargeOf(attempt));
  } catch (error) {
    if (error instanceof ProviderUnavailable) return null;
    throw error;
  }
}

/**
 * Calls the provider and returns the authorization. If the call gets no response, the charge is looked up by its key. If that
 * finds no charge or gets no response either, the attempt fails; the sweep voids any authorization once the provider is
 * available (failures.md B10, B11).
 * @throws AppError 503 `payments_down`
 */
export async function authorizeAttempt(
  ctx: Context,
  attempt: AttemptRow,
  call: () => Promise<Authorization>,
): Promise<Authorization> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    const found = await refetchCharge(ctx, attempt);
    if (found?.state === "captured")
      return {
        state: "authorized",
        ref: found.ref,
        saved: found.saved ?? null,
        cardFingerprint: found.cardFingerprint ?? null,
      };
    if (found?.state === "authorized" || found?.state === "challenge" || found?.state === "declined") return found;
    await failAndRelease(ctx, attempt, PAYMENTS_DOWN);
    throw new AppError(
      PAYMENTS_DOWN.status,
      PAYMENTS_DOWN.message,
      { code: PAYMENTS_DOWN.code },
      { "retry-after": "5" },
    );
  }
}

/** The result of a finished attempt; `superseded` while another worker is still finishing it. */
export async function outcomeOf(ctx: Context, id: string): Promise<Settled> {
  const attempt = await findAttempt(ctx.deps.db, id);
  if (attempt?.state === "placed") return { kind: "placed", orderIds: attempt.order_ids };
  if (attempt?.state === "failed" && attempt.failure) return { kind: "failed", failure: attempt.failure };
  return { kind: "superseded" };
}
