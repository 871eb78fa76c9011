import { calendarDate, formatLong } from "@marketday/domain/calendar-date";

import { AppError } from "../../lib/app-error.ts";
import { withDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { findRule, findSheetDay, lockDay } from "../hubs/day-store.ts";
import { deliveryOf, getHubByKey } from "../hubs/find-day.ts";
import { allowLongStatements, insertClosure } from "../hubs/hub-store.ts";
import { replanDeliveries } from "../hubs/replan-deliveries.ts";
import type { Context } from "../identity/context.ts";
import { fetchCharges } from "../payments/charge-order.ts";
import { cancelBox, type CancelledOrder, settleCancelled, takenFrom } from "./cancel-order.ts";
import { type DayBox, findBoxesOfDay } from "./day-box-store.ts";
import { forEachOrder } from "./for-each-order.ts";
import { type MoneyBack, sumMoney } from "./refund-paid.ts";
import { lockOrdersAndOffers } from "./support-store.ts";
import { mailVendorChanges } from "./vendor-changes.ts";

/** How a day is closed. `cancels`: its orders are canceled; without it a day with orders is refused. */
export interface CloseDayInput {
  cancels: boolean;
  to: "card" | "credit";
  reason: string;
  dryRun: boolean;
}

/** A customer who is emailed that the box does not come. */
type NotifiedBox = DayBox & MoneyBack;

export interface ClosedDay extends MoneyBack {
  hub: string;
  /** YYYY-MM-DD */
  day: string;
  boxes: NotifiedBox[];
  /** Vendors who were sent the day's quantities and are emailed that they bring nothing. */
  vendors: string[];
  /** False: the date was closed before, and nothing was done. */
  isNew: boolean;
}

/**
 * Closes a delivery day (docs/product.md §4): in one transaction its date becomes one that the hub skips, and its orders are canceled,
 * refunded and emailed as by `cancelOrder`, all or none. New orders, carts, automatic orders and reminders go to the next day. The
 * opening of that day refills the weekly stock afterwards, so units that come back are never added to it. Closing twice changes nothing.
 * @throws AppError 404 for an unknown hub or date; 409 `has_orders` without `cancels`, `day_over` when orders are delivered already,
 * `still_charging`, `no_customer`, `written_off`; `OrdersRejected` when several orders cannot be canceled
 */
export async function closeDay(ctx: Context, key: string, day: string, input: CloseDayInput): Promise<ClosedDay> {
  const { deps, now } = ctx;
  const known = await getHubByKey(ctx, key);
  const isClosed = (await findRule(deps.db, known.id))?.closures.includes(day) ?? false;
  // The day of a closed date without orders is deleted.
  if (isClosed && (await findSheetDay(deps.db, known.id, day, now)) === null)
    return { hub: known.name, day, boxes: [], vendors: [], isNew: false, ...sumMoney([]) };
  const { hub, delivery } = await deliveryOf(ctx, key, day);
  const title = `${hub.name} on ${formatLong(calendarDate(day))}`;
  if (!input.dryRun)
    for (const { orderIds } of (await findBoxesOfDay(deps.db, delivery.id)).boxes)
      for (const id of orderIds) await fetchCharges(ctx, id);
  const done = await withDryRun(
    deps.db,
    input.dryRun,
    async (tx) => {
      await allowLongStatements(tx);
      const isNew = await insertClosure(tx, hub.id, day, input.reason);
      // Locks all days ahead, in their order, before any order.
      await replanDeliveries(tx, hub.id, now);
      await lockDay(tx, delivery.id);
      const { boxes, delivered } = await findBoxesOfDay(tx, delivery.id);
      if (delivered > 0)
        throw new AppError(
          409,
          `${title} is being delivered: ${delivered} of its orders are closed. Cancel the others one by one.`,
          {
            code: "day_over",
          },
        );
      if (boxes.length > 0 && !input.cancels)
        throw new AppError(
          409,
          `${title} has ${boxes.length === 1 ? "1 order" : `${boxes.length} orders`}. With --cancel they are canceled and refunded.`,
          {
            code: "has_orders",
            orders: boxes.length,
          },
        );
      await lockOrdersAndOffers(
        tx,
        boxes.flatMap(({ orderIds }) => orderIds),
      );
      const cancelled = await forEachOrder(
        boxes.map(({ orderId }) => orderId),
        (orderId) => cancelBox(ctx, tx, orderId, { to: input.to, reason: input.reason, key: `close-day ${orderId}` }),
      );
      const vendors = await mailVendorChanges(tx, delivery.id, takenFrom(cancelled.flat()), now);
      if (isNew || boxes.length > 0)
        await writeAuditEntry(tx, ctx, {
          action: "days close",
          subject: `delivery:${delivery.id}`,
          reason: input.reason,
          data: {
            hub: hub.slug,
            day,
            orderIds: cancelled.flat().map(({ orderId }) => orderId),
            ...sumMoney(cancelled.flat()),
          },
        });
      return { boxes, cancelled, vendors, isNew: isNew || boxes.length > 0 };
    },
    { retries: 0 },
  );
  const all: CancelledOrder[] = done.cancelled.flat();
  if (!input.dryRun) await settleCancelled(ctx, all, input.to);
  return {
    hub: hub.name,
    day,
    boxes: done.boxes.map((box, index) => ({ ...box, ...sumMoney(done.cancelled[index]!) })),
    vendors: done.vendors,
    isNew: done.isNew,
    ...sumMoney(all),
  };
}
