import { isDeepStrictEqual } from "node:util";

import type { Tx } from "@marketday/db";
import { calendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";

import { AppError } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { lockCounts, removeCounts } from "../hubs/day-counts-sql.ts";
import {
  findOpenDays,
  findSheetDay,
  lockDay,
  lockDaysFrom,
  lockOpenDeliveries,
  type OpenDay,
} from "../hubs/day-sql.ts";
import { findRule } from "../hubs/day-store.ts";
import { deliveryOf, getHubByKey } from "../hubs/find-day.ts";
import { allowLongStatements } from "../hubs/hub-sql.ts";
import { insertClosure } from "../hubs/hub-store.ts";
import { replanDeliveries } from "../hubs/replan-deliveries.ts";
import type { Context } from "../identity/context.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { fetchCharges } from "../payments/charge-order.ts";
import { syncMovedMoney } from "../payments/fetch-moved-money.ts";
import { tryVoidCharge } from "../payments/void-charge.ts";
import { cancelBox, type CancelledOrder, settleCancelled, takenFrom } from "./cancel-order.ts";
import { countDelivered, type DayBox, endAutoCheckouts, findBoxesOfDay, NO_AUTO_ORDER } from "./day-box-store.ts";
import { BATCH_MS, forEachOrder } from "./for-each-order.ts";
import { moveBoxes } from "./move-orders.ts";
import { findVendorUnits, type VendorUnits } from "./move-store.ts";
import { type MoneyBack, sumMoney } from "./refund-paid.ts";
import { lockOrdersAndOffers } from "./support-sql.ts";
import { mailVendorChanges } from "./vendor-changes.ts";
import { findWaitingCustomers, type WaitingCustomer } from "./waiting-customer-store.ts";

/** What becomes of the orders of a day that is closed. */
type OrdersOfClosedDay =
  | { kind: "cancel"; to: "card" | "credit" }
  /** To this delivery day, `YYYY-MM-DD`. */
  | { kind: "move"; to: string };

/** How a day is closed. */
export interface CloseDayInput {
  /** Null: a day with orders is refused. */
  orders: OrdersOfClosedDay | null;
  reason: string;
  dryRun: boolean;
  /** The orders that were listed and confirmed; absent: whatever the day has. */
  expected?: readonly number[];
}

/** A box that does not come on its day. Its customer is emailed, unless there is no address. */
export interface ClosedBox extends DayBox, MoneyBack {
  /** Where captured money goes. */
  to: "card" | "credit";
  /** The customer's box of the new day that it joins; null: none. */
  joins: number | null;
  /** The customer's box of the new day at another place; null: none. */
  beside: number | null;
  /** Its card is not saved, and the bank releases the authorization before the new day's cutoff. */
  needsCard: boolean;
  /** Its customer skipped the new day. */
  isSkipped: boolean;
}

export interface ClosedDay extends MoneyBack {
  hub: string;
  /** YYYY-MM-DD */
  day: string;
  /** The day the orders move to; null: they are canceled. */
  movedTo: string | null;
  boxes: ClosedBox[];
  /** Customers whose automatic order was still to come; they are emailed too. */
  waiting: WaitingCustomer[];
  /** What vendors bring to the new day for the moved orders. */
  bring: VendorUnits[];
  /** Vendors who were sent the day's quantities and are emailed that they bring nothing. */
  vendors: string[];
  /** False: the date was closed before, and nothing was done. */
  isNew: boolean;
}

interface Day {
  id: number;
  /** YYYY-MM-DD */
  day: string;
  hub: { id: number; name: string; time_zone: string };
  /** "Carmel on Thursday, November 26" */
  title: string;
}

/** What was done to the boxes, and what is left to do at the provider. */
interface Done {
  boxes: ClosedBox[];
  bring: VendorUnits[];
  vendors: string[];
  /** By box. */
  cancelled: CancelledOrder[][];
  voids: string[];
}

async function cancelBoxes(
  ctx: Context,
  tx: Tx,
  { id, title }: Day,
  boxes: readonly DayBox[],
  { to, reason }: { to: "card" | "credit"; reason: string },
): Promise<Done> {
  const delivered = await countDelivered(tx, id);
  if (delivered > 0)
    throw new AppError(
      409,
      `${title} is being delivered: ${delivered} of its orders are closed. Cancel the others one by one.`,
      { code: "day_over" },
    );
  await lockOrdersAndOffers(
    tx,
    boxes.flatMap(({ orderIds }) => orderIds),
  );
  const cancelled = await forEachOrder(
    boxes.map(({ orderId }) => orderId),
    (orderId) => cancelBox(ctx, tx, orderId, { to, reason, key: `close-day ${orderId}` }),
  );
  const vendors = await mailVendorChanges(tx, id, takenFrom(cancelled.flat()), ctx.now);
  return {
    boxes: boxes.map((box, place) => ({
      ...box,
      ...sumMoney(cancelled[place]!),
      to: cancelled[place]![0]?.to ?? to,
      joins: null,
      beside: null,
      needsCard: false,
      isSkipped: false,
    })),
    bring: [],
    vendors,
    cancelled,
    voids: [],
  };
}

/** @throws AppError 400 `not_later`; 404 for a day that takes no orders, with the next ones; 409 `orders_closed` after the cutoff */
async function moveOrders(
  ctx: Context,
  tx: Tx,
  day: Day,
  boxes: readonly DayBox[],
  open: readonly OpenDay[],
  { to, reason }: { to: string; reason: string },
): Promise<Done> {
  if (to <= day.day)
    throw new AppError(400, `Orders move to a later day. Give one after ${day.day}.`, { code: "not_later" });
  const target = open.find((each) => each.day === to);
  if (!target) {
    const near = open.filter((each) => each.day > day.day).slice(0, 3);
    const days = near.map((each) => each.day);
    throw new AppError(
      404,
      `${day.hub.name} takes no orders for ${to}. ${days.length > 0 ? `It does for ${days.join(", ")}.` : `No day after ${day.day} takes orders.`}`,
      { code: "not_found", near: days },
    );
  }
  if (boxes.length > 0 && !(await lockOpenDeliveries(tx, [day.id])))
    throw new AppError(
      409,
      `The orders of ${day.title} are closed: cards are charged, and vendors have their lists. They can only be canceled, with --cancel.`,
      { code: "orders_closed" },
    );
  const moved = await moveBoxes(ctx, tx, boxes, {
    from: day,
    to: { id: target.id, day: target.day, cutoff: target.cutoff_at },
    status: target.id === open[0]?.id ? "open" : "future",
    reason,
  });
  return {
    boxes: boxes.map((box, place) => {
      const { voids: _voids, ...result } = moved[place]!;
      return { ...box, ...result, to: "card" };
    }),
    bring: await findVendorUnits(
      tx,
      boxes.flatMap(({ orderIds }) => orderIds),
      day.hub.id,
    ),
    vendors: [],
    cancelled: [],
    voids: moved.flatMap(({ voids }) => voids),
  };
}

/** Emails the customers whose automatic order was still to come which day it is for now. */
async function mailWaiting(
  tx: Tx,
  { id, day, hub }: Day,
  waiting: readonly WaitingCustomer[],
  next: OpenDay | undefined,
  now: Date,
): Promise<void> {
  for (const { customerId } of waiting)
    await enqueueMail(tx, {
      key: `${NO_AUTO_ORDER}:${id}:${customerId}`,
      template: NO_AUTO_ORDER,
      customerId,
      data: {
        day,
        market: hub.name,
        timeZone: hub.time_zone,
        next: next ? { day: next.day, at: next.auto_checkout_at.toISOString() } : null,
      },
      now,
    });
}

/**
 * Closes a delivery day (docs/product.md §4): in one transaction its date becomes one that the hub skips, and its orders are canceled,
 * refunded and emailed as by `cancelOrder`, or moved to a later delivery day (`moveBoxes`), all or none. New orders, carts, automatic
 * orders and reminders go to the next day; customers whose automatic order was still to come are emailed. The opening of that day
 * refills the weekly stock afterwards, so units that come back are never added to it. Closing twice changes nothing. A run of the
 * automatic checkout that has begun has nothing left to do.
 * @throws AppError 400 `not_later`; 404 for an unknown hub or date, and a day to move to that takes no orders; 409 `has_orders` when
 * nothing is decided about them, `orders_changed` when the day has others than `expected`, `day_over` when orders are delivered
 * already, `orders_closed` when they are to move after the cutoff, `still_charging`; `OrdersRejected` when several orders cannot be canceled
 */
export async function closeDay(ctx: Context, key: string, date: string, input: CloseDayInput): Promise<ClosedDay> {
  const { deps, now } = ctx;
  const { orders, reason } = input;
  const movedTo = orders?.kind === "move" ? orders.to : null;
  const known = await getHubByKey(ctx, key);
  const isClosed = (await findRule(deps.db, known.id))?.closures.includes(calendarDate(date)) ?? false;
  // The day of a closed date without orders is deleted.
  if (isClosed && (await findSheetDay(deps.db, known.id, date, now)) === null)
    return {
      hub: known.name,
      day: date,
      movedTo,
      boxes: [],
      waiting: [],
      bring: [],
      vendors: [],
      isNew: false,
      ...sumMoney([]),
    };
  const { hub, delivery } = await deliveryOf(ctx, key, date);
  const day: Day = {
    id: delivery.id,
    day: date,
    hub,
    title: `${hub.name} on ${formatLong(calendarDate(date), dateInZone(now, known.time_zone))}`,
  };
  if (!input.dryRun && orders?.kind === "cancel") {
    for (const { orderIds } of await findBoxesOfDay(deps.db, day.id))
      for (const id of orderIds) await fetchCharges(ctx, id);
    await syncMovedMoney(ctx);
  }
  const done = await withClientDryRun(
    deps.db,
    input.dryRun,
    async (tx) => {
      await allowLongStatements(tx);
      const isNew = await insertClosure(tx, hub.id, date, reason);
      // All days ahead, in their order, before any order.
      await lockDaysFrom(tx, hub.id, now);
      await lockDay(tx, day.id);
      await lockCounts(tx, [day.id]);
      const waiting = await findWaitingCustomers(tx, day.id, now);
      await endAutoCheckouts(tx, day.id, now);
      const boxes = await findBoxesOfDay(tx, day.id);
      const orderIds = boxes.flatMap((box) => box.orderIds);
      if (boxes.length > 0 && orders === null)
        throw new AppError(
          409,
          `${day.title} has ${boxes.length === 1 ? "1 order" : `${boxes.length} orders`}. With --cancel they are canceled and refunded, with --move-to they move to a later day.`,
          { code: "has_orders", orders: boxes.length },
        );
      if (input.expected && !isDeepStrictEqual(orderIds, input.expected))
        throw new AppError(
          409,
          `The orders of ${day.title} have changed since they were listed. Nothing was done: run it again.`,
          { code: "orders_changed" },
        );
      const isChanged = isNew || boxes.length > 0 || waiting.length > 0;
      const open = await findOpenDays(tx, hub.id, now);
      const result =
        orders?.kind === "move"
          ? await moveOrders(ctx, tx, day, boxes, open, { to: orders.to, reason })
          : await cancelBoxes(ctx, tx, day, boxes, { to: orders?.to ?? "card", reason });
      await mailWaiting(tx, day, waiting, open[0], now);
      await removeCounts(tx, [day.id], now);
      // Deletes the day when nothing refers to it.
      await replanDeliveries(tx, hub.id, now);
      const { refunds: _refunds, ...money } = sumMoney(result.boxes);
      if (isChanged)
        await writeAuditEntry(tx, ctx, {
          action: "days close",
          subject: `delivery:${day.id}`,
          reason,
          data: {
            hub: hub.slug,
            day: date,
            movedTo,
            orderIds,
            ...money,
          },
        });
      await deps.failpoint("close-day:before-commit");
      return { ...result, waiting, isNew: isChanged };
    },
    // Hundreds of orders are canceled in one transaction, which may be the victim of a deadlock near its end.
    { budgetMs: BATCH_MS, timeoutMs: BATCH_MS },
  );
  const { cancelled, voids, ...closed } = done;
  if (!input.dryRun) {
    await settleCancelled(ctx, cancelled);
    for (const paymentId of voids) await tryVoidCharge(ctx, paymentId);
  }
  return { hub: hub.name, day: date, movedTo, ...closed, ...sumMoney(closed.boxes) };
}
