import type { Client, Tx } from "@marketday/db";
import type { StaffActionKind } from "@marketday/domain/staff-actions";

/** How far one order of an action is (`staff_action_order`). */
export type StepState = "waiting" | "begun" | "done" | "unchanged" | "failed";
/** An order of an action. */
export interface Step {
  orderId: number;
  state: StepState;
  problem: string | null;
  /** The orders of the box that a cancellation cancelled. */
  cancelledIds: number[];
}

/** Stores the orders of an action, in the transaction that stores it. */
export const insertSteps = (tx: Tx, actionId: number, orderIds: readonly number[]) =>
  tx.staff_action_order.createMany({ data: orderIds.map((id) => ({ action_id: actionId, order_id: id })) });

/** The orders of an action, in id order. */
export async function findSteps(db: Client, actionId: number): Promise<Step[]> {
  const rows = await db.staff_action_order.findMany({
    where: { action_id: actionId },
    select: { order_id: true, state: true, problem: true, cancelled_ids: true },
    orderBy: { order_id: "asc" },
  });
  // A check of the database holds the states.
  return rows.map(({ order_id, state, problem, cancelled_ids }) => ({
    orderId: order_id,
    state: state as StepState,
    problem,
    cancelledIds: cancelled_ids,
  }));
}

/** Writes how far an order is, unless it is finished. False: it is. */
export async function markStep(
  tx: Client | Tx,
  { actionId, orderIds }: { actionId: number; orderIds: readonly number[] },
  state: Exclude<StepState, "waiting">,
  { problem = null, cancelledIds = [] }: { problem?: string | null; cancelledIds?: readonly number[] } = {},
): Promise<boolean> {
  const { count } = await tx.staff_action_order.updateMany({
    where: { action_id: actionId, order_id: { in: [...orderIds] }, state: { in: ["waiting", "begun"] } },
    data: { state, problem, cancelled_ids: [...cancelledIds] },
  });
  return count > 0;
}

/** Whether a part of an action is done. */
export const hasBegun = async (db: Client, actionId: number): Promise<boolean> =>
  (await db.staff_action_order.count({ where: { action_id: actionId, state: { not: "waiting" } } })) > 0;

/** The people whose action of this kind on these orders is held or being done, by order. */
export async function findPendingSteps(
  db: Client,
  kind: StaffActionKind,
  orderIds: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db.staff_action_order.findMany({
    where: {
      order_id: { in: [...orderIds] },
      state: { in: ["waiting", "begun"] },
      action: { kind, state: { in: ["held", "running"] } },
    },
    select: { order_id: true, action: { select: { staff: { select: { name: true } } } } },
  });
  return new Map(rows.map(({ order_id, action }) => [order_id, action.staff.name]));
}

/** The people whose cancellation of one of these orders alone is held or being done, by order. */
export async function findPendingCancels(db: Client, orderIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.staff_action.findMany({
    where: {
      kind: "cancel_order",
      state: { in: ["held", "running"] },
      subject: { in: orderIds.map((id) => `order:${id}`) },
    },
    select: { subject: true, staff: { select: { name: true } } },
  });
  return new Map(rows.map(({ subject, staff }) => [Number(subject.split(":")[1]), staff.name]));
}

/** The boxes that contain these orders, in id order. */
export async function findBoxIds(db: Client, orderIds: readonly number[]): Promise<number[]> {
  const orders = await db.order.findMany({
    where: { id: { in: [...orderIds] } },
    select: { id: true, add_on_to_id: true },
  });
  return [...new Set(orders.map(({ id, add_on_to_id: boxId }) => boxId ?? id))].toSorted((a, b) => a - b);
}

/** The customers and delivery days of these orders, each pair once, in the order in which their boxes are locked. */
export const findCustomerDays = (db: Client, orderIds: readonly number[]) =>
  db.order.findMany({
    where: { id: { in: [...orderIds] } },
    select: { customer_id: true, delivery_id: true },
    distinct: ["customer_id", "delivery_id"],
    orderBy: [{ delivery_id: "asc" }, { customer_id: "asc" }],
  });

/** What these canceled orders no longer need, by delivery day. */
export async function findTakenUnits(db: Client, orderIds: readonly number[]) {
  const orders = await db.order.findMany({
    where: { id: { in: [...orderIds] } },
    select: { delivery_id: true, items: { select: { variant_id: true, quantity: true } } },
  });
  return Map.groupBy(
    orders.flatMap(({ delivery_id: deliveryId, items }) =>
      items.map(({ variant_id: variantId, quantity }) => ({ deliveryId, variantId, quantity })),
    ),
    ({ deliveryId }) => deliveryId,
  );
}

/** The closed orders that each of these offline payments covers, and their total in cents (`findCovered`). */
export async function findAllCovered(
  db: Client,
  paymentIds: readonly string[],
): Promise<Map<string, { ids: number[]; cents: number }>> {
  const orders = await db.order.findMany({
    where: { payment_id: { in: [...paymentIds] }, status: { in: ["pending", "closed"] }, written_off_at: null },
    select: { id: true, payment_id: true, order_total_cents: true, credit_cents: true },
  });
  const covered = new Map<string, { ids: number[]; cents: number }>();
  for (const { id, payment_id: paymentId, order_total_cents: total, credit_cents: credit } of orders) {
    const { ids, cents } = covered.get(paymentId!) ?? { ids: [], cents: 0 };
    covered.set(paymentId!, { ids: [...ids, id], cents: cents + total - credit });
  }
  return covered;
}

/** The newest version of each of these days whose sheets were made, with the slug of its hub. */
export async function findMadeVersions(
  db: Client,
  deliveryIds: readonly number[],
): Promise<Map<number, { hub: string; version: number }>> {
  const rows = await db.snapshot.findMany({
    where: { delivery_id: { in: [...deliveryIds] }, is_complete: true, route_plan: { isNot: null } },
    select: { delivery_id: true, version: true, delivery: { select: { hub: { select: { slug: true } } } } },
    orderBy: { version: "asc" },
  });
  return new Map(rows.map(({ delivery_id: id, version, delivery }) => [id, { hub: delivery.hub.slug, version }]));
}

/** How each of these boxes is received. */
export async function findReceiptTypes(
  db: Client,
  boxIds: readonly number[],
): Promise<Map<number, "delivery" | "pickup">> {
  const rows = await db.order.findMany({ where: { id: { in: [...boxIds] } }, select: { id: true, type: true } });
  // A check of the database holds the types.
  return new Map(rows.map(({ id, type }) => [id, type as "delivery" | "pickup"]));
}
