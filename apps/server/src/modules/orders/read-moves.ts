import type { OrderMoves } from "@marketday/contracts/admin/order-changes";

import { findOpenDays } from "../hubs/day-sql.ts";
import type { Context } from "../identity/context.ts";
import { getStaffOrder } from "./find-staff-order.ts";
import { findOpenPoints, findPlaces } from "./place-store.ts";

/** Where the box of an order can go. @throws AppError 404; 403 */
export async function readMoves(ctx: Context, orderId: number): Promise<OrderMoves> {
  const { db } = ctx.deps;
  const order = await getStaffOrder(ctx, orderId, "orders.adjust");
  const [points, places, days] = await Promise.all([
    findOpenPoints(db, order.hub.id),
    findPlaces(db, order.boxId),
    findOpenDays(db, order.hub.id, ctx.now),
  ]);
  const own = days.findIndex(({ id }) => id === order.deliveryId);
  return {
    points: points.map(({ id, name, address, city, hours }) => ({ id, name, address: `${address}, ${city}`, hours })),
    pickupPointId: places[0]?.pickup_point_id ?? null,
    days: own < 0 ? [] : days.slice(own + 1).map(({ day }) => day),
  };
}
