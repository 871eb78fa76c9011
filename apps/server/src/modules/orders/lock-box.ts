import type { Tx } from "@marketday/db";
import { EDIT_MESSAGES } from "@marketday/domain/order-edit";

import { AppError } from "../../lib/app-error.ts";
import { lockOpenDeliveries } from "../hubs/day-sql.ts";
import type { CustomerId } from "../identity/context.ts";
import { lockBoxOrders, lockCustomerBoxes } from "./box-sql.ts";
import { findBoxMember } from "./box-store.ts";
import type { EditableOrder } from "./edit-sql.ts";

/** The locked orders of one box: the first order and its add-ons. `orders` are the live ones, oldest first. */
export interface LockedBox {
  /** The first order of the box, which the others were added to; its number is shown to people. */
  id: number;
  orders: EditableOrder[];
}

/**
 * Locks the box of an order against the cutoff and against checkouts that join it. The id of an emptied or canceled order also
 * finds its box. Null: the order does not exist or belongs to another customer (`customerId` null: any customer).
 * @throws AppError 409 `past_cutoff` for a customer's order of a closed day
 */
export async function lockBox(tx: Tx, orderId: number, customerId: CustomerId | null): Promise<LockedBox | null> {
  const before = await findBoxMember(tx, orderId, customerId);
  if (!before) return null;
  const isDayOpen = await lockOpenDeliveries(tx, [before.delivery_id]);
  // Rejects a shopper's late edit before it waits for rows that the cutoff has locked.
  if (customerId !== null && !isDayOpen) throw new AppError(409, EDIT_MESSAGES.closed, { code: "past_cutoff" });
  await lockCustomerBoxes(tx, before.customer_id, before.delivery_id);
  const member = await findBoxMember(tx, orderId, customerId);
  if (!member) return null;
  // Moved to another day while this waited for its day's lock.
  if (member.delivery_id !== before.delivery_id) return lockBox(tx, orderId, customerId);
  return { id: member.box_id, orders: await lockBoxOrders(tx, member.box_id) };
}

/**
 * Locks the delivery days of these orders, which the orders and the rows that refer to their day need before (docs/architecture.md, Lock
 * order). True: they are all open.
 */
export async function lockDaysOf(tx: Tx, orderIds: readonly number[]): Promise<boolean> {
  const where = { id: { in: [...orderIds] } };
  const days = await tx.order.findMany({ where, select: { delivery_id: true }, distinct: ["delivery_id"] });
  return lockOpenDeliveries(
    tx,
    days.map(({ delivery_id: id }) => id),
  );
}
