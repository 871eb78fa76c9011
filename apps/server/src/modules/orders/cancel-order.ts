import type { Tx } from "@marketday/db";
import { subtractEntries, writeOffEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";

import { notFound } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { bookPurchase, insertBookings } from "../ledger/booking-sql.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { fetchCharges, stillCharging, voidReleased } from "../payments/charge-order.ts";
import { fetchMovedMoneyOfBox } from "../payments/fetch-moved-money.ts";
import { refundMailTime, settleRefunds } from "../payments/finish-refund.ts";
import { type Released, releaseCharge } from "../payments/order-charge-sql.ts";
import { tryVoidCharge } from "../payments/void-charge.ts";
import { lockOffers, putOnSale, returnUnits, writeOffUnits } from "../stock/stock-sql.ts";
import { lockBox } from "./lock-box.ts";
import { returnPromotions } from "./promotion-sql.ts";
import { type MoneyBack, quoteReturn, type RefundInput, refundPaid, sumMoney } from "./refund-paid.ts";
import { bookedTotals, saleOf } from "./sale-bookings.ts";
import { lockOrderForSupport, lockOrdersAndOffers, type OrderForSupport } from "./support-sql.ts";
import { markCancelled } from "./support-store.ts";
import type { TakenUnits } from "./vendor-change-sql.ts";
import { mailVendorChanges } from "./vendor-changes.ts";

export interface CancelInput extends RefundInput {
  /** Whether the units return to stock. Default: yes in the week that they were taken from, no after it or after the delivery. */
  restock?: boolean;
  /** The action of the staff that cancels it, in its audit entry. */
  actionId?: number;
  /** The vendors are not emailed: the caller does it for many orders at once. */
  withoutVendorMails?: boolean;
  /** Runs at the end of the transaction with what was canceled, also when that is nothing; it may run again. */
  complete?: (tx: Tx, cancelled: readonly CancelledOrder[]) => Promise<void>;
}

/** The canceled orders, and where their money goes. */
export interface Cancelled extends MoneyBack {
  orderIds: number[];
  /** Where captured money goes. */
  to: CancelInput["to"];
  /** Emails to the customer and to vendors. */
  mails: number;
}

/** A canceled order, and what is left to do at the provider. */
export interface CancelledOrder extends MoneyBack {
  orderId: number;
  deliveryId: number;
  taken: TakenUnits[];
  /** Null: the order has no customer. */
  customerId: number | null;
  /** False: its account was deleted, and gets no email. */
  hasAccount: boolean;
  /** Where captured money goes: the card of a deleted account, which can spend no store credit. */
  to: CancelInput["to"];
  /** The payment that may no longer pay for an order. */
  voids: string | null;
  /** A later, separate charge of this order that must be voided. */
  released: Released | null;
}

/** A canceled order leaves no loss to the market. */
const undoWriteOff = (tx: Tx, order: OrderForSupport, customerId: number | null, now: Date) =>
  bookPurchase(
    tx,
    { kind: "write_off", paymentId: null, note: `order ${order.id} cancelled`, now },
    writeOffEntries(customerId, cents(order.credit_cents - order.order_total_cents)),
  );

/**
 * What canceling an order gives back, without the reduction of what other orders of its payment got before (`left_cents`). Nothing is written.
 * @throws AppError 409 `still_charging`
 */
export function quoteCancel(order: OrderForSupport, refundTo: CancelInput["to"]) {
  if (order.is_charging) throw stillCharging();
  const to = order.has_account ? refundTo : "card";
  const { money } = quoteReturn(order, { orderTotalCents: 0, creditCents: 0 }, to);
  return { ...money, to, unchargedCents: order.written_off_at ? 0 : money.unchargedCents };
}

async function cancelOne(ctx: Context, tx: Tx, orderId: number, input: CancelInput): Promise<CancelledOrder | null> {
  const { now } = ctx;
  const order = await lockOrderForSupport(tx, orderId);
  if (!order) throw notFound();
  if (order.status === "cancelled") return null;
  if (order.is_charging) throw stillCharging();
  const customerId = order.customer_id ?? order.booked_customer_id;
  const to = order.has_account ? input.to : "card";
  const units = order.items.flatMap(({ offer_id, quantity }) =>
    offer_id === null ? [] : [{ offerId: offer_id, quantity }],
  );
  await lockOffers(
    tx,
    units.map(({ offerId }) => offerId),
  );
  const reason = `order ${order.id} cancelled`;
  if (input.restock ?? order.status !== "closed") {
    const returned = await returnUnits(tx, units, order, now);
    const over = returned.filter(({ is_over }) => is_over);
    if (input.restock === true) await putOnSale(tx, over, reason, now);
  } else await writeOffUnits(tx, units, order, reason, now);
  const sale = saleOf(
    customerId,
    order,
    order.items.map(({ quantity }) => quantity),
    bookedTotals(order),
  );
  await insertBookings(tx, [{ kind: "edit", orderId: order.id, entries: subtractEntries([], sale) }], now);
  const back = await refundPaid(
    ctx,
    tx,
    { ...order, customer_id: customerId },
    { orderTotalCents: 0, creditCents: 0 },
    { ...input, to, kind: "cancel" },
  );
  if (order.written_off_at) await undoWriteOff(tx, order, customerId, now);
  await markCancelled(tx, order.id, now);
  await returnPromotions(tx, order.id);
  await writeAuditEntry(tx, ctx, {
    action: "orders cancel",
    subject: `order:${order.id}`,
    reason: input.reason,
    data: {
      to,
      backCents: back.backCents,
      creditCents: back.creditCents,
      ...(input.actionId !== undefined && { actionId: input.actionId }),
    },
  });
  return {
    orderId: order.id,
    deliveryId: order.delivery_id,
    taken: order.items.map(({ variant_id: variantId, quantity }) => ({ variantId, quantity })),
    customerId: order.customer_id,
    hasAccount: order.has_account,
    to,
    ...back,
    // The market had borne it.
    unchargedCents: order.written_off_at ? 0 : back.unchargedCents,
    voids: order.payment_state === "captured" ? null : order.payment_id,
    released: order.charge_failed_at === null ? null : await releaseCharge(tx, order.id, now),
  };
}

/**
 * Cancels an order, and with a box its add-ons, and emails the customer, in the caller's transaction. The units that vendors bring less are
 * in the result (`mailVendorChanges`). Empty: it was canceled before. @throws AppError as `cancelOrder`
 */
export async function cancelBox(ctx: Context, tx: Tx, orderId: number, input: CancelInput): Promise<CancelledOrder[]> {
  const box = await lockBox(tx, orderId, null);
  if (!box) throw notFound();
  const named = box.orders.find(({ id }) => id === orderId);
  const carriesFee = named !== undefined && named.items.length === 0 && named.delivery_fee_cents > 0;
  const isAlone = orderId !== box.id && !carriesFee;
  const ids = isAlone ? [orderId] : box.orders.map(({ id }) => id);
  await lockOrdersAndOffers(tx, ids);
  const cancelled: CancelledOrder[] = [];
  for (const id of ids) {
    const result = await cancelOne(ctx, tx, id, { ...input, key: cancelled.length === 0 ? input.key : null });
    if (result) cancelled.push(result);
  }
  const [first] = cancelled;
  if (first && first.customerId !== null) {
    const { backCents, creditCents, bankCents, earlierCents, refunds } = sumMoney(cancelled);
    const refundIds = refunds.map(({ id }) => id);
    await enqueueMail(tx, {
      key: `order-called-off:${orderId}`,
      template: "order-called-off",
      customerId: first.customerId,
      data: { orderId, reason: input.reason, backCents, creditCents, bankCents, earlierCents, refundIds, to: first.to },
      now: ctx.now,
      ...(refundIds.length > 0 && { notBefore: refundMailTime(ctx.now) }),
    });
  }
  return cancelled;
}

/**
 * Voids and refunds at the provider what canceled orders no longer pay for, after the commit. What fails is tried again by the jobs.
 * @param boxes the canceled orders of each `cancelBox`, whose one mail has the result of all their refunds
 */
export async function settleCancelled(ctx: Context, boxes: readonly (readonly CancelledOrder[])[]): Promise<void> {
  await ctx.deps.failpoint("cancel:written");
  for (const { voids, released } of boxes.flat()) {
    await voidReleased(ctx, released);
    if (voids) await tryVoidCharge(ctx, voids);
  }
  for (const cancelled of boxes)
    await settleRefunds(
      ctx,
      cancelled.flatMap(({ refunds }) => refunds),
    );
}

/**
 * Cancels an order whatever its state, and with a box its add-ons (`docs/product.md` §8, §14 `orders cancel`): it stays listed as
 * "Cancelled". An add-on is canceled alone; the number of an emptied order means its box. Before the charge the authorization is
 * voided; after it the money is refunded once, to the card or as store credit. What the shopper's bank or the provider's dashboard
 * has given back is not given again; the result has what became of each refund. Store credit that was used returns as store credit. Vendors' shares, tax and fees are reversed in the ledger, and so is a write-off; the promotions it used are freed. Sends one
 * email to the customer and one to each vendor who was emailed the day's quantities. The money of a deleted account goes to the card,
 * without an email. Canceling twice changes nothing.
 * @throws AppError 404; 409 `still_charging`; 503 `payments_down`
 */
export async function cancelOrder(ctx: Context, orderId: number, input: CancelInput): Promise<Cancelled> {
  if (!input.dryRun) {
    await fetchCharges(ctx, orderId);
    await fetchMovedMoneyOfBox(ctx, orderId);
  }
  const done = await withClientDryRun(ctx.deps.db, input.dryRun ?? false, async (tx) => {
    const cancelled = await cancelBox(ctx, tx, orderId, input);
    const [first] = cancelled;
    const vendors =
      first && !input.withoutVendorMails
        ? await mailVendorChanges(tx, first.deliveryId, takenFrom(cancelled), ctx.now)
        : [];
    await input.complete?.(tx, cancelled);
    return { cancelled, mails: vendors.length + (first?.hasAccount ? 1 : 0) };
  });
  const { cancelled, mails } = done;
  if (!input.dryRun) await settleCancelled(ctx, [cancelled]);
  const [first] = cancelled;
  return { orderIds: cancelled.map(({ orderId: id }) => id), to: first?.to ?? input.to, mails, ...sumMoney(cancelled) };
}

/** The units of canceled orders. */
export const takenFrom = (cancelled: readonly CancelledOrder[]): TakenUnits[] =>
  cancelled.flatMap(({ taken }) => taken);
