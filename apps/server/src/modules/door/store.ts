import type { ActionSummary } from "@marketday/contracts/admin/actions";
import type { Client, Tx } from "@marketday/db";
import { addCents, cents, toDollars } from "@marketday/domain/money";

import type { RecordedMoney } from "./recording-sql.ts";

/** The boxes that these orders of a day belong to, as the ids of their first orders; fewer when an order is of another day. */
export async function findBoxesOfDay(
  db: Client,
  deliveryId: number,
  orderIds: readonly number[],
): Promise<{ isComplete: boolean; boxIds: number[] }> {
  const ids = new Set(orderIds);
  const orders = await db.order.findMany({
    where: { id: { in: [...ids] }, delivery_id: deliveryId },
    select: { id: true, add_on_to_id: true },
  });
  const boxIds = new Set(orders.map(({ id, add_on_to_id: boxId }) => boxId ?? id));
  return { isComplete: orders.length === ids.size, boxIds: [...boxIds].toSorted((a, b) => a - b) };
}

/** The newest done action of a person that recorded exactly these boxes of the day; null: none. */
export const findSameRecording = (
  db: Client,
  filter: { staffId: number; deliveryId: number; boxIds: readonly number[] },
): Promise<{ id: number } | null> =>
  db.staff_action.findFirst({
    where: {
      staff_id: filter.staffId,
      delivery_id: filter.deliveryId,
      kind: "mark_paid",
      state: "done",
      input: { path: ["orderIds"], equals: [...filter.boxIds] },
    },
    select: { id: true },
    orderBy: { id: "desc" },
  });

/** What a recording has of its payments: as input of the action, and as a person reads it. */
export function recordingOf(payments: readonly RecordedMoney[]) {
  const orderIds = [...new Set(payments.map(({ boxId }) => boxId))].toSorted((a, b) => a - b);
  const amount = toDollars(addCents(...payments.map((payment) => cents(payment.cents))));
  return {
    input: { orderIds, payments: payments.map(({ id, boxId, cents: paid }) => ({ id, boxId, cents: paid })) },
    summary: { kind: "mark_paid", orderIds, boxes: orderIds.length, amount },
  } satisfies { input: object; summary: ActionSummary };
}

/** Leaves a recording with these payments. It must be locked. */
export const updateRecording = (tx: Tx, id: number, payments: readonly RecordedMoney[]) =>
  tx.staff_action.updateMany({ where: { id }, data: recordingOf(payments) });

interface UndoneRecording {
  staffId: number;
  hubId: number;
  deliveryId: number;
  payments: readonly RecordedMoney[];
  createdAt: Date;
  now: Date;
}

/** Inserts a recording that was undone. */
export const insertUndoneRecording = (tx: Tx, recording: UndoneRecording) =>
  tx.staff_action.create({
    data: {
      ...recordingOf(recording.payments),
      staff_id: recording.staffId,
      kind: "mark_paid",
      hub_id: recording.hubId,
      delivery_id: recording.deliveryId,
      subject: `delivery:${recording.deliveryId}`,
      state: "undone",
      created_at: recording.createdAt,
      ended_at: recording.now,
    },
    select: { id: true },
  });
