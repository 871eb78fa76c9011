import type { SqlTx } from "@marketday/db";
import { subtractEntries } from "@marketday/domain/ledger";

import { AppError, notFound } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { withDryRun } from "../../lib/dry-run.ts";
import { actorName } from "../audit/write-audit-entry.ts";
import { enqueueMail } from "../mail/store.ts";
import { fetchCharges, stillCharging, voidReleased } from "../payments/charge-order.ts";
import { finishRefund } from "../payments/finish-refund.ts";
import { clearSetAside, type Released, releaseCharge } from "../payments/order-charge-store.ts";
import { mailVendorChanges } from "../week/vendor-changes.ts";
import { findFeeCarriers } from "./box-store.ts";
import { NOTHING, noUnits, priceOf } from "./edit-order.ts";
import { writeEdit } from "./edit-store.ts";
import { insertBookings } from "./placing-store.ts";
import { type RefundInput, refundPaid, writtenOff } from "./refund-paid.ts";
import { bookedTotals, saleOf } from "./sale-bookings.ts";
import { lockOffers } from "./stock-store.ts";
import { type OrderForSupport, lockOrderForSupport, auditOrderAction, writeOffStock } from "./support-store.ts";

/** Units of a variant that did not come. */
export interface MissingUnits {
  variantId: number;
  /** How many are missing, at least 1. */
  quantity: number;
  /**
   * How many were to come, as counted before: `quantity` 1 `of` 3 says that 2 came. Where no more than 2 are ordered by
   * now it was recorded before, and nothing is done. Left out: whatever is ordered.
   */
  of?: number;
}

/** What recording it changed, by order and variant. */
export interface ShortedItem {
  orderId: number;
  variantId: number;
  title: string;
  /** Units taken off. */
  quantity: number;
}

/** `items` is empty when nothing was done: all of it was recorded before. Cents: `backCents` as `to` said, `creditCents` into store credit altogether. */
export interface Shorted {
  items: ShortedItem[];
  backCents: number;
  creditCents: number;
}

/** How missing units are given back. What is recorded twice is recognized by the counts, so there is no key. */
export type ShortInput = Omit<RefundInput, "key">;

/** Lowers an order to these quantities and gives back what was paid for the rest. */
async function lower(
  ctx: Context,
  tx: SqlTx,
  order: OrderForSupport,
  quantities: readonly number[],
  price: ReturnType<typeof priceOf>,
  input: ShortInput,
) {
  const customerId = order.customer_id!;
  await writeEdit(
    tx,
    order.id,
    order.items.map(({ id }, place) => ({
      id,
      quantity: quantities[place]!,
      discountCents: price.lines[place]?.discountCents ?? 0,
      taxCents: price.lines[place]?.taxCents ?? 0,
    })),
    price,
    false,
    ctx.now,
  );
  const change = subtractEntries(
    saleOf(customerId, order, quantities, price),
    saleOf(
      customerId,
      order,
      order.items.map(({ quantity }) => quantity),
      bookedTotals(order),
    ),
  );
  await insertBookings(tx, [{ kind: "edit", orderId: order.id, entries: change }], ctx.now);
  const { refundId, ...sums } = await refundPaid(ctx, tx, order, price, { ...input, key: null, kind: "short" });
  // Nothing is left to charge.
  const released: Released[] = [];
  if (price.orderTotalCents <= price.creditCents) {
    const charge = order.charge_failed_at === null ? null : await releaseCharge(tx, order.id, ctx.now);
    if (charge) released.push(charge);
    await clearSetAside(tx, [order.id]);
  }
  return { ...sums, refundIds: refundId === null ? [] : [refundId], released };
}

/** An order that can be short, locked. @throws AppError */
async function lockShortable(tx: SqlTx, orderId: number): Promise<OrderForSupport & { customer_id: number }> {
  const order = await lockOrderForSupport(tx, orderId);
  if (!order) throw notFound();
  if (order.status !== "pending" && order.status !== "closed")
    throw new AppError(409, "Only an order that has closed can be short. Edit or cancel it instead.", {
      code: "still_open",
    });
  if (order.customer_id === null)
    throw new AppError(409, "The account of this order was deleted.", { code: "no_customer" });
  if (order.is_charging) throw stillCharging();
  if (order.written_off_at) throw writtenOff();
  return { ...order, customer_id: order.customer_id };
}

