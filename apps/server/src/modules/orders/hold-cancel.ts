import type { CancelPlan } from "@marketday/contracts/admin/orders";
import { transaction, type Tx } from "@marketday/db";
import { cents, type Cents, toDollars } from "@marketday/domain/money";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { fetchCharges } from "../payments/charge-order.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { findPending, type ActionRow } from "../staff-actions/store.ts";
import { findBoxVersion } from "./box-version-sql.ts";
import { type Cancelled, cancelOrder } from "./cancel-order.ts";
import { getStaffOrder } from "./find-staff-order.ts";
import { requireGive } from "./give-limit.ts";
import { lockBox } from "./lock-box.ts";
import { readOrderBox } from "./read-order-box.ts";

const Held = z.object({ orderId: z.number(), reason: z.string(), refundTo: z.enum(["card", "credit"]) });

interface CancelRequest {
  reason: string;
  refundTo: "card" | "credit";
  /** The version of the box that the person sees. */
  expectedVersion: string;
}

/** What goes back in all. */
const backOf = ({ to, backCents, creditCents }: Cancelled): Cents =>
  cents(creditCents + (to === "card" ? backCents : 0));

const dryRunOf = (ctx: Context, orderId: number, refundTo: "card" | "credit"): Promise<Cancelled> =>
  cancelOrder(ctx, orderId, { to: refundTo, reason: "", key: null, dryRun: true });

/** What canceling an order would do (docs/product.md §18). @throws AppError 404; 403; what `cancelOrder` refuses */
export async function planCancel(ctx: Context, orderId: number, refundTo: "card" | "credit"): Promise<CancelPlan> {
  await getStaffOrder(ctx, orderId, "orders.cancel");
  const { orderIds, mails, ...money } = await dryRunOf(ctx, orderId, refundTo);
  return {
    orderIds,
    back: toDollars(cents(money.backCents)),
    credit: toDollars(cents(money.creditCents)),
    uncharged: toDollars(cents(money.unchargedCents)),
    uncollected: toDollars(cents(money.uncollectedCents)),
    bank: toDollars(cents(money.bankCents)),
    earlier: toDollars(cents(money.earlierCents)),
    mails,
  };
}

const alreadyCancelled = () => new AppError(409, "This order is cancelled.", { code: "cancelled" });
/** 409 with the box as it is now, after the transaction that found it changed. */
const changedSince = async (ctx: Context, orderId: number) =>
  new AppError(409, "This order was changed in the meantime. Nothing was done. Look at it again, then cancel it.", {
    code: "conflict",
    current: await readOrderBox(ctx.deps.db, requireStaff(ctx.actor), orderId),
  });

/** The cancellation of this order, or of its box, that is held or being done. */
const findHeld = (db: Tx | Context["deps"]["db"], orderId: number, boxId: number) =>
  findPending(db, "cancel_order", [`order:${orderId}`, `order:${boxId}`]);

/**
 * Checks the cancellation of an order as `market orders cancel` does, and holds it: `runCancel` does it, unless it is undone before
 * (docs/product.md §18). One that is held already is the answer to a second request, also of another person.
 * @returns the id of its action
 * @throws AppError 404; 403, of what goes back also `over_limit` and `step_up_required`; 409 `conflict` with the box as `current` when it is not as the person sees it, `cancelled`; what `cancelOrder` refuses
 */
export async function holdCancel(
  ctx: Context,
  orderId: number,
  { reason, refundTo, expectedVersion }: CancelRequest,
): Promise<number> {
  const { db } = ctx.deps;
  const order = await getStaffOrder(ctx, orderId, "orders.cancel");
  const before = await findHeld(db, orderId, order.boxId);
  if (before) return before.id;
  // A charge whose result was lost changes what goes back, and with it the version.
  await fetchCharges(ctx, orderId);
  if ((await findBoxVersion(db, order.boxId)) !== expectedVersion) throw await changedSince(ctx, orderId);
  const plan = await dryRunOf(ctx, orderId, refundTo);
  if (plan.orderIds.length === 0) throw alreadyCancelled();
  requireGive(ctx, requireStaff(ctx.actor), {
    permission: "orders.cancel",
    hubId: order.hub.id,
    amountCents: backOf(plan),
  });
  const actionId = await transaction(db, async (tx) => {
    const box = await lockBox(tx, orderId, null);
    const held = await findHeld(tx, orderId, order.boxId);
    if (held) return held.id;
    if (box?.id !== order.boxId || (await findBoxVersion(tx, box.id)) !== expectedVersion) return null;
    // Read under the lock: a deletion of the account may have waited before it.
    const { name } = await getStaffOrder(ctx, orderId, "orders.cancel", tx);
    return storeAction(tx, ctx, {
      hubId: order.hub.id,
      deliveryId: order.deliveryId,
      subject: `order:${orderId}`,
      input: { orderId, reason, refundTo } satisfies z.infer<typeof Held>,
      summary: { kind: "cancel_order", orderId, name, back: toDollars(backOf(plan)), mails: plan.mails },
    });
  });
  if (actionId === null) throw await changedSince(ctx, orderId);
  return actionId;
}

/** Does a held cancellation. The key of its refund is the action's, so twice is once. @throws AppError as `cancelOrder` */
export async function runCancel(ctx: Context, { id, input }: ActionRow): Promise<null> {
  const { orderId, reason, refundTo } = Held.parse(input);
  await cancelOrder(ctx, orderId, { to: refundTo, reason, key: `action ${id}` });
  return null;
}

/** Whether the order of a held cancellation is cancelled; what is left are calls of the provider. */
export async function isCancelBegun({ deps }: Context, { input }: ActionRow): Promise<boolean> {
  const { orderId } = Held.parse(input);
  return (await deps.db.order.findUnique({ where: { id: orderId }, select: { status: true } }))?.status === "cancelled";
}
