import type { Order } from "@marketday/contracts/orders";
import type { Client } from "@marketday/db";

import type { CustomerId } from "../identity/context.ts";
import { findBoxContents } from "./box-content-store.ts";
import { type BoxState, findBoxState, findBoxStates } from "./box-state-sql.ts";
import { serializeOrder } from "./serialize.ts";

async function loadBoxes(db: Client, states: readonly BoxState[]): Promise<Order[]> {
  if (states.length === 0) return [];
  const boxes = await findBoxContents(
    db,
    states.map(({ id }) => id),
    [...new Set(states.map(({ hub_id: hubId }) => hubId))],
  );
  const byId = new Map(boxes.map((box) => [box.id, box]));
  return states.flatMap((state) => {
    const box = byId.get(state.id);
    return box ? [serializeOrder(box, state)] : [];
  });
}

/** The customer's order with its add-ons. The id of an add-on finds its box. Null: it is not theirs, or a deleted one. */
export async function loadOrder(db: Client, customerId: CustomerId, orderId: number): Promise<Order | null> {
  const state = await findBoxState(db, customerId, orderId);
  return state && ((await loadBoxes(db, [state]))[0] ?? null);
}

/**
 * A page of the customer's boxes, latest delivery first, optionally filtered by cutoff date (in the hub's time zone). `total`:
 * the number on all pages.
 */
export async function loadOrders(
  db: Client,
  customerId: CustomerId,
  cutoffDate: string | null,
  page: { rows: number; offset: number },
): Promise<{ orders: Order[]; total: number }> {
  const { states, total } = await findBoxStates(db, customerId, cutoffDate, page);
  return { orders: await loadBoxes(db, states), total };
}
