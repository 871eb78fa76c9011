import { type Client, transaction, type Tx } from "@marketday/db";
import { cents, toDollars } from "@marketday/domain/money";
import { canEdit } from "@marketday/domain/order-state";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../identity/context.ts";
import {
  assertMovable,
  auditPlace,
  type ChangedPlace,
  changePlaceOfBox,
  pointClosed,
  samePlace,
} from "../orders/change-place.ts";
import { BATCH_MS, forEachOrder, withBatchDryRun } from "../orders/for-each-order.ts";
import { findPlacesOfBoxes, findPointAnywhere, type StoredPlace } from "../orders/place-store.ts";
import { Place, PlacesBefore, reversePlaceOfBox } from "../orders/reverse-place.ts";
import { tryVoidCharge } from "../payments/void-charge.ts";
import type { ActionKind } from "../staff-actions/kinds.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { lockManyBoxes } from "./lock-boxes.ts";
import { type BoxEffect, NO_EFFECT, planBoxes, type Planned } from "./plan.ts";
import { type SelectedBox, selectBoxes } from "./select-boxes.ts";
import { findMadeVersions } from "./steps-store.ts";
import { subjectOf } from "./subject.ts";
import { type BulkRequest, type BulkResult, PlanChanged, writePlanned } from "./write-at-once.ts";

interface PlaceRequest extends BulkRequest {
  pickupPointId: number;
}

/** What sending these boxes to a pickup point would do (`changePlace` each). @throws AppError 404 `no_such_point` */
async function planPlaces(
  ctx: Context,
  db: Client,
  { orderIds, pickupPointId }: Pick<PlaceRequest, "orderIds" | "pickupPointId">,
): Promise<Planned> {
  const selected = await selectBoxes(db, ctx, orderIds, "orders.adjust");
  const point = await findPointAnywhere(db, pickupPointId);
  if (!point) throw new AppError(404, "There is no such pickup point.", { code: "no_such_point" });
  const places = await findPlacesOfBoxes(
    db,
    selected.map(({ id }) => id),
  );
  const to: StoredPlace = { type: "pickup", pickup_point_id: point.id, address: null };
  const effectOf = (box: SelectedBox): BoxEffect | null => {
    const live = box.orders.filter(({ status }) => status !== "cancelled");
    assertMovable(live, { customerId: box.customer_id });
    if (box.hub_id !== point.hub.id)
      throw new AppError(409, `This order is of ${box.hub}, and ${point.name} is in ${point.hub.name}.`, {
        code: "other_market",
      });
    if (!point.is_active) throw pointClosed(point);
    if (places.get(box.id)?.every((place) => samePlace(place as StoredPlace, to))) return null;
    let [feeOffCents, feeKeptCents] = [0, 0];
    for (const { status, cutoff_at: cutoff, delivery_fee_cents: fee } of live)
      if (canEdit(status, cutoff, ctx.now)) feeOffCents += fee;
      else feeKeptCents += fee;
    return { ...NO_EFFECT, amountCents: feeOffCents, feeOffCents, feeKeptCents };
  };
  return planBoxes(ctx, selected, effectOf, {
    about: ["place", point.id],
    // Like the change of one order it sends no email.
    mails: () => 0,
    isOnSheets: async (boxes) =>
      (
        await findMadeVersions(
          db,
          boxes.map(({ delivery_id: id }) => id),
        )
      ).size > 0,
  });
}

/** Refusals that the plan of now has too. */
const IN_PLAN = new Set(["conflict", "cancelled", "delivered", "point_closed", "same_place"]);

/** Changes the place of each box under its lock. @throws PlanChanged when one is not as in the plan */
async function changePlaces(ctx: Context, tx: Tx, { boxes }: Planned, pickupPointId: number): Promise<ChangedPlace[]> {
  const changed: ChangedPlace[] = [];
  for (const { box, effect } of boxes)
    try {
      const place = { type: "pickup", pickupPointId } as const;
      const done = await changePlaceOfBox(ctx, tx, box.id, { place, expectedVersion: box.version });
      // The cutoff came in between.
      if (done.feeOffCents !== effect.feeOffCents) throw new PlanChanged();
      changed.push(done);
    } catch (error) {
      if (error instanceof AppError && IN_PLAN.has(error.details.code)) throw new PlanChanged();
      throw error;
    }
  return changed;
}

/**
 * Sends boxes of a market to one of its pickup points, all or none (docs/product.md §18), in one action, which can be undone.
 * @throws AppError 404, also `no_such_point`; 403; 409 `conflict`, `refused`
 */
export async function bulkPlace(ctx: Context, request: PlaceRequest): Promise<BulkResult> {
  const { db, failpoint } = ctx.deps;
  let voids: string[] = [];
  const write = (planned: Planned): Promise<number[]> =>
    transaction(
      db,
      async (tx) => {
        const boxes = planned.boxes.map(({ box }) => box);
        const orderIds = boxes.map(({ id }) => id);
        await lockManyBoxes(tx, orderIds);
        const changed = await changePlaces(ctx, tx, planned, request.pickupPointId);
        await failpoint("bulk:written");
        const [first] = changed;
        const feeOffCents = changed.reduce((sum, each) => sum + each.feeOffCents, 0);
        const actionId = await storeAction(tx, ctx, {
          // The point's market: boxes of another one are refused.
          hubId: boxes[0]!.hub_id,
          ...subjectOf(boxes),
          input: {
            orderIds,
            to: { ...first!.place },
            before: Object.fromEntries(changed.map(({ orderId, before }) => [orderId, before])),
          },
          summary: { kind: "bulk_place", orderIds, place: first!.to, feeOff: toDollars(cents(feeOffCents)) },
        });
        for (const each of changed) await auditPlace(ctx, tx, each, "", actionId);
        voids = changed.flatMap((each) => each.voids);
        await failpoint("bulk:stored");
        return [actionId];
      },
      { budgetMs: BATCH_MS, timeoutMs: BATCH_MS },
    );
  const result = await writePlanned(ctx, request, () => planPlaces(ctx, db, request), write);
  for (const paymentId of voids) await tryVoidCharge(ctx, paymentId);
  return result;
}

/** `before`: by box. Deleting an account removes its boxes from it. */
const Moved = z.object({
  orderIds: z.array(z.number()),
  to: Place,
  before: z.record(z.string(), PlacesBefore),
});

/** Boxes that were sent to a pickup point go where they went before, all or none. */
export const bulkPlaceKind: ActionKind = {
  logsUndo: true,
  async reverse(ctx, action, complete) {
    const { orderIds, to, before } = Moved.parse(action.input);
    await withBatchDryRun(ctx.deps.db, false, async (tx) => {
      await lockManyBoxes(tx, orderIds);
      await forEachOrder(orderIds, (orderId) =>
        reversePlaceOfBox(ctx, tx, { orderId, to, before: before[orderId] }, action.id),
      );
      await complete(tx);
    });
  },
};
