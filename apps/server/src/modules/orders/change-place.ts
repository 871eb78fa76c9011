import { isDeepStrictEqual } from "node:util";

import type { OrderPlace, PlacePlan } from "@marketday/contracts/admin/order-changes";
import { transaction, type Tx } from "@marketday/db";
import { cents, type Cents, toDollars } from "@marketday/domain/money";
import { canEdit } from "@marketday/domain/order-state";

import { AppError, notFound } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { hubDirectory } from "../hubs/directory.ts";
import { addressDoor, hubsAtDoor } from "../hubs/home-delivery.ts";
import type { Context } from "../identity/context.ts";
import { tryVoidCharge } from "../payments/void-charge.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { boxConflict } from "./box-conflict.ts";
import { findBoxVersion } from "./box-version-sql.ts";
import { getStaffOrder } from "./find-staff-order.ts";
import { lockBox } from "./lock-box.ts";
import { dropFee } from "./move-orders.ts";
import { findPerson, findPlaces, findPoint, hasSheets, type StoredPlace, writePlace } from "./place-store.ts";
import { findStaffOrder, type StaffOrder } from "./staff-order-store.ts";

/** A change of where a box goes. */
export interface ChangedPlace {
  /** The number of its first order. */
  orderId: number;
  /** The customer, read under the box's lock. */
  name: string;
  /** A city, or the name of a pickup point. */
  from: string;
  to: string;
  /** The delivery fee that was taken off, before the cutoff, because a pickup has none. */
  feeOffCents: Cents;
  /** The delivery fee that stays, because orders are closed. */
  feeKeptCents: Cents;
  place: StoredPlace;
  before: (StoredPlace & { id: number })[];
  /** Payments of orders that were canceled because nothing was left of them but the fee. */
  voids: string[];
}

const nameOfPlace = (order: {
  type: string;
  address: StoredPlace["address"];
  pickup_point: { name: string } | null;
}): string => {
  if (order.type === "pickup") return order.pickup_point?.name ?? "";
  const { address } = order;
  const city = address !== null && typeof address === "object" && !Array.isArray(address) ? address["city"] : undefined;
  return typeof city === "string" ? city : "";
};

export const samePlace = (a: StoredPlace, b: StoredPlace): boolean =>
  a.type === b.type &&
  (a.type === "pickup" ? a.pickup_point_id === b.pickup_point_id : isDeepStrictEqual(a.address, b.address));

export const pointClosed = ({ name }: { name: string }) =>
  new AppError(409, `${name} is closed. Choose another pickup point.`, {
    code: "point_closed",
    field: "place.pickupPointId",
  });

/** @throws AppError 409 `point_closed`; 422 `outside_hub`, each with its field */
async function storedPlaceOf(
  ctx: Context,
  tx: Tx,
  { hub, customerId }: { hub: StaffOrder["hub"]; customerId: number },
  place: OrderPlace,
): Promise<{ stored: StoredPlace; name: string }> {
  if (place.type === "pickup") {
    const point = await findPoint(tx, place.pickupPointId, hub.id);
    if (!point) throw new AppError(404, `${hub.name} has no such pickup point.`, { code: "no_such_point" });
    if (!point.is_active) throw pointClosed(point);
    return { stored: { type: "pickup", pickup_point_id: point.id, address: null }, name: point.name };
  }
  const { address } = place;
  const person = (await findPerson(tx, customerId)) ?? { zip_code: null, lat: null, lng: null };
  const serving = hubsAtDoor(await hubDirectory(ctx.deps), addressDoor(address.zipCode, person));
  if (!serving.some(({ id }) => id === hub.id))
    throw new AppError(
      422,
      `${hub.name} does not deliver to ${address.zipCode}. Choose a pickup point or another address.`,
      { code: "outside_hub", field: "place.address.zipCode" },
    );
  return { stored: { type: "delivery", pickup_point_id: null, address: { ...address } }, name: address.city };
}

/**
 * Changes where a box goes, all its orders, in the caller's transaction (docs/product.md §18), which calls `tryVoidCharge` for `voids`
 * after its commit. Prices stay, except that a box that is picked up from now on loses its delivery fee as long as it can be changed; an
 * order is never raised. `expectedVersion`: the version that the person sees; null: any.
 * @throws AppError 404; 409 `conflict`, `cancelled`, `delivered`, `no_customer`, `point_closed`; 422 `outside_hub`, `same_place`
 */
