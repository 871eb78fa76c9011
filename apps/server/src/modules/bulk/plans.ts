import type { Client } from "@marketday/db";
import { cents, toDollars } from "@marketday/domain/money";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../identity/context.ts";
import { quoteCancel } from "../orders/cancel-order.ts";
import { chargeableCents } from "../orders/charge-now.ts";
import { deliverable } from "../orders/deliver-orders.ts";
import { noAddress } from "../orders/hold-resend.ts";
import { isPaidAtDoor, payableOf } from "../orders/record-payment.ts";
import { findVendorChanges } from "../orders/vendor-change-sql.ts";
import { stillCharging } from "../payments/charge-order.ts";
import { findMailed } from "../payments/set-aside-store.ts";
import { type BoxEffect, NO_EFFECT, overLimitCents, planBoxes, type Planned } from "./plan.ts";
import { firstOf, type SelectedBox, selectBoxes } from "./select-boxes.ts";
import { findAllCovered, findPendingCancels, findPendingSteps } from "./steps-store.ts";

const none = () => 0;
const isLive = ({ status }: { status: string }) => status !== "cancelled";
const cancelled = () => new AppError(409, "This order is cancelled.", { code: "cancelled" });
const idsOf = (boxes: readonly SelectedBox[]) => boxes.map(({ id }) => id);

/** What recording these boxes as paid at the door would do (`recordPayments`). */
export async function planPaid(ctx: Context, db: Client, orderIds: readonly number[]): Promise<Planned> {
  const selected = await selectBoxes(db, ctx, orderIds, "orders.adjust");
  const covered = await findAllCovered(
    db,
    selected.flatMap(({ orders }) =>
      orders.filter(isPaidAtDoor).flatMap(({ payment_id: id }) => (id === null ? [] : [id])),
    ),
  );
  const recorded = new Set<number>();
  const effectOf = (box: SelectedBox): BoxEffect | null => {
    let amountCents = 0;
    let isChanged = false;
    for (const order of payableOf(firstOf(box), box.orders)) {
      if (recorded.has(order.id)) continue;
      if (order.is_charging) throw stillCharging();
      isChanged = true;
      const paid = isPaidAtDoor(order) ? covered.get(order.payment_id!) : undefined;
      amountCents += paid?.cents ?? order.order_total_cents - order.credit_cents;
      for (const id of paid?.ids ?? [order.id]) recorded.add(id);
    }
    return isChanged ? { ...NO_EFFECT, amountCents } : null;
  };
  return planBoxes(ctx, selected, effectOf, { about: ["paid"], mails: none });
}

/** What marking these boxes as delivered would do (`deliverOrders`). */
export async function planDeliver(ctx: Context, db: Client, orderIds: readonly number[]): Promise<Planned> {
  const selected = await selectBoxes(db, ctx, orderIds, "orders.adjust");
  const effectOf = (box: SelectedBox) => (deliverable(firstOf(box), box.orders).length > 0 ? NO_EFFECT : null);
  return planBoxes(ctx, selected, effectOf, { about: ["deliver"], mails: none });
}

