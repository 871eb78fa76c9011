import type { Client } from "@marketday/db";
import { can, type Permission } from "@marketday/domain/staff";

import { AppError, notFound } from "../../lib/app-error.ts";
import type { Context } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { findStaffOrder, type StaffOrder } from "./staff-order-store.ts";

/**
 * An order in a market in which the person of the staff may do this.
 * @throws AppError 404 in a market whose orders they may not read, the same as for a number without an order; 403 without the permission there
 */
export async function getStaffOrder(
  ctx: Context,
  orderId: number,
  permission: Permission,
  db: Client = ctx.deps.db,
): Promise<StaffOrder> {
  const { grants } = requireStaff(ctx.actor);
  const order = await findStaffOrder(db, orderId);
  if (!order || !can(grants, "orders.read", order.hub.id)) throw notFound();
  if (!can(grants, permission, order.hub.id))
    throw new AppError(403, `You may not do that in ${order.hub.name}.`, { code: "forbidden", permission });
  return order;
}
