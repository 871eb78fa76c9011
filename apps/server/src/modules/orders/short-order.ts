import type { Tx } from "@marketday/db";
import { type Bearer, compensationEntries, type LedgerEntry, subtractEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";

import { AppError, notFound } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { newUuid } from "../../lib/tokens.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { insertBookings } from "../ledger/booking-sql.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { fetchCharges, stillCharging, voidReleased } from "../payments/charge-order.ts";
import { fetchMovedMoneyOfBox } from "../payments/fetch-moved-money.ts";
import { refundMailTime, settleRefunds } from "../payments/finish-refund.ts";
import { type Released, releaseCharge } from "../payments/order-charge-sql.ts";
import { clearSetAside } from "../payments/order-charge-store.ts";
import { releasedEntries } from "../payments/release-bearer.ts";
import { nameOfLine } from "../products/size-sql.ts";
import { lockOffers, writeOffUnits } from "../stock/stock-sql.ts";
import { findFeeCarriers } from "./box-store.ts";
import { NOTHING, noUnits, priceOf } from "./edit-order.ts";
import { writeEdit } from "./edit-sql.ts";
import { type MoneyBack, quoteReturn, type RefundInput, refundPaid, sumMoney, writtenOff } from "./refund-paid.ts";
import { bookedTotals, saleOf } from "./sale-bookings.ts";
import { type OrderForSupport, lockOrderForSupport } from "./support-sql.ts";
import { mailVendorChanges } from "./vendor-changes.ts";

/** Missing units of a variant. */
export interface MissingUnits {
  variantId: number;
  /** Number of missing units, at least 1. */
  quantity: number;
  /**
   * Units ordered when they were counted: `quantity` 1 `of` 3 means that 2 arrived. If no more than 2 are ordered now, the
   * shortage was recorded before and nothing changes. Default: the current quantity.
   */
  of?: number;
}

/** Units taken off, by order and variant. */
interface ShortedItem {
  orderId: number;
  variantId: number;
  title: string;
  quantity: number;
}

/** The result of recording a shortage, and where the money goes. `items` is empty when all of it was recorded before. */
export interface Shorted extends MoneyBack {
  items: ShortedItem[];
}

/** How missing units are refunded. There is no key, because the counts show what was recorded before. */
export interface ShortInput extends Omit<RefundInput, "key"> {
  /** `market`: the vendors keep their shares. Default: `vendor`. */
  bearer?: Bearer;
  /** Of the staff's action. */
  actionId?: number;
}

/** The ledger entries of lowering an order to these quantities: the change of its sale, and what vendors keep of it. */
function entriesOfLower(
  order: OrderForSupport,
  quantities: readonly number[],
  price: ReturnType<typeof priceOf>,
  bearer: Bearer = "vendor",
): { change: LedgerEntry[]; kept: LedgerEntry[] } {
  const change = subtractEntries(
    saleOf(order.customer_id, order, quantities, price),
    saleOf(
      order.customer_id,
      order,
      order.items.map(({ quantity }) => quantity),
      bookedTotals(order),
    ),
  );
  if (bearer === "vendor") return { change, kept: [] };
  const lost = change.flatMap(({ vendorId, amountCents }) =>
    vendorId === null ? [] : [{ vendorId, amountCents: cents(-amountCents) }],
  );
  return { change, kept: lost.length > 0 ? compensationEntries(lost) : [] };
}

/** Lowers an order to these quantities and refunds the difference. */
async function lower(
  ctx: Context,
  tx: Tx,
  order: OrderForSupport,
  quantities: readonly number[],
  price: ReturnType<typeof priceOf>,
  input: ShortInput,
) {
  await writeEdit(
    tx,
    order.id,
    order.items.map(({ id }, index) => ({
      id,
      quantity: quantities[index]!,
      discountCents: price.lines[index]?.discountCents ?? 0,
      taxCents: price.lines[index]?.taxCents ?? 0,
    })),
    price,
    false,
    ctx.now,
  );
  const { change, kept } = entriesOfLower(order, quantities, price, input.bearer);
  await insertBookings(tx, [{ kind: "edit", orderId: order.id, entries: change }], ctx.now);
  if (kept.length > 0) await insertBookings(tx, [{ kind: "compensation", orderId: order.id, entries: kept }], ctx.now);
  const sums = await refundPaid(ctx, tx, order, price, { ...input, key: null, kind: "short" });
  // Nothing is left to charge.
  const released: Released[] = [];
  if (price.orderTotalCents <= price.creditCents) {
    const charge = order.charge_failed_at === null ? null : await releaseCharge(tx, order.id, ctx.now);
    if (charge) released.push(charge);
    await clearSetAside(tx, [order.id]);
  }
  return { ...sums, released, entries: [...change, ...kept, ...sums.releasedEntries] };
}

/** Locks an order and validates that a shortage can be recorded for it. @throws AppError */
async function lockShortable(tx: Tx, orderId: number): Promise<OrderForSupport & { customer_id: number }> {
  const order = await lockOrderForSupport(tx, orderId);
  if (!order) throw notFound();
  return assertShortable(order);
}

/** @throws AppError 409 unless a shortage can be recorded for the order */
function assertShortable(order: OrderForSupport): OrderForSupport & { customer_id: number } {
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
 * The units to take off, by variant: those missing by these counts and not recorded before.
 * @throws AppError 400 `invalid`; 422 `too_many` with the variant; 409 `other_count` when fewer are ordered than counted
 */
function unitsToTake(orders: readonly OrderForSupport[], missing: readonly MissingUnits[]): Map<number, number> {
  const toTake = new Map<number, number>();
  for (const { variantId, quantity, of } of missing) {
    if (!Number.isSafeInteger(quantity) || quantity < 1)
      throw new AppError(400, "Enter how many are missing, at least 1.", { code: "invalid", field: "quantity" });
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

/** What an order costs without these units, which it has, and what is taken off each of its lines. */
function priceWithout(order: OrderForSupport, units: ReadonlyMap<number, number>) {
  const left = new Map(units);
  const taken = order.items.map((item) => {
    const wanted = left.get(item.variant_id) ?? 0;
    const count = Math.min(wanted, item.quantity);
    left.set(item.variant_id, wanted - count);
    return count;
  });
  const quantities = order.items.map(({ quantity }, index) => quantity - taken[index]!);
  const price = quantities.every((count) => count === 0) && !order.has_company ? NOTHING : priceOf(order, quantities);
  return { taken, quantities, price };
}

/**
 * What `recordShort` would record of one order that is the only one of its box; nothing is written.
 * @throws AppError as `recordShort`
 */
export function quoteShort(
  order: OrderForSupport,
  { variantId, quantity }: MissingUnits,
  { to, bearer }: ShortInput,
): MoneyBack & { entries: LedgerEntry[] } {
  const { quantities, price } = priceWithout(assertShortable(order), new Map([[variantId, quantity]]));
  const { change, kept } = entriesOfLower(order, quantities, price, bearer);
  const { money, releasedCents } = quoteReturn(order, price, to);
  const released = releasedEntries(order.borne, releasedCents);
  return { ...money, refunds: [], entries: [...change, ...kept, ...released] };
}

/** Takes these units off one order, which has them, with email and audit entry. */
async function takeOff(
  ctx: Context,
  tx: Tx,
  order: OrderForSupport & { customer_id: number },
  units: ReadonlyMap<number, number>,
  input: ShortInput,
) {
  const { now } = ctx;
  const { taken, quantities, price } = priceWithout(order, units);
  const gone = order.items.flatMap(({ offer_id }, index) =>
    offer_id === null || taken[index] === 0 ? [] : [{ offerId: offer_id, quantity: taken[index]! }],
  );
  await lockOffers(
    tx,
    gone.map(({ offerId }) => offerId),
  );
  await writeOffUnits(tx, gone, order, `order ${order.id} short`, now);
  const back = await lower(ctx, tx, order, quantities, price, input);
  // Nothing of the box arrived, so its delivery fee is refunded; it may be on an order that was emptied before.
  if (price === NOTHING)
    for (const id of await findFeeCarriers(tx, order.add_on_to_id ?? order.id, order.id)) {
      const carrier = await lockOrderForSupport(tx, id);
      if (!carrier || carrier.customer_id === null || carrier.written_off_at) continue;
      if (carrier.is_charging) throw stillCharging();
      const more = await lower(ctx, tx, carrier, noUnits(carrier), NOTHING, input);
      Object.assign(back, sumMoney([back, more]));
      back.released.push(...more.released);
      back.entries.push(...more.entries);
    }
  const items = order.items.flatMap((item, index) =>
    taken[index] === 0
      ? []
      : [{ orderId: order.id, variantId: item.variant_id, title: nameOfLine(item), quantity: taken[index]! }],
  );
  const { refunds, backCents, creditCents, bankCents, earlierCents } = back;
  const refundIds = refunds.map(({ id }) => id);
  const names = items.map(({ quantity, title }) => `${quantity} × ${title}`);
  const data = {
    orderId: order.id,
    missing: names,
    reason: input.reason,
    to: input.to,
    backCents,
    creditCents,
    bankCents,
    earlierCents,
    refundIds,
  };
  await writeAuditEntry(tx, ctx, {
    action: "orders short",
    subject: `order:${order.id}`,
    reason: input.reason,
    data: { ...data, bearer: input.bearer ?? "vendor", actionId: input.actionId },
  });
  await enqueueMail(tx, {
    key: `order-short:${order.id}:${newUuid()}`,
    template: "order-short",
    customerId: order.customer_id,
    data,
    now,
    ...(refundIds.length > 0 && { notBefore: refundMailTime(now) }),
  });
  return { ...back, items };
}

/** A recorded shortage, with the provider calls that follow its commit (`settleShort`). */
export interface RecordedShort extends Shorted {
  /** Null: there were no orders. */
  deliveryId: number | null;
  released: Released[];
  /** The change of the sales, what the market bears of it, and what vendors have back of goodwill. */
  entries: LedgerEntry[];
}

/**
 * Records missing units of a box's orders in the caller's transaction. The caller also calls `mailVendorChanges`, and
 * `settleShort` after the commit. If several orders of the box contain the variant, units are taken off the last one first.
 */
export async function recordShort(
  ctx: Context,
  tx: Tx,
  orderIds: readonly number[],
  missing: readonly MissingUnits[],
  input: ShortInput,
): Promise<RecordedShort> {
  const orders: (OrderForSupport & { customer_id: number })[] = [];
  for (const id of orderIds.toSorted((a, b) => a - b)) orders.push(await lockShortable(tx, id));
  const toTake = unitsToTake(orders, missing);
  const deliveryId = orders[0]?.delivery_id ?? null;
  const all: RecordedShort = { deliveryId, items: [], ...sumMoney([]), released: [], entries: [] };
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
    Object.assign(all, sumMoney([all, done]));
    all.released.push(...done.released);
    all.entries.push(...done.entries);
  }
  return all;
}

/** Voids the charges and requests the card refunds that `recordShort` wrote. After a crash the sweeps do this instead. */
export async function settleShort(ctx: Context, done: RecordedShort): Promise<void> {
  await ctx.deps.failpoint("short:written");
  for (const released of done.released) await voidReleased(ctx, released);
  await settleRefunds(ctx, done.refunds);
}

/**
 * Records units of a box that could not be picked, after the cutoff (docs/product.md §14 `orders short`). Lowers the box's orders,
 * with tip, tax and fee in proportion (when nothing arrived, the delivery fee too) and the vendors' shares, and refunds the
 * difference to the card or as store credit. An unpaid order is lowered without a refund. The units are written off the stock.
 * All or nothing. Each lowered order gets one email that names the missing items, and each vendor who was emailed the day's
 * quantities gets one. With `of`, a shortage recorded twice or concurrently counts once.
 * @param orderIds orders of one box, oldest first; units are taken off the last one first
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
  if (!dryRun) {
    for (const id of orderIds) await fetchCharges(ctx, id);
    if (orderIds[0] !== undefined) await fetchMovedMoneyOfBox(ctx, orderIds[0]);
  }
  const done = await withClientDryRun(ctx.deps.db, dryRun, async (tx) => {
    const recorded = await recordShort(ctx, tx, orderIds, missing, input);
    if (recorded.deliveryId !== null) await mailVendorChanges(tx, recorded.deliveryId, recorded.items, ctx.now);
    return recorded;
  });
  if (!dryRun) await settleShort(ctx, done);
  return { items: done.items, ...sumMoney([done]) };
}

/** `shortBox` for a single order of a box. */
export const shortOrder = (ctx: Context, orderId: number, missing: readonly MissingUnits[], input: ShortInput) =>
  shortBox(ctx, [orderId], missing, input);