/** What canceling these boxes would do (`cancelOrder` each), with one email to each vendor and day. */
export async function planCancels(
  ctx: Context,
  db: Client,
  { orderIds, refundTo }: { orderIds: readonly number[]; refundTo: "card" | "credit" },
): Promise<Planned> {
  const selected = await selectBoxes(db, ctx, orderIds, "orders.cancel");
  const [held, alone] = [
    await findPendingSteps(db, "bulk_cancel", idsOf(selected)),
    await findPendingCancels(
      db,
      selected.flatMap(({ orders }) => orders.map(({ id }) => id)),
    ),
  ];
  /** What the card of a payment got back for the boxes before, cents. */
  const used = new Map<string, number>();
  const effectOf = (box: SelectedBox): BoxEffect | null => {
    const by = held.get(box.id) ?? box.orders.flatMap(({ id }) => alone.get(id) ?? [])[0];
    if (by !== undefined) throw new AppError(409, `${by} is about to cancel this order.`, { code: "held" });
    const live = box.orders.filter(isLive);
    if (live.length === 0) return null;
    const effect = { ...NO_EFFECT };
    for (const order of live) {
      const before = used.get(order.payment_id ?? "") ?? 0;
      const quote = quoteCancel({ ...order, left_cents: Math.max(0, order.left_cents - before) }, refundTo);
      const backCents = quote.to === "card" ? quote.backCents : 0;
      if (order.payment_id !== null) used.set(order.payment_id, before + backCents);
      effect.backCents += backCents;
      effect.creditCents += quote.creditCents;
      effect.unchargedCents += quote.unchargedCents;
      effect.uncollectedCents += quote.uncollectedCents;
    }
    return { ...effect, amountCents: effect.backCents + effect.creditCents };
  };
  const planned = await planBoxes(ctx, selected, effectOf, {
    about: ["cancel", refundTo],
    mails: (boxes) => boxes.filter(({ customer_id: id }) => id !== null).length,
    vendorMailsOf: async (boxes) => {
      let mails = 0;
      for (const [deliveryId, ofDay] of Map.groupBy(boxes, ({ delivery_id: id }) => id)) {
        const taken = ofDay.flatMap(({ orders }) =>
          orders
            .filter(isLive)
            .flatMap(({ items }) => items.map(({ variant_id: variantId, quantity }) => ({ variantId, quantity }))),
        );
        mails += (await findVendorChanges(db, deliveryId, taken, ctx.now)).length;
      }
      return mails;
    },
  });
  const limit = overLimitCents(ctx, planned);
  return { ...planned, plan: { ...planned.plan, overLimit: limit === null ? null : toDollars(cents(limit)) } };
}

/** What charging the cards of these boxes again would do (`chargeNow` each). */
export async function planCharges(ctx: Context, db: Client, orderIds: readonly number[]): Promise<Planned> {
  const selected = await selectBoxes(db, ctx, orderIds, "orders.refund");
  const held = await findPendingSteps(db, "bulk_charge", idsOf(selected));
  const mailed = new Set(
    await findMailed(
      db,
      selected.flatMap(({ orders }) => orders.map(({ id }) => id)),
    ),
  );
  const effectOf = (box: SelectedBox): BoxEffect | null => {
    const by = held.get(box.id);
    if (by !== undefined) throw new AppError(409, `${by} is about to charge this order.`, { code: "held" });
    const live = box.orders.filter(isLive);
    if (live.length === 0) throw cancelled();
    let amountCents = 0;
    for (const order of live) {
      const dueCents = chargeableCents(order);
      if (dueCents > 0 && order.is_charging) throw stillCharging();
      amountCents += dueCents;
    }
    return amountCents > 0 ? { ...NO_EFFECT, amountCents } : null;
  };
  return planBoxes(ctx, selected, effectOf, {
    about: ["charge"],
    // A customer who was emailed that it failed is emailed that it was charged.
    mails: (boxes) =>
      new Set(
        boxes.flatMap(({ orders }) =>
          orders.filter(({ id }) => mailed.has(id)).map(({ id, payment_id: paymentId }) => paymentId ?? String(id)),
        ),
      ).size,
  });
}

/** What emailing the customers of these boxes would do: each once. */
export async function planMessage(ctx: Context, db: Client, orderIds: readonly number[]): Promise<Planned> {
  const selected = await selectBoxes(db, ctx, orderIds, "inbox.reply");
  const effectOf = (box: SelectedBox) => {
    if (box.customer_id === null) throw noAddress();
    return NO_EFFECT;
  };
  return planBoxes(ctx, selected, effectOf, {
    about: ["message"],
    mails: (boxes) => new Set(boxes.map(({ customer_id: id }) => id)).size,
  });
}
