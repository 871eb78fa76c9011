import { queryOne, sql, type SqlTx } from "@marketday/db";
import { subtractEntries } from "@marketday/domain/ledger";

import { AppError, notFound } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { tryOut } from "../../lib/try-out.ts";
import { actorName } from "../audit/record-act.ts";
import { enqueueMail } from "../mail/store.ts";
import { learnCharges, stillCharging, voidReleased } from "../payments/charge-order.ts";
import { finishRefund } from "../payments/finish-refund.ts";
import { clearSetAside, type Released, releaseCharge } from "../payments/order-charge-store.ts";
import { findFeeCarriers } from "./box-store.ts";
import { type CareOrder, findRefundByKey, lockCareOrder, noteCare, writeOffStock } from "./care-store.ts";
import { NOTHING, nothingOf, priceOf } from "./edit-order.ts";
import { writeEdit } from "./edit-store.ts";
import { type BackInput, giveBack, writtenOff } from "./give-back.ts";
import { insertBookings } from "./placing-store.ts";
import { bookedTotals, saleOf } from "./sale-bookings.ts";
import { lockOffers } from "./stock-store.ts";

/** Units of a variant that did not come. */
export interface MissingUnits {
  variantId: number;
  /** How many are missing, at least 1. */
  quantity: number;
}

/** What the shopper gets for it, in cents: `backCents` as `to` said, `creditCents` into store credit altogether. */
export interface Shorted {
  backCents: number;
  creditCents: number;
}

/** Lowers an order to these quantities and gives back what was paid for the rest. */
async function lower(
  ctx: Context,
  tx: SqlTx,
  order: CareOrder,
  quantities: readonly number[],
  price: ReturnType<typeof priceOf>,
  input: BackInput,
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
  const { refundId, ...sums } = await giveBack(ctx, tx, order, price, { ...input, kind: "short" });
  // Nothing is left to charge.
  const released: Released[] = [];
  if (price.orderTotalCents <= price.creditCents) {
    const charge = order.charge_failed_at === null ? null : await releaseCharge(tx, order.id, ctx.now);
    if (charge) released.push(charge);
    await clearSetAside(tx, [order.id]);
  }
  return { ...sums, refundIds: refundId === null ? [] : [refundId], released };
}

/**
 * Units that could not be picked, after the cutoff (decisions §14 `orders short`): the order is lowered by them, tip, tax and
 * fee in proportion (nothing came at all: the delivery fee too), vendors' shares with it, and what was paid for them goes back to the card or into store credit. The
 * units are written off the stock. The order is still to be paid: it is lowered and nothing goes back. Before the cutoff:
 * 409 `still_open`; more than the order has: 422 `too_many` with the variant; being charged right now: 409
 * `still_charging`. The same `key` acts once. With a mail that names what is missing.
 */
export async function shortOrder(
  ctx: Context,
  orderId: number,
  missing: readonly MissingUnits[],
  input: BackInput,
): Promise<Shorted> {
  const { deps, now } = ctx;
  if (!input.dryRun) await learnCharges(ctx, orderId);
  const done = await tryOut(deps.db, input.dryRun ?? false, async (tx) => {
    const order = await lockCareOrder(tx, orderId);
    if (!order) throw notFound();
    const before = input.key === null ? null : await findRefundByKey(tx, input.key);
    if (before) return { refundIds: [before.id], released: [], backCents: before.amount_cents, creditCents: 0 };
    // Where nothing was paid yet nothing went back: then only the act says that it was done.
    const act = sql`select data from audit_entry where subject = ${`order:${orderId}`} and action = 'orders short' and data->>'key' = ${input.key}`;
    if (await queryOne(tx, act)) return { refundIds: [], released: [], backCents: 0, creditCents: 0 };
    if (order.status !== "pending" && order.status !== "closed")
      throw new AppError(409, "Only an order that has closed can be short. Edit or cancel it instead.", {
        code: "still_open",
      });
    if (order.customer_id === null)
      throw new AppError(409, "This order belongs to nobody any more.", { code: "no_customer" });
    if (order.is_charging) throw stillCharging();
    if (order.written_off_at) throw writtenOff();
    const left = new Map<number, number>();
    for (const { variantId, quantity } of missing) {
      if (!Number.isSafeInteger(quantity) || quantity < 1)
        throw new AppError(400, "Say how many are missing, at least 1.", { code: "invalid", field: "quantity" });
      left.set(variantId, (left.get(variantId) ?? 0) + quantity);
    }
    const taken = order.items.map((item) => {
      const wanted = left.get(item.variant_id) ?? 0;
      const units = Math.min(wanted, item.quantity);
      left.set(item.variant_id, wanted - units);
      return units;
    });
    const [tooMany] = [...left].find(([, units]) => units > 0) ?? [];
    if (tooMany !== undefined)
      throw new AppError(422, "The order does not have that many.", { code: "too_many", items: [tooMany] });
    const quantities = order.items.map(({ quantity }, place) => quantity - taken[place]!);
    const price = quantities.every((units) => units === 0) && !order.has_company ? NOTHING : priceOf(order, quantities);
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
        const carrier = await lockCareOrder(tx, id);
        if (!carrier || carrier.customer_id === null || carrier.written_off_at) continue;
        if (carrier.is_charging) throw stillCharging();
        const more = await lower(ctx, tx, carrier, nothingOf(carrier), NOTHING, { ...input, key: null });
        back.backCents += more.backCents;
        back.creditCents += more.creditCents;
        back.refundIds.push(...more.refundIds);
        back.released.push(...more.released);
      }
    const names = order.items.flatMap(({ title }, place) => (taken[place] === 0 ? [] : [`${taken[place]} × ${title}`]));
    const { refundIds, released: _released, ...sums } = back;
    const data = { orderId: order.id, missing: names, reason: input.reason, to: input.to, ...sums };
    await noteCare(tx, {
      actor: actorName(ctx.actor),
      action: "orders short",
      orderId: order.id,
      reason: input.reason,
      data: { ...data, key: input.key },
      now,
    });
    await enqueueMail(tx, {
      key: `order-short:${order.id}:${refundIds[0] ?? now.toISOString()}`,
      template: "order-short",
      customerId: order.customer_id,
      data,
      now,
    });
    return back;
  });
  await deps.at("short:written");
  if (!input.dryRun) for (const released of done.released) await voidReleased(ctx, released);
  if (!input.dryRun && input.to === "card") for (const id of done.refundIds) await finishRefund(ctx, id);
  return { backCents: done.backCents, creditCents: done.creditCents };
}