export async function changePlaceOfBox(
  ctx: Context,
  tx: Tx,
  orderId: number,
  { place, expectedVersion }: { place: OrderPlace; expectedVersion: string | null },
): Promise<ChangedPlace> {
  const box = await lockBox(tx, orderId, null);
  const order = await findStaffOrder(tx, orderId);
  if (!box || !order) throw notFound();
  if (expectedVersion !== null && (await findBoxVersion(tx, box.id)) !== expectedVersion)
    throw new AppError(409, "This order was changed in the meantime.", { code: "conflict" });
  assertMovable(box.orders, order);
  const { stored, name } = await storedPlaceOf(ctx, tx, { hub: order.hub, customerId: order.customerId! }, place);
  const before = (await findPlaces(tx, box.id)).map((each) => ({ ...each, type: each.type as StoredPlace["type"] }));
  const first = before[0]!;
  if (before.every((each) => samePlace(each, stored)))
    throw new AppError(422, `This order goes there already.`, { code: "same_place" });
  await writePlace(
    tx,
    before.map(({ id }) => id),
    stored,
  );
  const fees = stored.type === "pickup" ? box.orders.filter((each) => each.delivery_fee_cents > 0) : [];
  const voids: string[] = [];
  let [feeOff, feeKept] = [0, 0];
  for (const { id, status, cutoff_at: cutoff, delivery_fee_cents: fee } of fees) {
    if (!canEdit(status, cutoff, ctx.now)) {
      feeKept += fee;
      continue;
    }
    feeOff += fee;
    const dropped = await dropFee(ctx, tx, id);
    if (dropped.voids !== null) voids.push(dropped.voids);
  }
  return {
    orderId: box.id,
    name: order.name,
    from: nameOfPlace(first),
    to: name,
    feeOffCents: cents(feeOff),
    feeKeptCents: cents(feeKept),
    place: stored,
    before: before.map(({ id, type, pickup_point_id, address }) => ({ id, type, pickup_point_id, address })),
    voids,
  };
}

/** @throws AppError 409 `cancelled`, `delivered`, `no_customer` */
export function assertMovable(
  orders: readonly { status: string }[],
  { customerId }: Pick<StaffOrder, "customerId">,
): void {
  if (orders.length === 0) throw new AppError(409, "This order is cancelled.", { code: "cancelled" });
  if (orders.some(({ status }) => status === "closed"))
    throw new AppError(409, "This order was delivered, so its place can no longer be changed.", { code: "delivered" });
  if (customerId === null)
    throw new AppError(409, "The account of this order was deleted, so it goes nowhere.", { code: "no_customer" });
}

/** What changing the place would do (docs/product.md §18). @throws AppError 404; 403; as `changePlaceOfBox` */
export async function planPlace(ctx: Context, orderId: number, place: OrderPlace): Promise<PlacePlan> {
  const { db } = ctx.deps;
  const order = await getStaffOrder(ctx, orderId, "orders.adjust");
  const changed = await withClientDryRun(db, true, (tx) =>
    changePlaceOfBox(ctx, tx, orderId, { place, expectedVersion: null }),
  );
  return {
    from: changed.from,
    to: changed.to,
    feeOff: toDollars(changed.feeOffCents),
    feeKept: toDollars(changed.feeKeptCents),
    isOnSheets: await hasSheets(db, order.deliveryId),
  };
}

/** Writes the audit entry of a changed place, without the address: the log is kept for good. */
export const auditPlace = (ctx: Context, tx: Tx, changed: ChangedPlace, reason: string, actionId: number | null) =>
  writeAuditEntry(tx, ctx, {
    action: "orders place",
    subject: `order:${changed.orderId}`,
    reason,
    data: { actionId, from: changed.from, to: changed.to, feeOffCents: changed.feeOffCents },
  });

/**
 * Changes where a box goes, at once; `reversePlace` undoes it (docs/product.md §18).
 * @returns the id of its action
 * @throws AppError 404; 403; 409 `conflict` with the box as `current`; as `changePlaceOfBox`
 */
export async function changePlace(
  ctx: Context,
  orderId: number,
  change: { place: OrderPlace; reason: string; expectedVersion: string },
): Promise<number> {
  const order = await getStaffOrder(ctx, orderId, "orders.adjust");
  try {
    const { actionId, voids } = await transaction(ctx.deps.db, async (tx) => {
      const changed = await changePlaceOfBox(ctx, tx, orderId, change);
      const actionId = await storeAction(tx, ctx, {
        hubId: order.hub.id,
        deliveryId: order.deliveryId,
        subject: `order:${changed.orderId}`,
        input: {
          orderId: changed.orderId,
          to: { ...changed.place },
          before: changed.before.map((each) => ({ ...each })),
        },
        summary: {
          kind: "change_place",
          orderId: changed.orderId,
          name: changed.name,
          place: changed.to,
          feeOff: toDollars(changed.feeOffCents),
        },
      });
      await auditPlace(ctx, tx, changed, change.reason, actionId);
      return { actionId, voids: changed.voids };
    });
    for (const paymentId of voids) await tryVoidCharge(ctx, paymentId);
    return actionId;
  } catch (error) {
    if (error instanceof AppError && error.details.code === "conflict") throw await boxConflict(ctx, orderId);
    throw error;
  }
}
