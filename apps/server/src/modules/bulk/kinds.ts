import { transaction } from "@marketday/db";
import { can } from "@marketday/domain/staff";
import { STAFF_ACTION_PERMISSION, type StaffActionKind } from "@marketday/domain/staff-actions";
import { Hour, Second } from "@marketday/domain/time";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { findBoxOrders } from "../orders/box-store.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { chargeNow } from "../orders/charge-now.ts";
import { noAddress } from "../orders/hold-resend.ts";
import { findOrdersForSupport } from "../orders/support-sql.ts";
import { undoDeliveries } from "../orders/undo-delivery.ts";
import { mailVendorChanges } from "../orders/vendor-changes.ts";
import { type ActionKind, ActionPaused } from "../staff-actions/kinds.ts";
import type { ActionRow } from "../staff-actions/store.ts";
import { HeldCancel, HeldMessage } from "./hold.ts";
import { findSelectedBoxes } from "./selection-sql.ts";
import { findSteps, findTakenUnits, hasBegun, markStep, type Step } from "./steps-store.ts";

/** How long one run works on an action: less than its lease, so that no other server begins the same order. */
const PIECE_MS = 20 * Second.ms;
/** An order that failed for so long after its action was made is not tried again: it would hold back the end of all others. */
const TRIED_FOR_MS = 1 * Hour.ms;
/** Lines of the list of what could not be done. */
const LISTED_MAX = 20;

/**
 * Does each order of an action that is not done yet. One that is refused is marked with its reason and stops no other; one whose charge
 * runs, or that failed otherwise, is tried again after the others, for an hour. When its person may no longer do that, the orders that
 * wait are not done.
 * @throws ActionPaused when the time of one run is over; what an order failed with
 */
async function runSteps(ctx: Context, action: ActionRow, work: (step: Step) => Promise<void>): Promise<void> {
  const { db, clock, failpoint } = ctx.deps;
  const startedAt = clock.elapsed();
  const { name, grants } = requireStaff(ctx.actor);
  const isPermitted = can(grants, STAFF_ACTION_PERMISSION[action.kind as StaffActionKind], action.hub_id ?? "all");
  const isTooLate = ctx.now.getTime() - action.created_at.getTime() >= TRIED_FOR_MS;
  const fail = (orderId: number, problem: string) =>
    markStep(db, { actionId: action.id, orderIds: [orderId] }, "failed", { problem });
  let failure: { error: unknown } | null = null;
  for (const step of await findSteps(db, action.id)) {
    if (step.state !== "waiting" && step.state !== "begun") continue;
    if (!isPermitted && step.state === "waiting") {
      await fail(step.orderId, `${name} may no longer do that.`);
      continue;
    }
    if (ctx.signal?.aborted || clock.elapsed() - startedAt > PIECE_MS) throw new ActionPaused();
    try {
      await work(step);
    } catch (error) {
      const isRefused = error instanceof AppError && error.status < 500 && error.details.code !== "still_charging";
      if (isRefused) await fail(step.orderId, error.message);
      else if (isTooLate) await fail(step.orderId, "It failed for an hour, and is not tried again.");
      else failure ??= { error };
    }
    await failpoint("bulk:step");
  }
  if (failure) throw failure.error;
}

/** "2 of 500 were not cancelled:" with a line for each; null: all was done. */
async function problemOf({ deps }: Context, { id }: ActionRow, what: string): Promise<string | null> {
  const steps = await findSteps(deps.db, id);
  const failed = steps.filter(({ state }) => state === "failed");
  if (failed.length === 0) return null;
  const lines = failed.slice(0, LISTED_MAX).map(({ orderId, problem }) => `Order ${orderId}: ${problem}`);
  const more = failed.length - lines.length;
  const of = steps.length === 1 ? "The order was" : `${failed.length} of ${steps.length} orders were`;
  return [`${of} not ${what}.`, ...lines, ...(more > 0 ? [`And ${more} more.`] : [])].join("\n");
}

const isBegun: ActionKind["isBegun"] = ({ deps }, { id }) => hasBegun(deps.db, id);

