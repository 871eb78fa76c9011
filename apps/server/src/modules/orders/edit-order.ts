import { transaction, type Tx } from "@marketday/db";
import { priceEdit } from "@marketday/domain/edit";
import { creditEntries, refundEntries, splitReturn, subtractEntries } from "@marketday/domain/ledger";
import { CARD_MINIMUM, REFERRAL_FRIEND_DISCOUNT } from "@marketday/domain/limits";
import { addCents, allocate, cents, subtractCents, timesCents, zeroCents } from "@marketday/domain/money";
import { EDIT_MESSAGES, planEdit } from "@marketday/domain/order-edit";
import { canEdit } from "@marketday/domain/order-state";
import { moveDiscounts } from "@marketday/domain/promotion";

import { AppError, notFound } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { type Booking, insertBookings } from "../ledger/booking-sql.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { releaseBearers } from "../payments/release-bearer.ts";
import { tryVoidCharge } from "../payments/void-charge.ts";
import { lockOffers, returnUnits } from "../stock/stock-sql.ts";
import { promoteAddOn } from "./box-sql.ts";
import { type EditableOrder, writeEdit } from "./edit-sql.ts";
import { lockBox } from "./lock-box.ts";
import { returnPromotions } from "./promotion-sql.ts";
import { findMovablePromotions, movePromotions } from "./promotion-store.ts";
import { returnCredit } from "./return-credit.ts";
import { bookedTotals, saleOf } from "./sale-bookings.ts";

/** The amounts of an order without items and without a delivery fee. */
export const NOTHING = {
  lines: [],
  itemsCents: zeroCents,
  tipCents: zeroCents,
  taxCents: zeroCents,
  cardFeeCents: zeroCents,
  deliveryFeeCents: zeroCents,
  discountCents: zeroCents,
  waivedCents: zeroCents,
  orderTotalCents: zeroCents,
  creditCents: zeroCents,
};

/** The order's price with these quantities, one per line. */
export const priceOf = (order: EditableOrder, quantities: readonly number[]) =>
  priceEdit({
    lines: order.items.map((item, index) => ({
      quantity: quantities[index] ?? 0,
      quantityBefore: item.quantity,
      unitCents: cents(item.unit_price_cents),
      discountCents: cents(item.discount_cents),
    })),
    tipPercentage: order.tip_percentage,
    taxRatePpm: order.tax_rate_ppm,
    cardFee: {
      ppm: order.processing_ppm,
      fixedCents: cents(order.processing_fixed_cents),
      beforeCents: cents(order.card_fee_cents),
    },
    deliveryFeeCents: cents(order.delivery_fee_cents),
    creditCents: cents(order.credit_cents),
    waivedCents: cents(order.waived_cents),
    leastDueCents: order.is_for_card ? CARD_MINIMUM : zeroCents,
  });

/** The change to one order of a box. */
interface Change {
  order: EditableOrder;
  quantities: number[];
  price: ReturnType<typeof priceOf>;
  isDeleted: boolean;
}

/** The present quantity of each line. */
export const quantitiesOf = (order: EditableOrder): number[] => order.items.map(({ quantity }) => quantity);
/** A quantity of 0 for each line. */
export const noUnits = (order: EditableOrder): number[] => order.items.map(() => 0);

/**
 * Replaces an emptied first order by the oldest add-on, which gets its box, address and discount. The delivery fee stays on the
 * emptied order, because only that order's authorization includes it; it is shown and collected with the box.
 */
async function promote(tx: Tx, boxId: number, from: EditableOrder, to: EditableOrder): Promise<Change> {
  const lineTotals = to.items.map((item) =>
    subtractCents(timesCents(cents(item.unit_price_cents), item.quantity), cents(item.discount_cents)),
  );
  const found = await findMovablePromotions(tx, from.id, to.id);
  const { codeCents, referralCents } = moveDiscounts(
    addCents(...lineTotals),
    found.code
      ? {
          percentPpm: found.code.percent_ppm,
          amountCents: found.code.amount_cents === null ? null : cents(found.code.amount_cents),
          minimumCents: cents(found.code.minimum_cents),
        }
      : null,
    found.has_referral ? REFERRAL_FRIEND_DISCOUNT : zeroCents,
  );
  await movePromotions(tx, from.id, to.id, { isCodeMoved: codeCents > 0, isReferralMoved: referralCents > 0 });
  await returnPromotions(tx, from.id);
  await promoteAddOn(tx, boxId, to.id);
  const shares = allocate(addCents(codeCents, referralCents), lineTotals);
  const discounted = {
    ...to,
    items: to.items.map((item, index) => ({ ...item, discount_cents: item.discount_cents + shares[index]! })),
  };
  const quantities = quantitiesOf(to);
  return { order: to, quantities, price: priceOf(discounted, quantities), isDeleted: false };
}

/**
 * Writes a change to lines and totals. Returns the ledger bookings of the difference and the store credit to return, less
 * goodwill given before (`splitReturn`), which vendors who bear it have back.
 */
