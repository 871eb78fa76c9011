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
  keepAddress,
  markPlaced,
  type OrderToInsert,
  recordPayment,
  spendCredit,
  useDiscountCode,
  useReferral,
  usesMethod,
} from "./placing-store.ts";
import { reacquireHold, releaseHolds } from "./stock-store.ts";

/** How an attempt ended. `lost`: somebody else is finishing it. */
export type Settled =
  | { kind: "placed"; orderIds: number[] }
  | { kind: "challenge"; attemptId: string; clientSecret: string }
  | { kind: "failed"; failure: Failure }
  | { kind: "lost" };

/** Thrown inside the placing transaction to undo it; never leaves this file. */
class Rollback extends Error {
  readonly failure: Failure | null;
  /** Why the referral is refused for good. */
  readonly refused: ReferralMatch | null;
  constructor(failure: Failure | null, refused: ReferralMatch | null = null) {
    super("undone");
    this.failure = failure;
    this.refused = refused;
  }
}

/** The attempt's charge, as the provider is asked about it. */
export const chargeOf = (attempt: AttemptRow): Charge => ({
  key: attempt.charge_key,
  customerId: attempt.customer_id,
  ref: attempt.provider_ref,
});

/**
 * Ends the attempt without an order: stock back, then the authorisation let go, once. `tell` writes the mail of it in the
 * same transaction.
 */
export async function failAndRelease(
  ctx: Context,
  attempt: AttemptRow,
  failure: Failure,
  tell?: (tx: SqlTx) => Promise<void>,
): Promise<Settled> {
  const { deps, now } = ctx;
  const mine = await sqlTransaction(deps.db, async (tx) => {
    const failed = await failAttempt(tx, attempt, failure, now);
    if (failed) await releaseHolds(tx, attempt.id);
    if (failed) await tell?.(tx);
    return failed;
  });
  if (!mine) return { kind: "lost" };
  await deps.failpoint("checkout:failed");
  await tryVoidCharge(ctx, attempt.id);
  return { kind: "failed", failure };
}

/**
 * Voids the charge of an attempt that pays for no order any more; what the provider does not know of yet is looked for
 * (`find-orphaned-charges.ts`). False: it pays for an order. Rejects when the provider does not void it.
 */
export async function voidCharge({ deps }: Context, attemptId: string): Promise<boolean> {
  if (await paysForOrders(deps.db, attemptId)) return false;
  const attempt = await findAttempt(deps.db, attemptId);
  const isKnown = attempt === null || (await deps.payments.void(chargeOf(attempt)));
  await markVoided(deps.db, attemptId, isKnown, deps.clock.now());
  return true;
}

/** The same, and what does not get through is tried again by the sweep (`resume-attempt.ts`). */
export async function tryVoidCharge(ctx: Context, attemptId: string): Promise<boolean> {
  try {
    return await voidCharge(ctx, attemptId);
  } catch (error) {
    ctx.deps.log.error({ err: error, attempt: attemptId }, "a charge was not let go");
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
 * Last step of placing: in one transaction the orders, their lines, the ledger, the mail, the emptied cart and the
 * answer for the idempotency key; all of it is there or nothing is.
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
        // An add-on was priced without a delivery fee: without its box it is not what the shopper agreed to (failures.md M5).
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
        if (kept.id !== null) await usesMethod(tx, attempt.payment_id, kept.id);
      }
      if (plan.creditCents > 0 && !(await spendCredit(tx, customerId, plan.creditCents)))
        throw new Rollback(CREDIT_GONE);
      if (plan.discountCodeId !== null && !(await useDiscountCode(tx, plan.discountCodeId, customerId, first.id, now)))
        throw new Rollback(CODE_GONE);
      if (plan.usesReferral) {
        // The card of this payment and the address of this order are known by now, and count.
        await lockReferrer(tx, customerId);
        const refused = await findReferralRefusal(tx, customerId);
        if (refused) throw new Rollback(TOTAL_CHANGED, refused);
        if (!(await useReferral(tx, customerId, first.id))) throw new Rollback(TOTAL_CHANGED);
      }
      if (plan.referralRefused) await refuseReferral(tx, customerId, plan.referralRefused);
      await insertBookings(tx, bookingsOf(orders, attempt.customer_id), now);
      await deps.failpoint("checkout:booked");
      await emptyHoldsAndCart(tx, attempt.id, plan.orders);
      if (choice.address) await keepAddress(tx, customerId, choice.address, now);
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
      return error.failure ? failAndRelease(ctx, attempt, error.failure) : { kind: "lost" };
    throw error;
  }
}

