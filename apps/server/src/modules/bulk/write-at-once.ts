import type { BulkPlan } from "@marketday/contracts/admin/bulk";
import type { Tx } from "@marketday/db";

import { recordingOf } from "../door/store.ts";
import type { Context } from "../identity/context.ts";
import { deliverOrders } from "../orders/deliver-orders.ts";
import { OrdersRejected } from "../orders/for-each-order.ts";
import { recordPayments } from "../orders/record-payment.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { notDone, type Planned, requireSeen } from "./plan.ts";
import { planDeliver, planPaid } from "./plans.ts";
import type { SelectedBox } from "./select-boxes.ts";
import { subjectOf } from "./subject.ts";

/** What a person sends after they saw a plan. */
export interface BulkRequest {
  orderIds: readonly number[];
  dryRun: boolean;
  token: string;
}
/** A plan, and the actions that were stored: none in a dry run. */
export interface BulkResult {
  plan: BulkPlan;
  actionIds: number[];
}

/** Under the locks, the boxes are not as in the plan. */
export class PlanChanged extends Error {}

/** Writes what was planned, or throws what it is refused for, with the plan of now. */
export async function writePlanned(
  ctx: Context,
  request: BulkRequest,
  plan: () => Promise<Planned>,
  write: (planned: Planned) => Promise<number[]>,
): Promise<BulkResult> {
  const planned = await plan();
  if (request.dryRun) return { plan: planned.plan, actionIds: [] };
  const count = new Set(request.orderIds).size;
  requireSeen(planned, request.token, count);
  if (planned.boxes.length === 0) return { plan: planned.plan, actionIds: [] };
  try {
    return { plan: planned.plan, actionIds: await write(planned) };
  } catch (error) {
    if (!(error instanceof PlanChanged) && !(error instanceof OrdersRejected)) throw error;
    throw notDone(await plan(), count);
  }
}

/** The box of each order in a plan. */
const boxesById = ({ boxes }: Planned) => new Map(boxes.map(({ box, effect }) => [box.id, { box, effect }]));

/**
 * Records boxes as paid at the door, all or none (docs/product.md §18): an action for each delivery day, which can be undone.
 * @throws AppError 404; 403; 409 `conflict`, `refused`
 */
export const bulkPaid = (ctx: Context, request: BulkRequest): Promise<BulkResult> =>
  writePlanned(
    ctx,
    request,
    () => planPaid(ctx, ctx.deps.db, request.orderIds),
    async (planned) => {
      const byId = boxesById(planned);
      let actionIds: number[] = [];
      await recordPayments(ctx, [...byId.keys()], "", false, async (tx, recorded) => {
        if (recorded.some(({ orderId, cents }) => byId.get(orderId)!.effect.amountCents !== cents))
          throw new PlanChanged();
        await ctx.deps.failpoint("bulk:written");
        const actions = new Map<number, number>();
        for (const [deliveryId, ofDay] of Map.groupBy(recorded, ({ orderId }) => byId.get(orderId)!.box.delivery_id)) {
          const { box } = byId.get(ofDay[0]!.orderId)!;
          const actionId = await storeAction(tx, ctx, {
            hubId: box.hub_id,
            deliveryId,
            subject: `delivery:${deliveryId}`,
            ...recordingOf(
              ofDay.flatMap(({ orderId: boxId, payments }) => payments.map((payment) => ({ ...payment, boxId }))),
            ),
          });
          for (const { orderId } of ofDay) actions.set(orderId, actionId);
        }
        await ctx.deps.failpoint("bulk:stored");
        actionIds = [...new Set(actions.values())];
        return actions;
      });
      return actionIds;
    },
  );

/** Stores that boxes were delivered: an action for each hub. Returns the action of each box. */
async function storeDelivered(ctx: Context, tx: Tx, boxes: readonly SelectedBox[]): Promise<Map<number, number>> {
  const actions = new Map<number, number>();
  for (const [hubId, ofHub] of Map.groupBy(boxes, ({ hub_id: id }) => id)) {
    const orderIds = ofHub.map(({ id }) => id);
    const actionId = await storeAction(tx, ctx, {
      hubId,
      ...subjectOf(ofHub),
      input: { orderIds },
      summary: { kind: "bulk_deliver", orderIds },
    });
    for (const id of orderIds) actions.set(id, actionId);
  }
  return actions;
}

/**
 * Marks boxes as delivered, all or none (docs/product.md §18): an action for each market, which can be undone.
 * @throws AppError 404; 403; 409 `conflict`, `refused`
 */
export const bulkDeliver = (ctx: Context, request: BulkRequest): Promise<BulkResult> =>
  writePlanned(
    ctx,
    request,
    () => planDeliver(ctx, ctx.deps.db, request.orderIds),
    async (planned) => {
      const byId = boxesById(planned);
      let actionIds: number[] = [];
      await deliverOrders(ctx, [...byId.keys()], "", false, async (tx, delivered) => {
        if (delivered.some(({ orderIds }) => orderIds.length === 0)) throw new PlanChanged();
        await ctx.deps.failpoint("bulk:written");
        const actions = await storeDelivered(
          ctx,
          tx,
          planned.boxes.map(({ box }) => box),
        );
        await ctx.deps.failpoint("bulk:stored");
        actionIds = [...new Set(actions.values())];
        return actions;
      });
      return actionIds;
    },
  );