export async function writeChange(
  tx: Tx,
  customerId: CustomerId,
  change: Change,
  now: Date,
): Promise<{ bookings: Booking[]; creditCents: number }> {
  const { order, quantities, price, isDeleted } = change;
  const { creditCents, goodwillCents } = splitReturn({
    paidCents: cents(order.credit_cents),
    goodwillCents: cents(order.goodwill_cents),
    creditLoweredCents: cents(order.credit_cents - price.creditCents),
    chargeLoweredCents: zeroCents,
    cardLeftCents: null,
  });
  await writeEdit(
    tx,
    order.id,
    order.items.map((item, index) => ({
      id: item.id,
      quantity: quantities[index] ?? 0,
      discountCents: price.lines[index]?.discountCents ?? 0,
      taxCents: price.lines[index]?.taxCents ?? 0,
    })),
    price,
    isDeleted,
    now,
  );
  const edit = subtractEntries(
    saleOf(customerId, order, quantities, price),
    saleOf(customerId, order, quantitiesOf(order), bookedTotals(order)),
  );
  await releaseBearers(tx, order.id, goodwillCents, now);
  const goodwill = refundEntries(customerId, "credit", { backCents: zeroCents, owedCents: goodwillCents });
  return {
    bookings: [
      { kind: "edit", orderId: order.id, entries: edit },
      { kind: "credit", orderId: order.id, entries: creditEntries(customerId, cents(-creditCents)) },
      { kind: "refund", orderId: order.id, entries: goodwill },
    ],
    creditCents,
  };
}

/**
 * Lowers an open order, a pre-order or an add-on before its cutoff (`docs/product.md` §8, §17): `wanted` lists all items that this
 * order keeps. One transaction, with the box locked, returns the removed units to stock, lowers the amount to capture
 * (tip and tax in proportion) and returns store credit. An emptied add-on is deleted. An emptied first order is replaced by
 * its oldest add-on (`promote`). When the box has no items left, all its orders are deleted and their charges voided.
 * @returns "deleted" when nothing of the box is left, "changed" otherwise
 * @throws AppError 404; 409 `past_cutoff`; 422 `raised`, `added` or `unpublished`
 */
export async function editOrder(
  ctx: Context,
  customerId: CustomerId,
  orderId: number,
  wanted: readonly { variantId: number; quantity: number }[],
): Promise<"changed" | "deleted"> {
  const { deps, now } = ctx;
  const result = await transaction(deps.db, async (tx) => {
    const box = await lockBox(tx, orderId, customerId);
    const order = box?.orders.find(({ id }) => id === orderId);
    if (!box || !order) throw notFound();
    if (!canEdit(order.status, order.cutoff_at, now))
      throw new AppError(409, EDIT_MESSAGES.closed, { code: "past_cutoff" });
    await deps.failpoint("edit:locked");
    const lines = order.items.map((item) => ({
      variantId: item.variant_id,
      quantity: item.quantity,
      isPublished: item.is_published,
      item,
    }));
    const plan = planEdit(lines, wanted);
    if (!plan.ok) throw new AppError(422, EDIT_MESSAGES[plan.reason], { code: plan.reason, items: [plan.variantId] });
    if (plan.removed.length === 0) return { kind: "changed" as const, voided: [] };

    const back = plan.removed.flatMap(({ item, quantity }) =>
      item.offer_id === null ? [] : [{ offerId: item.offer_id, quantity }],
    );
    await lockOffers(
      tx,
      back.map(({ offerId }) => offerId),
    );
    const kept = new Map(plan.lines.map(({ item, quantity }) => [item.id, quantity]));
    const quantities = order.items.map(({ id }) => kept.get(id) ?? 0);
    const others = box.orders.filter((other) => other.id !== order.id);
    const nextAddOn = others.find(({ items }) => items.length > 0);
    const isEmptied = plan.lines.length === 0;
    const isGone = isEmptied && nextAddOn === undefined;
    // An emptied order with a delivery fee is kept while the box is still delivered.
    const isDeleted = isGone || (isEmptied && order.delivery_fee_cents === 0);
    const changes: Change[] = [
      { order, quantities, price: isDeleted ? NOTHING : priceOf(order, quantities), isDeleted },
    ];
    let boxId = box.id;
    if (isGone)
      for (const other of others)
        changes.push({ order: other, quantities: noUnits(other), price: NOTHING, isDeleted: true });
    else if (isEmptied && order.id === box.id && nextAddOn) {
      changes.push(await promote(tx, box.id, order, nextAddOn));
      boxId = nextAddOn.id;
    }
    const bookings: Booking[] = [];
    let credit = 0;
    for (const change of changes) {
      const written = await writeChange(tx, customerId, change, now);
      bookings.push(...written.bookings);
      credit += written.creditCents;
    }
    await returnUnits(tx, back, order, now);
    await insertBookings(tx, bookings, now);
    if (credit > 0) await returnCredit(tx, customerId, credit);
    const deleted = changes.filter((change) => change.isDeleted);
    for (const change of deleted) await returnPromotions(tx, change.order.id);
    const template = isGone ? "order-cancelled" : "order-changed";
    await enqueueMail(tx, {
      key: `${template}:${order.id}:${now.toISOString()}`,
      template,
      customerId,
      data: { orderId: boxId, creditCents: credit },
      now,
    });
    return {
      kind: isGone ? ("deleted" as const) : ("changed" as const),
      voided: deleted.flatMap((change) => change.order.payment_id ?? []),
    };
  });
  for (const paymentId of result.voided) await tryVoidCharge(ctx, paymentId);
  return result.kind;
}
