import type { Tx } from "@marketday/db";
import { sameAddress } from "@marketday/domain/referral";

import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { insertBookings } from "../ledger/booking-sql.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import type { DayBox } from "./day-box-store.ts";
import { NOTHING, priceOf, quantitiesOf, writeChange } from "./edit-order.ts";
import { findMovableBoxes, type MovableBox, moveLastDays, type Place } from "./move-sql.ts";
import { joinBox, writeMove } from "./move-store.ts";
import { returnPromotions } from "./promotion-sql.ts";
import { type MoneyBack, sumMoney } from "./refund-paid.ts";
import { returnCredit } from "./return-credit.ts";
import { lockOrderForSupport, lockOrders } from "./support-sql.ts";

/** A delivery day that orders move from or to. */
interface MoveDay {
  id: number;
  /** YYYY-MM-DD */
  day: string;
}

export interface MoveInput {
  from: MoveDay;
  to: MoveDay & { cutoff: Date };
  /** `open`: the new day is the next one; `future`: its orders open with its cycle. */
  status: "open" | "future";
  reason: string;
  /** The staff move this box alone: its day takes place. */
  isSingle?: boolean;
}

/** A moved box, and what its customer no longer pays. */
export interface MovedBox extends MoneyBack {
  /** The box of the new day that it joins; null: it stays a box. */
  joins: number | null;
  /** The customer's box of the new day at another place, beside which it stays a box; null: none. */
  beside: number | null;
  /** Its card is not saved, so the bank releases the authorization before the new cutoff. */
  needsCard: boolean;
  /** Its customer skipped the new day. */
  isSkipped: boolean;
  /** Payments of orders that are canceled because nothing is left of them. */
  voids: string[];
}

const isSamePlace = (a: Place, b: Place): boolean =>
  a.type === b.type &&
  (a.type === "pickup"
    ? a.pickup_point_id === b.pickup_point_id
    : a.address !== null && b.address !== null && sameAddress(a.address, b.address));

/** Takes the delivery fee off an order. One that was emptied and has nothing but its fee is canceled. */
export async function dropFee(ctx: Context, tx: Tx, orderId: number): Promise<MoneyBack & { voids: string | null }> {
  const order = (await lockOrderForSupport(tx, orderId))!;
  const none = { ...sumMoney([]), voids: null };
  if (order.delivery_fee_cents === 0 || order.customer_id === null) return none;
  const customerId = asCustomerId(order.customer_id);
  const isDeleted = order.items.length === 0;
  const quantities = quantitiesOf(order);
  const price = isDeleted ? NOTHING : priceOf({ ...order, delivery_fee_cents: 0 }, quantities);
  const { bookings, creditCents } = await writeChange(tx, customerId, { order, quantities, price, isDeleted }, ctx.now);
  await insertBookings(tx, bookings, ctx.now);
  if (creditCents > 0) await returnCredit(tx, customerId, creditCents);
  if (isDeleted) await returnPromotions(tx, order.id);
  const unpaidCents = order.order_total_cents - order.credit_cents - (price.orderTotalCents - price.creditCents);
  const isOffline = order.provider === "offline";
  return {
    ...sumMoney([]),
    creditCents,
    uncollectedCents: isOffline ? unpaidCents : 0,
    unchargedCents: isOffline ? 0 : unpaidCents,
    voids: isDeleted ? order.payment_id : null,
  };
}

async function moveBox(ctx: Context, tx: Tx, box: DayBox, facts: MovableBox, input: MoveInput): Promise<MovedBox> {
  const { from, to, reason } = input;
  const other = facts.others.find((place) => isSamePlace(place, facts));
  const lowered: Awaited<ReturnType<typeof dropFee>>[] = [];
  if (other) {
    await joinBox(tx, box.orderIds, other.id);
    // One box has one delivery fee.
    if (other.has_fee) for (const orderId of box.orderIds) lowered.push(await dropFee(ctx, tx, orderId));
  }
  const money = sumMoney(lowered);
  for (const orderId of box.orderIds)
    await writeAuditEntry(tx, ctx, {
      action: "orders move",
      subject: `order:${orderId}`,
      reason,
      data: { from: from.day, to: to.day, joins: other?.id ?? null },
    });
  if (facts.customer_id !== null)
    await enqueueMail(tx, {
      key: `order-moved:${box.orderId}:${to.id}`,
      template: "order-moved",
      customerId: facts.customer_id,
      data: {
        orderId: box.orderId,
        from: from.day,
        reason,
        needsCard: facts.needs_card,
        isSkipped: facts.is_skipped,
        feeCents: money.creditCents + money.uncollectedCents + money.unchargedCents,
        ...(input.isSingle && { isSingle: true }),
      },
      now: ctx.now,
    });
  return {
    ...money,
    joins: other?.id ?? null,
    beside: other ? null : (facts.others[0]?.id ?? null),
    needsCard: facts.needs_card,
    isSkipped: facts.is_skipped,
    voids: lowered.flatMap(({ voids }) => voids ?? []),
  };
}

/**
 * Moves open boxes with their add-ons to a later delivery day, and emails their customers, in the caller's transaction, which has
 * locked both days (docs/product.md §4). Prices, payments and units stay as they were sold. A box joins the
 * customer's box of that day at the same place, as a checkout would, and its delivery fee is dropped.
 */
export async function moveBoxes(ctx: Context, tx: Tx, boxes: readonly DayBox[], input: MoveInput): Promise<MovedBox[]> {
  const { from, to, status } = input;
  const orderIds = boxes.flatMap((box) => box.orderIds);
  await lockOrders(tx, orderIds);
  const facts = await findMovableBoxes(
    tx,
    boxes.map(({ orderId }) => orderId),
    to.id,
    to.cutoff,
  );
  await writeMove(tx, orderIds, to.id, status);
  const moved: MovedBox[] = [];
  // Both are in order of the boxes' numbers.
  for (const [place, box] of boxes.entries()) moved.push(await moveBox(ctx, tx, box, facts[place]!, input));
  await moveLastDays(tx, orderIds, from.day, to.day);
  return moved;
}