const unitsOf = (order: OrderForSupport, variantId: number): number =>
  order.items.reduce((sum, item) => sum + (item.variant_id === variantId ? item.quantity : 0), 0);

/**
 * The units to take off, by variant: what is missing by these counts and was not recorded before.
 * @throws AppError 400 `invalid`; 422 `too_many` with the variant; 409 `other_count` when fewer are ordered than counted
 */
function unitsToTake(orders: readonly OrderForSupport[], missing: readonly MissingUnits[]): Map<number, number> {
  const toTake = new Map<number, number>();
  for (const { variantId, quantity, of } of missing) {
    if (!Number.isSafeInteger(quantity) || quantity < 1)
      throw new AppError(400, "Say how many are missing, at least 1.", { code: "invalid", field: "quantity" });
    const ordered = orders.reduce((sum, order) => sum + unitsOf(order, variantId), 0);
    if (of !== undefined && ordered <= of - quantity) continue;
    if (of !== undefined && ordered !== of)
      throw new AppError(409, `The order has ${ordered} of it now, not ${of}. Nothing was done.`, {
        code: "other_count",
        items: [variantId],
        ordered,
      });
    const units = (toTake.get(variantId) ?? 0) + quantity;
    if (units > ordered)
      throw new AppError(422, "The order does not have that many.", { code: "too_many", items: [variantId] });
    toTake.set(variantId, units);
  }
  return toTake;
}

/** Takes these units, by variant, off one order, with mail and audit entry. The order has them. */
async function takeOff(
  ctx: Context,
  tx: SqlTx,
  order: OrderForSupport & { customer_id: number },
  units: ReadonlyMap<number, number>,
  input: ShortInput,
) {
  const { now } = ctx;
  const left = new Map(units);
  const taken = order.items.map((item) => {
    const wanted = left.get(item.variant_id) ?? 0;
    const count = Math.min(wanted, item.quantity);
    left.set(item.variant_id, wanted - count);
    return count;
  });
  const quantities = order.items.map(({ quantity }, place) => quantity - taken[place]!);
  const price = quantities.every((count) => count === 0) && !order.has_company ? NOTHING : priceOf(order, quantities);
  const gone = order.items.flatMap(({ offer_id }, place) =>
    offer_id === null || taken[place] === 0 ? [] : [{ offerId: offer_id, quantity: taken[place]! }],
  );
  await lockOffers(
    tx,
    gone.map(({ offerId }) => offerId),
  );
  await writeOffStock(tx, gone, `order ${order.id} short`, now);
  const back = await lower(ctx, tx, order, quantities, price, input);
  // Nothing of the whole box came: its delivery fee may be on an order that was emptied before.
  if (price === NOTHING)
    for (const id of await findFeeCarriers(tx, order.id)) {
      const carrier = await lockOrderForSupport(tx, id);
      if (!carrier || carrier.customer_id === null || carrier.written_off_at) continue;
      if (carrier.is_charging) throw stillCharging();
      const more = await lower(ctx, tx, carrier, noUnits(carrier), NOTHING, input);
      back.backCents += more.backCents;
      back.creditCents += more.creditCents;
      back.refundIds.push(...more.refundIds);
      back.released.push(...more.released);
    }
  const items = order.items.flatMap(({ title, variant_id }, place) =>
    taken[place] === 0 ? [] : [{ orderId: order.id, variantId: variant_id, title, quantity: taken[place]! }],
  );
  const { refundIds, released: _released, ...sums } = back;
  const names = items.map(({ quantity, title }) => `${quantity} × ${title}`);
  const data = { orderId: order.id, missing: names, reason: input.reason, to: input.to, ...sums };
  await auditOrderAction(tx, {
    actor: actorName(ctx.actor),
    action: "orders short",
    orderId: order.id,
    reason: input.reason,
    data,
    now,
  });
  await enqueueMail(tx, {
    key: `order-short:${order.id}:${refundIds[0] ?? now.toISOString()}`,
    template: "order-short",
    customerId: order.customer_id,
    data,
    now,
  });
  return { ...back, items };
}