/** Cancels its boxes, then emails each vendor once. */
export const bulkCancelKind: ActionKind = {
  isBegun,
  async run(ctx, action) {
    const { reason, refundTo } = HeldCancel.parse(action.input);
    const { db } = ctx.deps;
    await runSteps(ctx, action, async ({ orderId }) => {
      await cancelOrder(ctx, orderId, {
        to: refundTo,
        reason,
        key: `action ${action.id} order ${orderId}`,
        actionId: action.id,
        withoutVendorMails: true,
        complete: async (tx, cancelled) => {
          const step = { actionId: action.id, orderIds: [orderId] };
          const cancelledIds = cancelled.map(({ orderId: id }) => id);
          await markStep(tx, step, cancelledIds.length > 0 ? "done" : "unchanged", { cancelledIds });
        },
      });
    });
    await ctx.deps.failpoint("bulk:steps-done");
    const steps = await findSteps(db, action.id);
    const taken = await findTakenUnits(
      db,
      steps.flatMap(({ cancelledIds }) => cancelledIds),
    );
    await transaction(db, async (tx) => {
      for (const [deliveryId, units] of taken)
        await mailVendorChanges(tx, deliveryId, units, ctx.now, `action-${action.id}`);
    });
    return problemOf(ctx, action, "cancelled");
  },
};

/** The charges of a box that failed, as sentences; empty: it is paid. */
async function chargeBox(ctx: Context, orderIds: readonly number[]): Promise<void> {
  for (const orderId of orderIds) await chargeNow(ctx, orderId);
}

/**
 * Charges its boxes. A box whose charge was begun when the server was killed is not sent to the bank again: the charge's job ends it, and
 * its result is read.
 */
export const bulkChargeKind: ActionKind = {
  isBegun,
  async run(ctx, action) {
    const { db, failpoint } = ctx.deps;
    await runSteps(ctx, action, async ({ orderId, state }) => {
      const ids = (await findBoxOrders(db, [orderId]))
        .filter(({ status }) => status !== "cancelled")
        .map(({ id }) => id);
      const step = { actionId: action.id, orderIds: [orderId] };
      if (state === "begun") {
        const result = await resultOf(ctx, ids);
        await markStep(db, step, result === null ? "done" : "failed", { problem: result });
        return;
      }
      await markStep(db, step, "begun");
      await failpoint("bulk:charging");
      await chargeBox(ctx, ids);
      await failpoint("bulk:charged");
      await markStep(db, step, "done");
    });
    return problemOf(ctx, action, "charged");
  },
};

/** Why the orders of a box are not paid; null: they are. @throws AppError 409 `still_charging` */
async function resultOf({ deps }: Context, orderIds: readonly number[]): Promise<string | null> {
  const orders = await findOrdersForSupport(deps.db, orderIds);
  if (orders.some(({ is_charging: isCharging }) => isCharging))
    throw new AppError(409, "This order is being charged right now. Please try again in a minute.", {
      code: "still_charging",
    });
  const unpaid = orders.find(
    (order) => order.payment_state !== "captured" && order.order_total_cents > order.credit_cents,
  );
  return unpaid ? `Order ${unpaid.id} was not charged.` : null;
}

/** Emails the customers of its boxes, each once. */
export const bulkMessageKind: ActionKind = {
  isBegun,
  async run(ctx, action) {
    const { batch, subject, text } = HeldMessage.parse(action.input);
    const { db } = ctx.deps;
    const steps = await findSteps(db, action.id);
    const boxes = await findSelectedBoxes(
      db,
      steps.map(({ orderId }) => orderId),
    );
    const customerOf = new Map(boxes.map(({ id, customer_id: customerId }) => [id, customerId]));
    const written = new Set<number>();
    await runSteps(ctx, action, async ({ orderId }) => {
      if (written.has(orderId)) return;
      const customerId = customerOf.get(orderId) ?? null;
      if (customerId === null) throw noAddress();
      const own = boxes.filter(({ customer_id: id }) => id === customerId).map(({ id }) => id);
      await transaction(db, async (tx) => {
        if (!(await markStep(tx, { actionId: action.id, orderIds: own }, "done"))) return;
        await enqueueMail(tx, {
          key: `order-message:${batch}:${customerId}`,
          template: "order-message",
          customerId,
          data: { orderId, subject, text },
          now: ctx.now,
        });
        for (const id of own)
          await writeAuditEntry(tx, ctx, {
            action: "orders message",
            subject: `order:${id}`,
            reason: "",
            data: { subject, actionId: action.id },
          });
      });
      for (const id of own) written.add(id);
    });
    return problemOf(ctx, action, "emailed");
  },
};

const Delivered = z.object({ orderIds: z.array(z.number()) });

/** Boxes that were marked as delivered are not delivered after all. */
export const bulkDeliverKind: ActionKind = {
  async reverse(ctx, action, complete) {
    const { orderIds } = Delivered.parse(action.input);
    await undoDeliveries(ctx, orderIds, "Marked as delivered by mistake.", false, complete);
  },
};
