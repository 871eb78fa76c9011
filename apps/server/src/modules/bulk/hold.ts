import { transaction, type Tx } from "@marketday/db";
import { cents, toDollars } from "@marketday/domain/money";
import { z } from "zod";

import { newUuid } from "../../lib/tokens.ts";
import type { Context } from "../identity/context.ts";
import { lockBoxesOf } from "../orders/box-sql.ts";
import { BATCH_MS } from "../orders/for-each-order.ts";
import { lockDaysOf } from "../orders/lock-box.ts";
import { fetchCharges } from "../payments/charge-order.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { type Planned, requireMayGive, requireSeen } from "./plan.ts";
import { planCancels, planCharges, planMessage } from "./plans.ts";
import type { SelectedBox } from "./select-boxes.ts";
import { findBoxIds, insertSteps } from "./steps-store.ts";
import { subjectOf } from "./subject.ts";
import type { BulkRequest, BulkResult } from "./write-at-once.ts";

export const HeldCancel = z.object({ reason: z.string(), refundTo: z.enum(["card", "credit"]) });
/** `batch`: of one request; a person with boxes in two markets gets one email. */
export const HeldMessage = z.object({ batch: z.string(), subject: z.string(), text: z.string() });

type Planner = (db: Tx | Context["deps"]["db"]) => Promise<Planned>;

/**
 * Stores what was planned, under the locks of its boxes: `store` for the boxes of each hub.
 * @throws AppError 409 `conflict`, `refused`, with the plan of now
 */
async function holdPlanned(
  ctx: Context,
  request: BulkRequest,
  plan: Planner,
  store: (tx: Tx, boxes: readonly SelectedBox[], planned: Planned) => Promise<number>,
): Promise<BulkResult> {
  const { db } = ctx.deps;
  if (request.dryRun) return { plan: (await plan(db)).plan, actionIds: [] };
  const boxIds = await findBoxIds(db, request.orderIds);
  return transaction(
    db,
    async (tx) => {
      await lockDaysOf(tx, boxIds);
      await lockBoxesOf(tx, boxIds);
      const planned = await plan(tx);
      requireSeen(planned, request.token, new Set(request.orderIds).size);
      const actionIds: number[] = [];
      const boxes = planned.boxes.map(({ box }) => box);
      for (const ofHub of Map.groupBy(boxes, ({ hub_id: id }) => id).values()) {
        const actionId = await store(tx, ofHub, planned);
        await insertSteps(
          tx,
          actionId,
          ofHub.map(({ id }) => id),
        );
        actionIds.push(actionId);
      }
      await ctx.deps.failpoint("bulk:stored");
      return { plan: planned.plan, actionIds };
    },
    { budgetMs: BATCH_MS, timeoutMs: BATCH_MS },
  );
}

interface CancelRequest extends BulkRequest {
  reason: string;
  refundTo: "card" | "credit";
}

/**
 * Cancels boxes in ten seconds (docs/product.md §18): an action for each market, which cancels one box after the other.
 * @throws AppError 404; 403, also `over_limit`, `step_up_required`; 409 `conflict`, `refused`
 */
export async function bulkCancel(ctx: Context, request: CancelRequest): Promise<BulkResult> {
  const { reason, refundTo } = request;
  const plan: Planner = (db) => planCancels(ctx, db, request);
  if (!request.dryRun) {
    // A charge whose result was lost changes what goes back.
    const { boxes } = await plan(ctx.deps.db);
    for (const { box } of boxes)
      if (box.orders.some(({ charge_failed_at: failedAt }) => failedAt !== null)) await fetchCharges(ctx, box.id);
  }
  return holdPlanned(ctx, request, plan, async (tx, ofHub, planned) => {
    requireMayGive(ctx, planned);
    const ids = new Set(ofHub.map(({ id }) => id));
    const own = planned.boxes.filter(({ box }) => ids.has(box.id));
    const backCents = own.reduce((sum, { effect }) => sum + effect.amountCents, 0);
    const mails = ofHub.filter(({ customer_id: id }) => id !== null).length + (await planned.vendorMailsOf(ofHub));
    return storeAction(tx, ctx, {
      hubId: ofHub[0]!.hub_id,
      ...subjectOf(ofHub),
      input: { reason, refundTo } satisfies z.infer<typeof HeldCancel>,
      summary: {
        kind: "bulk_cancel",
        orderIds: [...ids],
        back: toDollars(cents(backCents)),
        mails,
      },
    });
  });
}

/**
 * Charges the cards of boxes again in ten seconds (docs/product.md §18): an action for each market.
 * @throws AppError 404; 403; 409 `conflict`, `refused`
 */
export const bulkCharge = (ctx: Context, request: BulkRequest): Promise<BulkResult> =>
  holdPlanned(
    ctx,
    request,
    (db) => planCharges(ctx, db, request.orderIds),
    (tx, ofHub, { boxes }) => {
      const ids = new Set(ofHub.map(({ id }) => id));
      const amountCents = boxes.reduce((sum, { box, effect }) => sum + (ids.has(box.id) ? effect.amountCents : 0), 0);
      return storeAction(tx, ctx, {
        hubId: ofHub[0]!.hub_id,
        ...subjectOf(ofHub),
        input: {},
        summary: { kind: "bulk_charge", orderIds: [...ids], amount: toDollars(cents(amountCents)) },
      });
    },
  );

interface MessageRequest extends BulkRequest {
  subject: string;
  text: string;
}

/**
 * Emails the customers of boxes in ten seconds, each once (docs/product.md §18): an action for each market.
 * @throws AppError 404; 403; 409 `conflict`, `refused`
 */
export function bulkMessage(ctx: Context, request: MessageRequest): Promise<BulkResult> {
  const { subject, text } = request;
  const batch = newUuid();
  const counted = new Set<number>();
  return holdPlanned(
    ctx,
    request,
    (db) => {
      counted.clear();
      return planMessage(ctx, db, request.orderIds);
    },
    (tx, ofHub) => {
      const people = new Set(ofHub.flatMap(({ customer_id: id }) => (id === null || counted.has(id) ? [] : [id])));
      for (const id of people) counted.add(id);
      return storeAction(tx, ctx, {
        hubId: ofHub[0]!.hub_id,
        ...subjectOf(ofHub),
        input: { batch, subject, text } satisfies z.infer<typeof HeldMessage>,
        summary: { kind: "bulk_message", orderIds: ofHub.map(({ id }) => id), subject, people: people.size },
      });
    },
  );
}
