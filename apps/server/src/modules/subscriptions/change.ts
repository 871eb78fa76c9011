import { type Conn, sqlTransaction } from "@marketday/db";

import { AppError, notFound } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../../lib/context.ts";
import { cartFull } from "../cart/put-lines.ts";
import { fillCarts, type FillScope } from "./fill-carts.ts";
import { deleteSubscription, findOffer, findOpenDeliveries, setPause, setSkip, upsertSubscription } from "./store.ts";

/**
 * The cart follows at once what the customer changed, for the delivery it is filled for.
 * @throws AppError 422 `cart_full` when a line that is due does not fit
 */
export async function refill(
  ctx: Context,
  tx: Conn,
  customerId: CustomerId,
  hubId: number,
  only: FillScope["only"],
): Promise<void> {
  const [next] = await findOpenDeliveries(tx, hubId, ctx.now);
  if (!next) return;
  const leftOut = await fillCarts(tx, { hubId, customerIds: [customerId], only, day: next.day, now: ctx.now });
  if (leftOut.length > 0) throw cartFull();
}

/** spec §7.5: subscribes, or changes quantity and interval. 422 `not_sold` or `pre_order`. */
export async function subscribe(
  ctx: Context,
  customerId: CustomerId,
  hubId: number,
  wanted: { productId: number; variantId: number; qty: number; subscription_interval: number },
): Promise<void> {
  const { productId, variantId } = wanted;
  await sqlTransaction(ctx.deps.db, async (tx) => {
    const offer = await findOffer(tx, hubId, productId, variantId);
    if (!offer?.is_sold)
      throw new AppError(422, "This market does not sell this item.", { code: "not_sold", items: [variantId] });
    if (offer.is_pre_order)
      throw new AppError(422, "Pre-order items cannot be subscribed to.", { code: "pre_order", items: [variantId] });
    await upsertSubscription(tx, {
      customerId,
      variantId,
      quantity: wanted.qty,
      intervalWeeks: wanted.subscription_interval,
      now: ctx.now,
    });
    await refill(ctx, tx, customerId, hubId, { variantId });
  });
}

/** Ends a subscription and takes its line out of the cart; twice is once. */
export const unsubscribe = (ctx: Context, customerId: CustomerId, hubId: number, variantId: number): Promise<void> =>
  sqlTransaction(ctx.deps.db, async (tx) => {
    await deleteSubscription(tx, customerId, variantId);
    await refill(ctx, tx, customerId, hubId, { variantId });
  });

/** Rests a subscription until a date, or wakes it (null). Not subscribed: 404. */
export const pause = (
  ctx: Context,
  customerId: CustomerId,
  hubId: number,
  variantId: number,
  until: string | null,
): Promise<void> =>
  sqlTransaction(ctx.deps.db, async (tx) => {
    if ((await setPause(tx, customerId, variantId, until)) === 0) throw notFound();
    await refill(ctx, tx, customerId, hubId, { variantId });
  });

/** Takes nothing from a delivery, or takes that back. A day that is none, or has closed: 422 `no_delivery`. */
export const skip = (
  ctx: Context,
  customerId: CustomerId,
  hubId: number,
  day: string,
  isSkipped: boolean,
): Promise<void> =>
  sqlTransaction(ctx.deps.db, async (tx) => {
    const delivery = (await findOpenDeliveries(tx, hubId, ctx.now)).find((open) => open.day === day);
    if (!delivery)
      throw new AppError(422, "There is no delivery on this day.", { code: "no_delivery", field: "deliveryDate" });
    await setSkip(tx, customerId, delivery.id, isSkipped, ctx.now);
    await refill(ctx, tx, customerId, hubId, null);
  });
