import { type Conn, transaction, type Tx } from "@marketday/db";
import { calendarDate } from "@marketday/domain/calendar-date";

import { AppError, notFound } from "../../lib/app-error.ts";
import { lockCart } from "../cart/cart-sql.ts";
import { cartFull } from "../cart/put-lines.ts";
import { findOpenDays } from "../hubs/day-sql.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { supersedeActions } from "../staff-actions/store.ts";
import { fillCarts } from "./fill-carts.ts";
import type { FillScope } from "./fill-sql.ts";
import { deleteSubscription, findOffer, isSold, setPause, setSkip, setStatus, upsertSubscription } from "./store.ts";

/**
 * Runs a change of a customer's subscriptions and cart in one transaction. The cart is locked first, because a checkout locks
 * them in that order (docs/architecture.md, Lock order); it is created if there is none, so that there is a row to lock.
 */
export const withCartLock = <T>(ctx: Context, customerId: CustomerId, change: (tx: Tx) => Promise<T>): Promise<T> =>
  transaction(ctx.deps.db, async (tx) => {
    await lockCart(tx, { customerId }, ctx.now);
    return change(tx);
  });

/**
 * Updates the subscribed lines of a customer's cart for the next delivery, after a change of subscriptions.
 * @throws AppError 422 `cart_full` when a due line does not fit
 */
export async function refill(
  ctx: Context,
  tx: Conn,
  customerId: CustomerId,
  hubId: number,
  only: FillScope["only"],
): Promise<void> {
  const [next] = await findOpenDays(tx, hubId, ctx.now);
  if (!next) return;
  const omitted = await fillCarts(tx, { hubId, customerIds: [customerId], only, day: next.day, now: ctx.now });
  if (omitted.length > 0) throw cartFull();
}

/** spec §7.5: subscribes, or changes quantity and interval. @throws AppError 422 `not_sold`, `pre_order` or `cart_full` */
export async function subscribe(
  ctx: Context,
  customerId: CustomerId,
  hubId: number,
  request: { productId: number; variantId: number; qty: number; subscription_interval: number },
): Promise<void> {
  const { productId, variantId } = request;
  await withCartLock(ctx, customerId, async (tx) => {
    const offer = await findOffer(tx, hubId, productId, variantId);
    if (!offer || !isSold(offer))
      throw new AppError(422, "This market does not sell this item.", { code: "not_sold", items: [variantId] });
    if (offer.pre_order_date !== null)
      throw new AppError(422, "Pre-order items cannot be subscribed to.", { code: "pre_order", items: [variantId] });
    await upsertSubscription(tx, {
      customerId,
      variantId,
      quantity: request.qty,
      intervalWeeks: request.subscription_interval,
      now: ctx.now,
    });
    await refill(ctx, tx, customerId, hubId, { variantId });
  });
}

/** Ends a subscription and removes its line from the cart. Idempotent. */
export const unsubscribe = (ctx: Context, customerId: CustomerId, hubId: number, variantId: number): Promise<void> =>
  withCartLock(ctx, customerId, async (tx) => {
    await deleteSubscription(tx, customerId, variantId);
    await refill(ctx, tx, customerId, hubId, { variantId });
  });

/** Pauses a subscription until a date, or resumes it (null). @throws AppError 404 without a subscription */
export const pause = (
  ctx: Context,
  customerId: CustomerId,
  hubId: number,
  variantId: number,
  until: string | null,
): Promise<void> =>
  withCartLock(ctx, customerId, async (tx) => {
    if (!(await setPause(tx, customerId, variantId, until === null ? null : calendarDate(until)))) throw notFound();
    await refill(ctx, tx, customerId, hubId, { variantId });
  });

/**
 * Skips a delivery, or undoes that. What the staff did to the day is not undone after the shopper's own change.
 * @throws AppError 422 `no_delivery` when the day has no open delivery
 * @param steps what the staff does in the same transaction, when it is the one who skips
 */
export const skip = (
  ctx: Context,
  customerId: CustomerId,
  hubId: number,
  day: string,
  isSkipped: boolean,
  steps: { before?(tx: Tx): Promise<void>; after?(tx: Tx): Promise<void> } = {},
): Promise<void> =>
  withCartLock(ctx, customerId, async (tx) => {
    await steps.before?.(tx);
    const delivery = (await findOpenDays(tx, hubId, ctx.now)).find((open) => open.day === day);
    if (!delivery)
      throw new AppError(422, "There is no delivery on this day.", { code: "no_delivery", field: "deliveryDate" });
    await setSkip(tx, customerId, delivery.id, isSkipped, ctx.now);
    await refill(ctx, tx, customerId, hubId, null);
    if (steps.after) await steps.after(tx);
    else
      await supersedeActions(
        tx,
        { kind: "skip_delivery", subject: `customer:${customerId}`, deliveryId: delivery.id },
        ctx.now,
      );
  });

/** Sets what a shopper's auto-checkout orders. What the staff set before is not undone any more. */
export const chooseStatus = ({ deps, now }: Context, customerId: CustomerId, status: number): Promise<void> =>
  transaction(deps.db, async (tx) => {
    await setStatus(tx, customerId, status);
    const subject = `customer:${customerId}`;
    await supersedeActions(tx, { kind: "set_auto_checkout", subject, deliveryId: null }, now);
  });
