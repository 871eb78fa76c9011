import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../identity/context.ts";
import { boxConflict } from "./box-conflict.ts";
import { findBoxOrders } from "./box-store.ts";
import { findBoxVersion } from "./box-version-sql.ts";
import { chargeNow } from "./charge-now.ts";
import { getStaffOrder } from "./find-staff-order.ts";

/**
 * Charges the closed orders of a box again, each as `chargeNow` does: one that is paid is left alone. `expectedVersion`: the version
 * that the person sees; null: any.
 * @returns the cents charged; 0 when all of it was paid before
 * @throws AppError 404; 403; 409 `conflict` with the box as `current`; as `chargeNow`, after the others were tried
 */
export async function chargeBox(
  ctx: Context,
  orderId: number,
  { reason, expectedVersion }: { reason: string; expectedVersion: string | null },
): Promise<number> {
  const { db } = ctx.deps;
  const order = await getStaffOrder(ctx, orderId, "orders.refund");
  if (expectedVersion !== null && (await findBoxVersion(db, order.boxId)) !== expectedVersion)
    throw await boxConflict(ctx, orderId);
  const live = (await findBoxOrders(db, [orderId])).filter(({ status }) => status !== "cancelled");
  let charged = 0;
  let refusal: AppError | null = null;
  for (const { id } of live.length > 0 ? live : [{ id: orderId }])
    try {
      charged += await chargeNow(ctx, id, reason);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusal ??= error;
    }
  if (refusal) throw refusal;
  return charged;
}
