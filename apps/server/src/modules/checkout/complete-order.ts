import { randomInt } from "node:crypto";

import { isUniqueViolation, sqlTransaction, type AnyTx } from "@marketday/db";
import { isPastCutoff, mayFinish } from "@marketday/domain/delivery";
import { creditEntries, saleEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";
import { newOrderId } from "@marketday/domain/order";
import type { ReferralMatch } from "@marketday/domain/referral";

import type { ChargeState } from "../../gateways/payments/payments.ts";
import { lockExistingCart } from "../cart/cart-sql.ts";
import { lockDeliveriesToOrder } from "../hubs/day-sql.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { type Booking, insertBookings } from "../ledger/booking-sql.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { lockCustomerBoxes, lockOpenBox } from "../orders/box-sql.ts";
import {
  emptyHoldsAndCart,
  insertOrders,
  type OrderToInsert,
  spendCredit,
  redeemDiscountCode,
  redeemReferral,
} from "../orders/placing-sql.ts";
import { detachCopy } from "../payments/cards.ts";
import { markPaymentAuthorized, setPaymentMethod, uncountPayment } from "../payments/charge-sql.ts";
import { fulfillmentChanged } from "../payments/fulfillment-handler.ts";
import { insertMethod, type Kept, makeDefault } from "../payments/method-sql.ts";
import { setFulfillment } from "../profile/fulfillment.ts";
import { lockReferral, refuseReferral } from "../referrals/person-sql.ts";
import { findCardlessRefusal, findReferralRefusal } from "../referrals/refusal.ts";
import { reacquireHold } from "../stock/stock-sql.ts";
import { type AttemptRow, findOwnHold, lockOwn, markPlaced } from "./attempt-sql.ts";
import {
  ALREADY_ORDERED,
  CODE_GONE,
  CREDIT_GONE,
  type Failure,
  PAST_CUTOFF,
  PAYMENT_RETURNED,
  SOLD_WHILE_PAYING,
  TOTAL_CHANGED,
} from "./outcome.ts";

/** A charge that pays for the order. */
export type PaidCharge = Extract<ChargeState, { state: "authorized" | "captured" }>;

/** How completing went. `failed`: nothing was written; the attempt ends for this reason, with the email that `enqueue` queues. */
export type Completion =
  | { kind: "placed"; orderIds: number[] }
  | { kind: "running" }
  | { kind: "failed"; failure: Failure; enqueue?: (tx: AnyTx) => Promise<void> };

const failed = (failure: Failure): Completion => ({ kind: "failed", failure });

/** Thrown to roll back the placing transaction; never leaves this file. */
class Rollback extends Error {
  /** Why the attempt fails; null: another worker has taken it over. */
  readonly failure: Failure | null;
  /** Why the referral is refused permanently. */
  readonly refused: ReferralMatch | null;
  constructor(failure: Failure | null, refused: ReferralMatch | null = null) {
    super("rolled back");
    this.failure = failure;
    this.refused = refused;
  }
}

const bookingsOf = (orders: readonly OrderToInsert[], customerId: number): Booking[] =>
  orders.flatMap((order) => [
    {
      kind: "sale",
      orderId: order.id,
      entries: saleEntries({
        customerId,
        lines: order.lines.map((line) => ({ ...line, unitCents: cents(line.unitCents) })),
        tipCents: cents(order.tipCents),
        taxCents: cents(order.taxCents),
        cardFeeCents: cents(order.cardFeeCents),
        deliveryFeeCents: cents(order.deliveryFeeCents),
        discountCents: cents(order.discountCents),
        waivedCents: cents(order.waivedCents),
      }),
    },
    { kind: "credit", orderId: order.id, entries: creditEntries(customerId, cents(order.creditCents)) },
  ]);

/** The orders to insert: add-ons join their box if it is still open, under a lock of the box. */
async function joinBoxes(tx: AnyTx, { plan, customer_id }: AttemptRow): Promise<OrderToInsert[]> {
  const customerId = asCustomerId(customer_id);
  const orders: OrderToInsert[] = [];
  for (const order of plan.orders) {
    if (order.joinsOrderId !== null) await lockCustomerBoxes(tx, customerId, order.deliveryId);
    const boxId = order.joinsOrderId === null ? null : await lockOpenBox(tx, order.joinsOrderId, customerId);
    // An add-on is priced without a delivery fee. If its box is gone the fee is due, and the total is no longer the one
    // the shopper agreed to (failures.md M5).
    if (order.joinsOrderId !== null && boxId === null && order.ownDeliveryFeeCents > 0)
      throw new Rollback(TOTAL_CHANGED);
    const status = order.isPreOrder ? "future" : "open";
    orders.push({ ...order, id: newOrderId(randomInt), joinsOrderId: boxId, status });
  }
  return orders;
}

/** Takes the store credit, discount code and referral that the plan uses. */
async function redeem(ctx: Context, tx: AnyTx, attempt: AttemptRow, orderId: number): Promise<void> {
  const { plan, choice, customer_id } = attempt;
  const customerId = asCustomerId(customer_id);
  if (plan.creditCents > 0 && !(await spendCredit(tx, customerId, plan.creditCents))) throw new Rollback(CREDIT_GONE);
  if (
    plan.discountCodeId !== null &&
    !(await redeemDiscountCode(tx, plan.discountCodeId, customerId, orderId, ctx.now))
  )
    throw new Rollback(CODE_GONE);
  if (plan.usesReferral) {
    // Checked after the payment's card and the order's address are written, so that both are compared.
    const { takesCards } = ctx.deps.payments;
    const { pepper } = ctx.deps.env;
    const isPaidByCard = takesCards && attempt.payment_id !== null;
    await lockReferral(tx, customerId, isPaidByCard ? null : choice.address);
    const refused = await findReferralRefusal(tx, customerId);
    if (refused) throw new Rollback(TOTAL_CHANGED, refused);
    // Not recorded: another choice may have the discount.
    if (!isPaidByCard && (await findCardlessRefusal(tx, customerId, choice.address, { takesCards, pepper })))
      throw new Rollback(TOTAL_CHANGED);
    if (!(await redeemReferral(tx, customerId, orderId))) throw new Rollback(TOTAL_CHANGED);
  }
  if (plan.referralRefused) await refuseReferral(tx, customerId, plan.referralRefused);
}

/** Makes the order's place, and the saved card that pays for it, those of automatic orders and of the next checkout. */
async function keepForNextTime(
  ctx: Context,
  tx: AnyTx,
  { choice, customer_id }: AttemptRow,
  paid: PaidCharge | null,
  kept: Kept | null,
): Promise<void> {
  const customerId = asCustomerId(customer_id);
  const cardId = kept?.id ?? (paid && choice.paymentMethodId);
  const isOtherCard =
    cardId !== null && ((await makeDefault(tx, customerId, cardId, ctx.now)) === true || kept?.how === "new");
  const place =
    choice.type === "pickup"
      ? { pickupPointId: choice.pickupPointId }
      : { deliveryAddress: choice.address ?? undefined, pickupPointId: null };
  const isMoved = await setFulfillment(ctx, tx, customerId, place, true);
  if (isMoved || isOtherCard) await fulfillmentChanged(ctx, tx, customerId);
}

/**
 * The one transaction that writes the orders, their lines, the ledger entries, the emails and the emptied cart. Returns the
 * order ids and what became of a card to save.
 */
async function place(ctx: Context, tx: AnyTx, attempt: AttemptRow, paid: PaidCharge | null) {
  const { deps, now } = ctx;
  const { plan, choice } = attempt;
  const customerId = asCustomerId(attempt.customer_id);
  // Before everything else: logging in, a change of subscriptions and deleting the account lock the cart before the customer.
  await lockExistingCart(tx, customerId);
  if (!(await markPlaced(tx, attempt, now))) throw new Rollback(null);
  if (paid && attempt.payment_id) {
    const { ref, cardFingerprint = null } = paid;
    const payment = { id: attempt.payment_id, ref, cardFingerprint, methodId: choice.paymentMethodId };
    if (!(await markPaymentAuthorized(tx, payment, now))) throw new Rollback(PAYMENT_RETURNED);
  }
  await deps.failpoint("checkout:placing");
  const deliveryIds = plan.orders.map(({ deliveryId }) => deliveryId);
  if (!(await lockDeliveriesToOrder(tx, deliveryIds))) throw new Rollback(PAST_CUTOFF);
  const orders = await joinBoxes(tx, attempt);
  const orderIds = orders.map(({ id }) => id);
  if (orderIds.length === 0) throw new Rollback(null);
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
  let kept: Kept | null = null;
  if (paid?.saved && attempt.payment_id) {
    kept = await insertMethod(tx, customerId, deps.payments.name, paid.saved, now);
    if (kept.id !== null) await setPaymentMethod(tx, attempt.payment_id, kept.id);
  }
  if (attempt.source === "checkout" && choice.useNextTime) await keepForNextTime(ctx, tx, attempt, paid, kept);
  // The first saved card is the default anyway.
  else if (kept?.isNewDefault) await fulfillmentChanged(ctx, tx, customerId);
  await emptyHoldsAndCart(tx, attempt.id, plan.orders);
  await redeem(ctx, tx, attempt, orderIds[0]!);
  await insertBookings(tx, bookingsOf(orders, attempt.customer_id), now);
  await deps.failpoint("checkout:booked");
  if (attempt.payment_id) await uncountPayment(tx, attempt.payment_id);
  for (const orderId of orderIds)
    await enqueueMail(tx, {
      key: `order-confirmation:${orderId}`,
      template: "order-confirmation",
      customerId,
      data: { orderId },
      now,
    });
  await deps.failpoint("checkout:before-commit");
  return { orderIds, kept };
}

/** Queues the email that the stock was sold while the bank's challenge was open: nothing is charged (failures.md A6). */
const enqueueNotCharged = (ctx: Context, attempt: AttemptRow) => (tx: AnyTx) =>
  enqueueMail(tx, {
    key: `not-charged:${attempt.id}`,
    template: "not-charged",
    customerId: attempt.customer_id,
    data: {},
    now: ctx.now,
  });

/**
 * Whether the attempt holds its stock, which it takes back if its hold was released. Null: another worker has taken it over. Its holds
 * are only released together with a change of its state or its fencing token, and then `place` writes nothing: so a hold that is found
 * needs no lock.
 */
async function holdStock({ deps }: Context, attempt: AttemptRow, now: Date): Promise<boolean | null> {
  const own = await findOwnHold(deps.db, attempt);
  if (own?.is_held !== false) return own && true;
  const lines = attempt.plan.orders.flatMap((order) => order.lines);
  return sqlTransaction(deps.db, async (tx) =>
    (await lockOwn(tx, attempt)) ? reacquireHold(tx, attempt.id, lines, now) : null,
  );
}

const PLACE_TRIES = 3;

/**
 * Last step of placing an order: takes the stock back if its hold was released, then writes the orders. `failed`
 * when the cutoff has passed or something that the plan uses is gone. `paid` is null when nothing is due.
 */
export async function completeOrder(ctx: Context, attempt: AttemptRow, paid: PaidCharge | null): Promise<Completion> {
  const { deps } = ctx;
  const instant = deps.clock.now();
  const cutoff = new Date(attempt.plan.orders[0]!.cutoffAt);
  // A shopper who started before the cutoff may finish shortly after it. An automatic order may not (docs/product.md §9).
  const isInTime =
    attempt.source === "auto" ? !isPastCutoff(cutoff, instant) : mayFinish(attempt.created_at, cutoff, instant);
  if (!isInTime) return failed(PAST_CUTOFF);
  const isHeld = await holdStock(ctx, attempt, instant);
  if (isHeld === null) return { kind: "running" };
  if (!isHeld) return { kind: "failed", failure: SOLD_WHILE_PAYING, enqueue: enqueueNotCharged(ctx, attempt) };
  await deps.failpoint("checkout:reacquired");
  for (let tried = 1; ; tried += 1) {
    try {
      const { orderIds, kept } = await sqlTransaction(deps.db, (tx) => place(ctx, tx, attempt, paid));
      if (paid?.saved && kept) await detachCopy(ctx, kept, paid.saved);
      await deps.failpoint("checkout:placed");
      return { kind: "placed", orderIds };
    } catch (error) {
      if (error instanceof Rollback) {
        if (error.refused) await refuseReferral(deps.db, asCustomerId(attempt.customer_id), error.refused);
        return error.failure ? failed(error.failure) : { kind: "running" };
      }
      if (isUniqueViolation(error, "orders_auto_key")) return failed(ALREADY_ORDERED);
      // Random order id already taken: retry with new ids.
      if (!isUniqueViolation(error, "orders_pkey") || tried >= PLACE_TRIES) throw error;
    }
  }
}
