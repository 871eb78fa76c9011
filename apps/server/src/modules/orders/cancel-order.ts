import type { SqlTx } from "@marketday/db";
import { subtractEntries } from "@marketday/domain/ledger";

import { AppError, notFound } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { tryOut } from "../../lib/try-out.ts";
import { actorName } from "../audit/record-act.ts";
import { enqueueMail } from "../mail/store.ts";
import { finishRefund } from "../payments/finish-refund.ts";
import {
  findAddOnIds,
  lockCareOrder,
  lockOrdersAndOffers,
  markCancelled,
  noteCare,
  writeOffStock,
} from "./care-store.ts";
import { returnPromotions, returnStock } from "./edit-store.ts";
import { type BackInput, giveBack, stillCharging } from "./give-back.ts";
import { insertBookings } from "./placing-store.ts";
import { bookedTotals, saleOf } from "./sale-bookings.ts";
import { letChargeGo } from "./settle-attempt.ts";
import { lockOffers } from "./stock-store.ts";

export interface CancelInput extends BackInput {
  /** Whether the units go back on sale. Left out: before the delivery they do, after it they do not. */
  restock?: boolean;
}

/** What cancelling gave back, in cents: `backCents` as `to` said, `creditCents` into store credit altogether. */
export interface Cancelled {
  orderIds: number[];
  backCents: number;
  creditCents: number;
}

interface CancelledOne {
  orderId: number;
  refundId: string | null;
  backCents: number;
  creditCents: number;
  /** The attempt whose charge pays for nothing any more. */
  voids: string | null;
}

async function cancelOne(ctx: Context, tx: SqlTx, orderId: number, input: CancelInput): Promise<CancelledOne | null> {
  const { now } = ctx;
  const order = await lockCareOrder(tx, orderId);
  if (!order) throw notFound();
  if (order.status === "cancelled") return null;
  if (order.customer_id === null)
    throw new AppError(409, "This order belongs to nobody any more.", { code: "no_customer" });
  if (order.is_charging) throw stillCharging();
  const units = order.items.flatMap(({ offer_id, quantity }) =>
    offer_id === null ? [] : [{ offerId: offer_id, quantity }],
  );
  await lockOffers(
    tx,
    units.map(({ offerId }) => offerId),
  );
  if (input.restock ?? order.status !== "closed") await returnStock(tx, units);
  else await writeOffStock(tx, units, `order ${order.id} cancelled`, now);
  const sale = saleOf(
    order.customer_id,
    order,
    order.items.map(({ quantity }) => quantity),
    bookedTotals(order),
  );
  await insertBookings(tx, [{ kind: "edit", orderId: order.id, entries: subtractEntries([], sale) }], now);
  const back = await giveBack(ctx, tx, order, { orderTotalCents: 0, creditCents: 0 }, { ...input, kind: "cancel" });
  await markCancelled(tx, order.id, now);
  await returnPromotions(tx, order.id);
  await noteCare(tx, {
    actor: actorName(ctx.actor),
    action: "orders cancel",
    orderId: order.id,
    reason: input.reason,
    data: { to: input.to, backCents: back.backCents, creditCents: back.creditCents },
    now,
  });
  await enqueueMail(tx, {
    key: `order-called-off:${order.id}`,
    template: "order-called-off",
    customerId: order.customer_id,
    data: { orderId: order.id, reason: input.reason, ...back, to: input.to },
    now,
  });
  return { orderId: order.id, ...back, voids: order.payment_state === "captured" ? null : order.attempt_id };
}

/**
 * Cancels an order whatever its state, and with a box its add-ons (decisions §8, §14 `orders cancel`): it stays listed as
 * "Cancelled". Before the charge the authorisation is let go; after it the money goes back to the card or into store credit,
 * once; store credit that paid comes back as store credit. Vendors' shares, tax and fees are booked off, the promotions it
 * used are free again. Cancelling twice changes nothing. Being charged right now: 409 `still_charging`.
 */
export async function cancelOrder(ctx: Context, orderId: number, input: CancelInput): Promise<Cancelled> {
  const done = await tryOut(ctx.deps.db, input.dryRun ?? false, async (tx) => {
    // The box first: a checkout that would join it waits for its row.
    if (!(await lockCareOrder(tx, orderId))) throw notFound();
    const addOns = await findAddOnIds(tx, orderId);
    if (addOns.length > 0) await lockOrdersAndOffers(tx, [orderId, ...addOns]);
    const box = await cancelOne(ctx, tx, orderId, input);
    const rest: (CancelledOne | null)[] = [];
    for (const id of addOns) rest.push(await cancelOne(ctx, tx, id, { ...input, key: null }));
    return [box, ...rest].filter((one) => one !== null);
  });
  await ctx.deps.at("cancel:written");
  if (!input.dryRun)
    for (const { voids, refundId } of done) {
      if (voids) await letChargeGo(ctx, voids);
      if (refundId && input.to === "card") await finishRefund(ctx, refundId);
    }
  return {
    orderIds: done.map((one) => one.orderId),
    backCents: done.reduce((sum, { backCents }) => sum + backCents, 0),
    creditCents: done.reduce((sum, { creditCents }) => sum + creditCents, 0),
  };
}
