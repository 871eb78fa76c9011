import { AppError, notFound } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import type { Context } from "../identity/context.ts";
import { chargeOrder, stillCharging } from "../payments/charge-order.ts";
import { writtenOff } from "./refund-paid.ts";
import { lockOrderForSupport, type OrderForSupport } from "./support-sql.ts";

/**
 * What charging an order now takes from the card, cents; 0 when it is paid.
 * @throws AppError 409 `offline` for an order paid at the door, `still_open` before the cutoff, `cancelled`, `written_off`
 */
export function chargeableCents(order: OrderForSupport): number {
  if (order.status === "cancelled") throw new AppError(409, "This order is cancelled.", { code: "cancelled" });
  if (order.status !== "pending" && order.status !== "closed")
    throw new AppError(409, "This order is charged when it closes, at its cutoff.", { code: "still_open" });
  if (order.written_off_at) throw writtenOff();
  const dueCents = order.order_total_cents - order.credit_cents;
  if (order.payment_state === "captured" || dueCents <= 0) return 0;
  if (order.provider === "offline")
    throw new AppError(409, "This order is paid at the door. Record its payment instead.", {
      code: "offline",
    });
  return dueCents;
}

/**
 * Retries the charge of a closed order (docs/product.md §17 `orders charge`): captures its authorization, or charges the
 * customer's default card. Running it again, even after a crash, never charges twice.
 * @returns the cents charged (with `dryRun`, those that would be); 0 when the order is paid
 * @throws AppError 402 `not_charged` with the reason, and the order stays set aside; 404; 409 `offline` for an order paid at
 * the door, `still_open` before the cutoff, `cancelled`, `written_off`, `still_charging`
 */
export async function chargeNow(ctx: Context, orderId: number, reason = "", dryRun = false): Promise<number> {
  const order = await withClientDryRun(ctx.deps.db, true, (tx) => lockOrderForSupport(tx, orderId));
  if (!order) throw notFound();
  const dueCents = chargeableCents(order);
  if (dryRun || dueCents === 0) return dueCents;
  const entry = { action: "orders charge", subject: `order:${orderId}`, reason, data: { cents: dueCents } };
  const outcome = await chargeOrder(ctx, orderId, entry);
  switch (outcome.kind) {
    case "charged":
      return outcome.amountCents;
    case "nothing":
      return 0;
    case "busy":
      throw stillCharging();
    case "failed":
      throw new AppError(402, `Order ${orderId} was not charged: ${outcome.reason}`, { code: "not_charged" });
    default:
      return outcome satisfies never;
  }
}
