import type { DayDoor } from "@marketday/contracts/admin/door";
import { type Cents, cents, formatUsd } from "@marketday/domain/money";

import { AppError, notFound } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { deliveryOf } from "../hubs/find-day.ts";
import type { Context } from "../identity/context.ts";
import { recordPayments } from "../orders/record-payment.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { readDoor } from "./read-door.ts";
import { serializeDoor } from "./serialize.ts";
import { findBoxesOfDay, findSameRecording, recordingOf } from "./store.ts";

interface DoorRecording {
  /** Slug or id. */
  hub: string;
  /** `YYYY-MM-DD` */
  day: string;
  /** Of any order of each box. */
  orderIds: readonly number[];
  /** The sum that the person sees. */
  amount: Cents;
}

/** Under the lock, the boxes are worth another sum than the person sees. */
class OtherSum extends Error {
  readonly paidIds: readonly number[];
  readonly sum: Cents;

  /** @param paidIds the boxes that were recorded before */
  constructor(paidIds: readonly number[], sum: Cents) {
    super("another sum");
    this.paidIds = paidIds;
    this.sum = sum;
  }
}

/**
 * Records boxes of a day as paid at the door, and the action of it in the same transaction: all or none (docs/product.md §18). A person who
 * records the same boxes twice, because the first answer was lost, gets the first action.
 * @returns the id of the action
 * @throws AppError 404 for an order of another day; 409 `conflict` with the day as `current` when the sum is another one, also because a
 * box was recorded meanwhile; what `recordPayments` refuses
 */
export async function recordDoorPayments(ctx: Context, recording: DoorRecording): Promise<number> {
  const { hub: key, day, orderIds, amount } = recording;
  const { actor } = ctx;
  const { hub, delivery } = await deliveryOf(ctx, key, day);
  const { isComplete, boxIds } = await findBoxesOfDay(ctx.deps.db, delivery.id, orderIds);
  if (!isComplete) throw notFound();
  let actionId = 0;
  try {
    await recordPayments(ctx, boxIds, "", false, async (tx, recorded) => {
      // Moved to another day, or into another box, since they were found without the lock.
      const locked = await findBoxesOfDay(tx, delivery.id, orderIds);
      if (!locked.isComplete || locked.boxIds.join() !== boxIds.join()) throw notFound();
      const sum = cents(recorded.reduce((total, each) => total + each.cents, 0));
      if (sum === 0 && actor.type === "staff") {
        const same = await findSameRecording(tx, { staffId: actor.staffId, deliveryId: delivery.id, boxIds });
        if (same) {
          actionId = same.id;
          return new Map();
        }
      }
      const paidIds = recorded.filter(({ orderIds: ids }) => ids.length === 0).map(({ orderId }) => orderId);
      if (sum !== amount || paidIds.length > 0) throw new OtherSum(paidIds, sum);
      await ctx.deps.failpoint("door:recorded");
      actionId = await storeAction(tx, ctx, {
        hubId: hub.id,
        deliveryId: delivery.id,
        subject: `delivery:${delivery.id}`,
        ...recordingOf(
          recorded.flatMap(({ orderId: boxId, payments }) => payments.map((payment) => ({ ...payment, boxId }))),
        ),
      });
      await writeAuditEntry(
        tx,
        { ...ctx, actionId },
        {
          action: "door paid",
          subject: `delivery:${delivery.id}`,
          reason: "",
          data: { orderIds: recorded.flatMap(({ orderIds: ids }) => ids), cents: sum },
        },
      );
      await ctx.deps.failpoint("door:stored");
      return new Map(recorded.map(({ orderId }) => [orderId, actionId]));
    });
  } catch (error) {
    if (!(error instanceof OtherSum)) throw error;
    const current = serializeDoor(await readDoor(ctx, key, day), day);
    throw new AppError(409, sentenceOf(error, amount, current), { code: "conflict", current });
  }
  return actionId;
}

/** "Tote 12 (Jane Doe) was recorded by Ada in the meantime. Nothing was recorded. Check the sum, then record the rest." */
function sentenceOf({ paidIds, sum }: OtherSum, amount: Cents, { groups }: DayDoor): string {
  const boxes = groups.flatMap((group) => group.boxes).filter(({ orderId }) => paidIds.includes(orderId));
  const [first] = boxes;
  if (!first)
    return `These boxes are ${formatUsd(sum)} now, not ${formatUsd(amount)}. Nothing was recorded. Check the sum, then record it.`;
  const name = first.name === "" ? "" : ` (${first.name})`;
  const box = `${first.tote === null ? `Order ${first.orderId}` : `Tote ${first.tote}`}${name}`;
  const others = boxes.length === 1 ? " was" : ` and ${boxes.length - 1} more were`;
  const by = first.paidBy === null ? "" : ` by ${first.paidBy}`;
  return `${box}${others} recorded${by} in the meantime. Nothing else was recorded. Check the sum, then record the rest.`;
}
