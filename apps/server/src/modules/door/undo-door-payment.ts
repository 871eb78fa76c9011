import type { Tx } from "@marketday/db";

import { notFound } from "../../lib/app-error.ts";
import { deliveryOf } from "../hubs/find-day.ts";
import type { Context } from "../identity/context.ts";
import { type UndonePayment, undoPayments } from "../orders/undo-payment.ts";
import { endAction } from "../staff-actions/action-sql.ts";
import { lockRecordings, type RecordedMoney } from "./recording-sql.ts";
import { findBoxesOfDay, insertUndoneRecording, updateRecording } from "./store.ts";

/** In the audit log. */
const REASON = "Recorded by mistake at the door.";

/**
 * Takes payments of a box out of the recordings that they were part of: each keeps the others, and can still be undone. What is taken out is
 * a separate recording, undone, of the same person, day and time; what a command recorded is of the person who undoes it, on this day.
 */
async function takeOut(
  ctx: Context,
  tx: Tx,
  { hubId, deliveryId }: { hubId: number; deliveryId: number },
  undone: readonly RecordedMoney[],
): Promise<void> {
  const { actor, now } = ctx;
  const ids = new Set(undone.map(({ id }) => id));
  const recordings = await lockRecordings(tx, hubId, [...ids]);
  for (const recording of recordings) {
    const left = recording.payments.filter(({ id }) => !ids.has(id));
    const payments = recording.payments.filter(({ id }) => ids.has(id));
    for (const { id } of payments) ids.delete(id);
    if (left.length === 0) {
      await endAction(tx, recording.id, "done", { state: "undone", now });
      continue;
    }
    await updateRecording(tx, recording.id, left);
    await insertUndoneRecording(tx, {
      staffId: recording.staff_id,
      hubId,
      deliveryId: recording.delivery_id,
      payments,
      createdAt: recording.created_at,
      now,
    });
  }
  const payments = undone.filter(({ id }) => ids.has(id));
  if (actor.type === "staff" && payments.length > 0)
    await insertUndoneRecording(tx, { staffId: actor.staffId, hubId, deliveryId, payments, createdAt: now, now });
}

/**
 * Takes the payment of one box of a day back (docs/product.md §18): it is due again. Twice is once.
 * @param orderId of any order of the box
 * @throws AppError 404 for an order of another day; what `undoPayments` refuses
 */
export async function undoDoorPayment(
  ctx: Context,
  { hub: key, day, orderId }: { hub: string; day: string; orderId: number },
): Promise<void> {
  const { hub, delivery } = await deliveryOf(ctx, key, day);
  const { boxIds } = await findBoxesOfDay(ctx.deps.db, delivery.id, [orderId]);
  const [boxId] = boxIds;
  if (boxId === undefined) throw notFound();
  const complete = async (tx: Tx, undone: readonly UndonePayment[]): Promise<void> => {
    const locked = await findBoxesOfDay(tx, delivery.id, [orderId]);
    if (locked.boxIds[0] !== boxId) throw notFound();
    await ctx.deps.failpoint("door:undone");
    const payments = undone.flatMap((box) => box.payments.map((payment) => ({ ...payment, boxId })));
    if (payments.length > 0) await takeOut(ctx, tx, { hubId: hub.id, deliveryId: delivery.id }, payments);
  };
  await undoPayments(ctx, [boxId], REASON, false, { complete });
}
