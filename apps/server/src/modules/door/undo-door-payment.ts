import type { Tx } from "@marketday/db";
import { cents, subtractDollars, toDollars } from "@marketday/domain/money";

import { notFound } from "../../lib/app-error.ts";
import { deliveryOf } from "../hubs/find-day.ts";
import type { Context } from "../identity/context.ts";
import { undoPayments } from "../orders/undo-payment.ts";
import { endAction } from "../staff-actions/store.ts";
import { lockRecording } from "./recording-sql.ts";
import { findBoxesOfDay, insertUndoneRecording, updateRecording } from "./store.ts";

/** In the audit log. */
const REASON = "Recorded by mistake at the door.";

/** A box whose payment was undone. Cents. */
interface UndoneBox {
  boxId: number;
  cents: number;
}

/**
 * Takes a box out of the recording that it was part of: that one keeps the others, and can still be undone. The box is a separate
 * recording, undone, of the same person and time; of one by a command, it is the person's who undoes it.
 */
async function takeOut(
  ctx: Context,
  tx: Tx,
  day: { hubId: number; deliveryId: number },
  { boxId, cents: undoneCents }: UndoneBox,
): Promise<void> {
  const { actor, now } = ctx;
  const recording = await lockRecording(tx, day.deliveryId, boxId);
  const rest = recording?.order_ids.filter((id) => id !== boxId) ?? [];
  if (recording && rest.length === 0) {
    await endAction(tx, recording.id, "done", { state: "undone", now });
    return;
  }
  const amount = toDollars(cents(undoneCents));
  if (recording)
    await updateRecording(tx, recording.id, {
      boxIds: rest,
      amount: Math.max(0, subtractDollars(recording.amount, amount)),
    });
  const staffId = recording?.staff_id ?? (actor.type === "staff" ? actor.staffId : null);
  if (staffId === null) return;
  await insertUndoneRecording(tx, {
    ...day,
    staffId,
    boxIds: [boxId],
    amount,
    createdAt: recording?.created_at ?? now,
    now,
  });
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
  await undoPayments(ctx, [boxId], REASON, false, async (tx, undone) => {
    const locked = await findBoxesOfDay(tx, delivery.id, [orderId]);
    if (locked.boxIds[0] !== boxId) throw notFound();
    await ctx.deps.failpoint("door:undone");
    for (const box of undone)
      if (box.orderIds.length > 0)
        await takeOut(ctx, tx, { hubId: hub.id, deliveryId: delivery.id }, { boxId, cents: box.cents });
  });
}
