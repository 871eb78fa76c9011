import { isDeepStrictEqual } from "node:util";

import type { Tx } from "@marketday/db";

import { lockBoxesOf, lockCustomerBoxes } from "../orders/box-sql.ts";
import { lockDaysOf } from "../orders/lock-box.ts";
import { findCustomerDays } from "./steps-store.ts";

/**
 * Locks the boxes of these orders as `lockBox` does each of them, all of a kind before the next (docs/architecture.md, Lock order): their
 * delivery days, the boxes of their customers on these days, then their orders. So each can be changed by an operation on one box.
 */
export async function lockManyBoxes(tx: Tx, orderIds: readonly number[]): Promise<void> {
  await lockDaysOf(tx, orderIds);
  const days = await findCustomerDays(tx, orderIds);
  for (const { customer_id: customerId, delivery_id: deliveryId } of days)
    await lockCustomerBoxes(tx, customerId, deliveryId);
  // Moved to another day while this waited for the locks of its day.
  if (!isDeepStrictEqual(await findCustomerDays(tx, orderIds), days)) return lockManyBoxes(tx, orderIds);
  await lockBoxesOf(tx, orderIds);
}
