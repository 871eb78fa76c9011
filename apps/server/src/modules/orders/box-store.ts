import type { Client, Tx } from "@marketday/db";

/** An order with its box and customer. */
export interface BoxMember {
  box_id: number;
  delivery_id: number;
  customer_id: number | null;
}

/** The box that an order belongs to; null: the order does not exist, or is not this customer's (null: any customer's). */
export async function findBoxMember(db: Client, orderId: number, customerId: number | null): Promise<BoxMember | null> {
  const row = await db.order.findUnique({
    where: { id: orderId, ...(customerId !== null && { customer_id: customerId }) },
    select: { id: true, add_on_to_id: true, delivery_id: true, customer_id: true },
  });
  return row && { box_id: row.add_on_to_id ?? row.id, delivery_id: row.delivery_id, customer_id: row.customer_id };
}

/** The id of the box that contains the order: the order number shown to people. */
export const findBoxId = async (db: Client, orderId: number): Promise<number> =>
  (await findBoxMember(db, orderId, null))?.box_id ?? orderId;

/** An order of a box. */
export interface BoxOrder {
  id: number;
  box_id: number;
  status: string;
}

/** All orders of the boxes that contain these orders, including cancelled ones, in id order. */
export async function findBoxOrders(db: Client, orderIds: readonly number[]): Promise<BoxOrder[]> {
  const members = await db.order.findMany({
    where: { id: { in: [...orderIds] } },
    select: { id: true, add_on_to_id: true },
  });
  const boxIds = members.map(({ id, add_on_to_id: boxId }) => boxId ?? id);
  const orders = await db.order.findMany({
    where: { OR: [{ id: { in: boxIds } }, { add_on_to_id: { in: boxIds } }] },
    select: { id: true, add_on_to_id: true, status: true },
    orderBy: { id: "asc" },
  });
  return orders.map(({ id, add_on_to_id: boxId, status }) => ({ id, box_id: boxId ?? id, status }));
}

/** Other live orders of a box that have a delivery fee but no items, in id order. */
export async function findFeeCarriers(tx: Tx, boxId: number, orderId: number): Promise<number[]> {
  const orders = await tx.order.findMany({
    where: {
      OR: [{ id: boxId }, { add_on_to_id: boxId }],
      id: { not: orderId },
      status: { not: "cancelled" },
      delivery_fee_cents: { gt: 0 },
      items: { none: { quantity: { gt: 0 } } },
    },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  return orders.map(({ id }) => id);
}
