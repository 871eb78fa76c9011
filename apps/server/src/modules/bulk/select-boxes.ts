import type { Client } from "@marketday/db";
import { can, type Permission } from "@marketday/domain/staff";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { findBoxOrders } from "../orders/box-store.ts";
import { findOrdersForSupport, type OrderForSupport } from "../orders/support-sql.ts";
import { findSelectedBoxes, type SelectedRow } from "./selection-sql.ts";

/** A selected box with its orders, the first one first. */
export interface SelectedBox extends SelectedRow {
  orders: OrderForSupport[];
}

/**
 * The boxes of these orders, in which the person may do this: each once, in id order.
 * @throws AppError 404 that names an order of no market that the person may read; 403 that names one of a market where they may not do this
 */
export async function selectBoxes(
  db: Client,
  { actor }: Pick<Context, "actor">,
  orderIds: readonly number[],
  permission: Permission,
): Promise<SelectedBox[]> {
  const { grants } = requireStaff(actor);
  const rows = await findSelectedBoxes(db, orderIds);
  const hubOf = new Map(rows.flatMap((row) => row.selected.map((id) => [id, row] as const)));
  for (const id of orderIds) {
    const row = hubOf.get(id);
    if (!row || !can(grants, "orders.read", row.hub_id))
      throw new AppError(404, `There is no order ${id}.`, { code: "not_found", orderId: id });
    if (!can(grants, permission, row.hub_id))
      throw new AppError(403, `Order ${id} is of ${row.hub}, where you may not do that.`, {
        code: "forbidden",
        permission,
        orderId: id,
      });
  }
  const members = await findBoxOrders(
    db,
    rows.map(({ id }) => id),
  );
  const orders = await findOrdersForSupport(
    db,
    members.map(({ id }) => id),
  );
  const byBox = Map.groupBy(orders, ({ id, add_on_to_id: boxId }) => boxId ?? id);
  return rows.map((row) => ({
    ...row,
    orders: (byBox.get(row.id) ?? []).toSorted((a, b) => (a.id === row.id ? -1 : b.id === row.id ? 1 : a.id - b.id)),
  }));
}

/** The first order of a box, whose number it has. */
export const firstOf = ({ orders }: SelectedBox): OrderForSupport => orders[0]!;
