import { AppError, notFound } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { withDryRun } from "../../lib/dry-run.ts";
import { chargeOrder, stillCharging } from "../payments/charge-order.ts";
import { writtenOff } from "./refund-paid.ts";
import { lockOrderForSupport } from "./support-store.ts";

/**
 * Charges a closed order again that could not be charged (docs/product.md §17 `orders charge`): the hold that is there, or
 * the customer's default card. Run again it charges nothing twice, killed in the middle or not. Returns the cents charged;
 * with `dryRun` those that would be; 0 when it is paid. Refused: 402 `not_charged` with the reason, and the order stays
 * set aside. Paid at the door: 409 `offline`; still open for changes: 409 `still_open`; cancelled: 409 `cancelled`; written
 * off: 409 `written_off`; being charged right now: 409 `still_charging`.
 */
export async function chargeNow(ctx: Context, orderId: number, reason = "", dryRun = false): Promise<number> {
  const order = await withDryRun(ctx.deps.db, true, (tx) => lockOrderForSupport(tx, orderId));
  if (!order) throw notFound();
  if (order.status === "cancelled") throw new AppError(409, "This order is cancelled.", { code: "cancelled" });
  if (order.status !== "pending" && order.status !== "closed")
    throw new AppError(409, "This order is charged when it closes, at its cutoff.", { code: "still_open" });
  if (order.written_off_at) throw writtenOff();
  const dueCents = order.order_total_cents - order.credit_cents;
  if (order.payment_state === "captured" || dueCents <= 0) return 0;
  if (order.provider === "offline")
    throw new AppError(409, "This order is paid at the door. Note that it was: market orders paid.", {
      code: "offline",
    });
  if (dryRun) return dueCents;
  const act = { action: "orders charge", subject: `order:${orderId}`, reason, data: { cents: dueCents } };
  const outcome = await chargeOrder(ctx, orderId, act);
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
