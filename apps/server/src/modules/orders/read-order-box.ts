import type { OrderBox } from "@marketday/contracts/admin/orders";
import type { Db } from "@marketday/db";
import { can } from "@marketday/domain/staff";

import { notFound } from "../../lib/app-error.ts";
import type { StaffActor } from "../identity/context.ts";
import { toStaffAction } from "../staff-actions/serialize.ts";
import { findOpenActions } from "../staff-actions/store.ts";
import { findOrderBox } from "./order-box-sql.ts";
import { serializeOrderBox } from "./serialize-order-box.ts";

/**
 * The box of an order, also of an add-on, as a person may read it: two statements.
 * @throws AppError 404 for an unknown order, and for one of a market whose orders the person may not read
 */
export async function readOrderBox(db: Db, actor: StaffActor, orderId: number): Promise<OrderBox> {
  const row = await findOrderBox(db, orderId);
  if (!row || !can(actor.grants, "orders.read", row.hub.id)) throw notFound();
  const held = await findOpenActions(
    db,
    row.orders.map(({ id }) => `order:${id}`),
  );
  return serializeOrderBox(
    row,
    actor,
    held.map((action) => toStaffAction(action, actor)),
  );
}