/** What a transaction recorded, with what is left to do at the provider after its commit (`settleShort`). */
export interface RecordedShort extends Shorted {
  /** Null: there were no orders. */
  deliveryId: number | null;
  refundIds: string[];
  released: Released[];
}

/**
 * Records missing units of a box's orders in the caller's transaction; `mailVendorChanges` is the caller's, and `settleShort`
 * comes after its commit. Where several orders of the box have the item, the last one loses it first.
 */
export async function recordShort(
  ctx: Context,
  tx: SqlTx,
  orderIds: readonly number[],
  missing: readonly MissingUnits[],
  input: ShortInput,
): Promise<RecordedShort> {
  const orders: (OrderForSupport & { customer_id: number })[] = [];
  for (const id of orderIds.toSorted((a, b) => a - b)) orders.push(await lockShortable(tx, id));
  const toTake = unitsToTake(orders, missing);
  const deliveryId = orders[0]?.delivery_id ?? null;
  const all: RecordedShort = { deliveryId, items: [], backCents: 0, creditCents: 0, refundIds: [], released: [] };
  for (const id of orderIds.toReversed()) {
    // Read again: whether the order is the last of its box depends on those that were lowered before it.
    const order = await lockShortable(tx, id);
    const units = new Map<number, number>();
    for (const [variantId, wanted] of toTake) {
      const count = Math.min(wanted, unitsOf(order, variantId));
      if (count > 0) units.set(variantId, count);
      toTake.set(variantId, wanted - count);
    }
    if (units.size === 0) continue;
    const done = await takeOff(ctx, tx, order, units, input);
    all.items.push(...done.items);
    all.backCents += done.backCents;
    all.creditCents += done.creditCents;
    all.refundIds.push(...done.refundIds);
    all.released.push(...done.released);
  }
  return all;
}

/** Voids charges and sends refunds to cards for what `recordShort` wrote. Killed before: the sweeps do it. */
export async function settleShort(ctx: Context, done: RecordedShort, input: ShortInput): Promise<void> {
  await ctx.deps.failpoint("short:written");
  for (const released of done.released) await voidReleased(ctx, released);
  if (input.to === "card") for (const id of done.refundIds) await finishRefund(ctx, id);
}

/**
 * Units of a box that could not be picked, after the cutoff (decisions §14 `orders short`): its orders are lowered by them,
 * tip, tax and fee in proportion (nothing came at all: the delivery fee too), vendors' shares with it, and what was paid for
 * them goes back to the card or into store credit. The units are written off the stock. An order that is still to be paid is
 * lowered and nothing goes back. All of it or nothing; each order gets one mail that names what is missing, and so does each
 * vendor who was mailed the day's quantities. With `of`
 * recording it twice, or from two places at once, acts once.
 * @param orderIds orders of one box, the oldest first; the last one loses a unit first
 * @throws AppError 404; 409 `still_open` before the cutoff, `still_charging`, `written_off`, `no_customer`, `other_count`;
 * 422 `too_many` with the variant
 */
export async function shortBox(
  ctx: Context,
  orderIds: readonly number[],
  missing: readonly MissingUnits[],
  input: ShortInput,
): Promise<Shorted> {
  const dryRun = input.dryRun ?? false;
  if (!dryRun) for (const id of orderIds) await fetchCharges(ctx, id);
  const done = await withDryRun(ctx.deps.db, dryRun, async (tx) => {
    const recorded = await recordShort(ctx, tx, orderIds, missing, input);
    if (recorded.deliveryId !== null) await mailVendorChanges(tx, recorded.deliveryId, recorded.items, ctx.now);
    return recorded;
  });
  if (!dryRun) await settleShort(ctx, done, input);
  return { items: done.items, backCents: done.backCents, creditCents: done.creditCents };
}

/** `shortBox` for one order, whatever else is in its box. */
export const shortOrder = (ctx: Context, orderId: number, missing: readonly MissingUnits[], input: ShortInput) =>
  shortBox(ctx, [orderId], missing, input);
