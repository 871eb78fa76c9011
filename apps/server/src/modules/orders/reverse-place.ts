import { transaction, type Tx } from "@marketday/db";
import { z } from "zod";

import { AppError, notFound } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import type { ActionRow } from "../staff-actions/store.ts";
import { assertMovable, samePlace } from "./change-place.ts";
import { lockBox } from "./lock-box.ts";
import { findPlaces, findPoint, type StoredPlace, writePlace } from "./place-store.ts";
import { findStaffOrder } from "./staff-order-store.ts";

export const Place = z.object({
  type: z.enum(["delivery", "pickup"]),
  pickup_point_id: z.number().nullable(),
  address: z.json(),
});
/** Where each order of a box went before. */
export const PlacesBefore = z.array(Place.extend({ id: z.number() }));

/** The input of the action. Deleting the account empties it. */
const Changed = z.object({ orderId: z.number(), to: Place.optional(), before: PlacesBefore.optional() });

/**
 * Takes a box back to where it went before, with the add-ons that were placed since, in the caller's transaction. A delivery fee that was
 * taken off stays off: an order is never raised.
 * @throws AppError 404; 409 with the reason: `cancelled`, `delivered`, `no_customer`, `changed_since`, `point_closed`
 */
export async function reversePlaceOfBox(
  ctx: Context,
  tx: Tx,
  { orderId, to, before }: z.infer<typeof Changed>,
  actionId: number,
): Promise<void> {
  const box = await lockBox(tx, orderId, null);
  const order = await findStaffOrder(tx, orderId);
  if (!box || !order) throw notFound();
  assertMovable(box.orders, order);
  const now = await findPlaces(tx, box.id);
  if (!to || !before?.[0] || !now.every((each) => samePlace(each as StoredPlace, to)))
    throw new AppError(409, "The place was changed again since, so this can no longer be undone.", {
      code: "changed_since",
    });
  for (const { id } of now) {
    // An add-on that was placed since goes where the first order went: a box is one parcel.
    const { type, pickup_point_id, address } = before.find((each) => each.id === id) ?? before[0];
    const place = { type, pickup_point_id, address };
    if (place.pickup_point_id !== null) {
      const point = await findPoint(tx, place.pickup_point_id, order.hub.id);
      if (!point?.is_active)
        throw new AppError(409, `${point?.name ?? "The pickup point"} has closed since, so this can't be undone.`, {
          code: "point_closed",
        });
    }
    await writePlace(tx, [id], place);
  }
  await writeAuditEntry(tx, ctx, {
    action: "orders place undo",
    subject: `order:${box.id}`,
    reason: "",
    data: { actionId },
  });
}

/** Undoes `changePlace`. @throws AppError as `reversePlaceOfBox` */
export async function reversePlace(
  ctx: Context,
  action: ActionRow,
  complete: (tx: Tx) => Promise<void>,
): Promise<void> {
  const changed = Changed.parse(action.input);
  await transaction(ctx.deps.db, async (tx) => {
    await reversePlaceOfBox(ctx, tx, changed, action.id);
    await complete(tx);
  });
}