/** The shopper came back from the bank too late for what they wanted: nothing is charged, and a mail says so (failures.md A6). */
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
 * Brings an attempt to its end, given what the provider said: orders, a challenge, or nothing. Whoever calls it holds the
 * attempt's lease; an old lease changes nothing (`lost`).
 */
export async function settleAttempt(ctx: Context, attempt: AttemptRow, said: Authorization | null): Promise<Settled> {
  if (said?.state === "declined")
    return failAndRelease(ctx, attempt, { status: 402, message: said.reason, code: said.code });
  if (said?.state === "challenge" && attempt.source === "auto")
    return failAndRelease(ctx, attempt, CHALLENGE_OFF_SESSION);
  if (said?.state === "challenge") {
    const waiting = await awaitChallenge(ctx.deps.db, attempt, said.ref);
    return waiting ? { kind: "challenge", attemptId: attempt.id, clientSecret: said.clientSecret } : { kind: "lost" };
  }
  const cutoff = new Date(attempt.plan.orders[0]!.cutoffAt);
  const instant = ctx.deps.clock.now();
  // Nobody is waiting who began in time: the clock itself never orders at or after the cutoff (decisions §9).
  const inTime =
    attempt.source === "auto" ? !isPastCutoff(cutoff, instant) : mayFinish(attempt.created_at, cutoff, instant);
  if (!inTime) return failAndRelease(ctx, attempt, PAST_CUTOFF);
  const isHeld = await sqlTransaction(ctx.deps.db, async (tx) =>
    (await lockOwn(tx, attempt)) ? reacquireHold(tx, attempt, instant, addMs(instant, HOLD_MS)) : null,
  );
  if (isHeld === null) return { kind: "lost" };
  if (!isHeld) return failLate(ctx, attempt);
  await ctx.deps.failpoint("checkout:reacquired");
  for (let tried = 1; ; tried += 1) {
    try {
      const placed = await place(ctx, attempt, said);
      await ctx.deps.failpoint("checkout:placed");
      return placed;
    } catch (error) {
      if (isUniqueViolation(error, "orders_auto_key")) return failAndRelease(ctx, attempt, ALREADY_ORDERED);
      // Two random order ids met: draw again.
      if (!isUniqueViolation(error, "orders_pkey") || tried >= PLACE_TRIES) throw error;
    }
  }
}

/**
 * Settles for whoever asked the provider. Given up by somebody else meanwhile: what the bank holds for it since then is for
 * nothing, and is let go (failures.md C7).
 */
export async function settleOrVoid(ctx: Context, attempt: AttemptRow, said: Authorization | null): Promise<Settled> {
  const settled = await settleAttempt(ctx, attempt, said);
  if (settled.kind === "lost" && (await outcomeOf(ctx, attempt.id)).kind === "failed")
    await tryVoidCharge(ctx, attempt.id);
  return settled;
}

/** What became of an attempt's charge; null also when still nobody answers: a hold nobody knows of is let go by the sweep. */
async function refetchCharge({ deps }: Context, attempt: AttemptRow): Promise<Found | null> {
  try {
    return await deps.payments.find(chargeOf(attempt));
  } catch (error) {
    if (error instanceof ProviderUnavailable) return null;
    throw error;
  }
}

/**
 * Asks the provider for an attempt's money. Nobody answered: the same key tells what happened; when that is silent too,
 * the attempt ends without a charge: what the provider may hold is let go by the sweep once it answers (failures.md B10, B11).
 */
export async function authorizeAttempt(
  ctx: Context,
  attempt: AttemptRow,
  ask: () => Promise<Authorization>,
): Promise<Authorization> {
  try {
    return await ask();
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

/** What became of an attempt that is over. */
export async function outcomeOf(ctx: Context, id: string): Promise<Settled> {
  const attempt = await findAttempt(ctx.deps.db, id);
  if (attempt?.state === "placed") return { kind: "placed", orderIds: attempt.order_ids };
  if (attempt?.state === "failed" && attempt.failure) return { kind: "failed", failure: attempt.failure };
  return { kind: "lost" };
}
