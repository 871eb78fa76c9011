import { sqlTransaction } from "@marketday/db";
import { priceEdit } from "@marketday/domain/edit";
import { creditEntries, subtractEntries } from "@marketday/domain/ledger";
import { cents, zeroCents } from "@marketday/domain/money";
import { canEdit, EDIT_MESSAGES, planEdit } from "@marketday/domain/order";

import { AppError, notFound } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../../lib/context.ts";
import { enqueueMail } from "../mail/store.ts";
import { type EditableOrder, lockOrder, returnCredit, returnPromotions, returnStock, writeEdit } from "./edit-store.ts";
import { insertBookings } from "./placing-store.ts";
import { bookedTotals, saleOf } from "./sale-bookings.ts";
import { letChargeGo } from "./settle-attempt.ts";
import { lockOffers } from "./stock-store.ts";

/** What an order comes to of which nothing is left, and in whose box no add-on rides. */
export const NOTHING = {
  lines: [],
  itemsCents: zeroCents,
  tipCents: zeroCents,
  taxCents: zeroCents,
  cardFeeCents: zeroCents,
  deliveryFeeCents: zeroCents,
  discountCents: zeroCents,
  orderTotalCents: zeroCents,
  creditCents: zeroCents,
};

/** What the order comes to with these quantities, line by line. */
export const priceOf = (order: EditableOrder, quantities: readonly number[]) =>
  priceEdit({
    lines: order.items.map((item, place) => ({
      quantity: quantities[place] ?? 0,
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
  });

/**
 * Lowers an open order before its cutoff (decisions §8): `wanted` is the whole order. What is removed goes back to stock
 * and off what will be captured, tip and tax in proportion, credit back to the customer, all in one transaction with the
 * order's row locked. Nothing left: the order is deleted and its charge let go, once.
 */
export async function editOrder(
  ctx: Context,
  customerId: CustomerId,
  orderId: number,
  wanted: readonly { variantId: number; quantity: number }[],
): Promise<"changed" | "deleted"> {
  const { deps, now } = ctx;
  const result = await sqlTransaction(deps.db, async (tx) => {
    const order = await lockOrder(tx, customerId, orderId);
    if (!order) throw notFound();
    if (!canEdit(order.status, order.cutoff_at, now))
      throw new AppError(409, EDIT_MESSAGES.closed, { code: "past_cutoff" });
    await deps.at("edit:locked");
    const lines = order.items.map((item) => ({
      variantId: item.variant_id,
      quantity: item.quantity,
      isPublished: item.is_published,
      item,
    }));
    const plan = planEdit(lines, wanted);
    if (!plan.ok) throw new AppError(422, EDIT_MESSAGES[plan.reason], { code: plan.reason, items: [plan.variantId] });
    if (plan.removed.length === 0) return { kind: "changed" as const, voided: null };

    const kept = new Map(plan.lines.map(({ item, quantity }) => [item.id, quantity]));
    const quantities = order.items.map(({ id }) => kept.get(id) ?? 0);
    const isDeleted = plan.lines.length === 0 && !order.has_add_ons;
    const price = isDeleted ? NOTHING : priceOf(order, quantities);
    const back = plan.removed.flatMap(({ item, quantity }) =>
      item.offer_id === null ? [] : [{ offerId: item.offer_id, quantity }],
    );
    await lockOffers(
      tx,
      back.map(({ offerId }) => offerId),
    );
    await writeEdit(
      tx,
      order.id,
      order.items.map((item, place) => ({
        id: item.id,
        quantity: quantities[place] ?? 0,
        discountCents: price.lines[place]?.discountCents ?? 0,
        taxCents: price.lines[place]?.taxCents ?? 0,
      })),
      price,
      isDeleted,
      now,
    );
    await returnStock(tx, back);
    const credit = cents(order.credit_cents - price.creditCents);
    await insertBookings(
      tx,
      [
        {
          kind: "edit",
          orderId: order.id,
          entries: subtractEntries(
            saleOf(customerId, order, quantities, price),
            saleOf(
              customerId,
              order,
              order.items.map(({ quantity }) => quantity),
              bookedTotals(order),
            ),
          ),
        },
        { kind: "credit", orderId: order.id, entries: creditEntries(customerId, cents(-credit)) },
      ],
      now,
    );
    if (credit > 0) await returnCredit(tx, customerId, credit);
    if (isDeleted) await returnPromotions(tx, order.id);
    const template = isDeleted ? "order-cancelled" : "order-changed";
    await enqueueMail(tx, {
      key: `${template}:${order.id}:${now.toISOString()}`,
      template,
      customerId,
      data: { orderId: order.id },
      now,
    });
    return {
      kind: isDeleted ? ("deleted" as const) : ("changed" as const),
      voided: isDeleted ? order.attempt_id : null,
    };
  });
  if (result.voided) await letChargeGo(ctx, result.voided);
  return result.kind;
}
