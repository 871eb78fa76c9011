import type { RefundPlan } from "@marketday/contracts/admin/order-changes";
import { transaction } from "@marketday/db";
import { cents, toDollars } from "@marketday/domain/money";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { findVendorBySlug } from "../ledger/store.ts";
import { fetchMovedMoneyOfBox } from "../payments/fetch-moved-money.ts";
import { findRefundByKey } from "../payments/refund-store.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { type ActionRow, findPending } from "../staff-actions/store.ts";
import { boxConflict } from "./box-conflict.ts";
import { findBoxVersion } from "./box-version-sql.ts";
import { getStaffOrder } from "./find-staff-order.ts";
import { requireGive } from "./give-limit.ts";
import { lockBox } from "./lock-box.ts";
import { planLedger } from "./plan-ledger.ts";
import { refundOrder } from "./refund-order.ts";

const Held = z.object({
  orderId: z.number(),
  amountCents: z.number(),
  to: z.enum(["card", "credit"]),
  /** Slug of the vendor who bears it; null: the market. */
  bearer: z.string().nullable(),
  reason: z.string(),
});

/** A refund of a part of an order. */
export type RefundRequest = Omit<z.infer<typeof Held>, "orderId">;

const dryRunOf = (ctx: Context, orderId: number, { amountCents, to, bearer, reason }: RefundRequest) =>
  refundOrder(ctx, orderId, {
    amountCents,
    to,
    reason,
    key: null,
    dryRun: true,
    ...(bearer !== null && { bearer }),
  });

/**
 * What refunding a part of an order would do: nothing is written (docs/product.md §18).
 * @throws AppError 404; 403, `over_limit`; what `refundOrder` refuses
 */
export async function planRefund(ctx: Context, orderId: number, request: RefundRequest): Promise<RefundPlan> {
  const order = await getStaffOrder(ctx, orderId, "orders.refund");
  const { entries } = await dryRunOf(ctx, orderId, request);
  return {
    amount: toDollars(cents(request.amountCents)),
    to: request.to,
    ledger: await planLedger(ctx.deps.db, entries),
    mails: order.customerId === null ? 0 : 1,
  };
}

/** The refund of an order that is held or being done. */
const findHeld = (db: Parameters<typeof findPending>[0], orderId: number) =>
  findPending(db, "refund_order", [`order:${orderId}`]);

/** Whether a held refund is this one. */
const isSame = (held: ActionRow, { amountCents, to, bearer }: RefundRequest): boolean => {
  const input = Held.parse(held.input);
  return input.amountCents === amountCents && input.to === to && input.bearer === bearer;
};

/** The held refund, when it is this one. @throws AppError 409 `refund_held` when it is another one */
function sameOf(held: ActionRow, request: RefundRequest): number {
  if (isSame(held, request)) return held.id;
  throw new AppError(
    409,
    "Another refund of this order is about to be sent. Wait until it is, or undo it, then refund again.",
    { code: "refund_held" },
  );
}

/**
 * Checks the refund of a part of an order as `market orders refund` does, and holds it: `runRefund` does it, unless it is undone before
 * (docs/product.md §18). The same refund that is held already is the answer to a second request, also of another person.
 * @returns the id of its action
 * @throws AppError 404; 403, `over_limit` with the limit, `step_up_required`; 409 `conflict` with the box as `current`, `refund_held`;
 * what `refundOrder` refuses
 */
export async function holdRefund(
  ctx: Context,
  orderId: number,
  { expectedVersion, ...request }: RefundRequest & { expectedVersion: string },
): Promise<number> {
  const { db } = ctx.deps;
  const order = await getStaffOrder(ctx, orderId, "orders.refund");
  requireGive(ctx, requireStaff(ctx.actor), {
    permission: "orders.refund",
    hubId: order.hub.id,
    amountCents: request.amountCents,
  });
  const before = await findHeld(db, orderId);
  if (before) return sameOf(before, request);
  await fetchMovedMoneyOfBox(ctx, orderId);
  if ((await findBoxVersion(db, order.boxId)) !== expectedVersion) throw await boxConflict(ctx, orderId);
  await dryRunOf(ctx, orderId, request);
  const bearer = request.bearer === null ? null : await findVendorBySlug(db, request.bearer);
  const actionId = await transaction(db, async (tx) => {
    const box = await lockBox(tx, orderId, null);
    const held = await findHeld(tx, orderId);
    if (held) return sameOf(held, request);
    if (box?.id !== order.boxId || (await findBoxVersion(tx, box.id)) !== expectedVersion) return null;
    // Read under the lock: a deletion of the account may have waited before it.
    const { name } = await getStaffOrder(ctx, orderId, "orders.refund", tx);
    return storeAction(tx, ctx, {
      hubId: order.hub.id,
      deliveryId: order.deliveryId,
      subject: `order:${orderId}`,
      input: { orderId, ...request },
      summary: {
        kind: "refund_order",
        orderId,
        name,
        amount: toDollars(cents(request.amountCents)),
        to: request.to,
        bearer: bearer?.name ?? null,
      },
    });
  });
  if (actionId === null) throw await boxConflict(ctx, orderId);
  return actionId;
}

/** The key of a held refund: twice is once. */
const keyOf = (id: number): string => `action ${id}`;

/** Does a held refund. @returns why the card did not take it. @throws AppError as `refundOrder` */
export async function runRefund(ctx: Context, { id, input }: ActionRow): Promise<string | null> {
  const { orderId, amountCents, to, bearer, reason } = Held.parse(input);
  const { state } = await refundOrder(ctx, orderId, {
    amountCents,
    to,
    reason,
    key: keyOf(id),
    actionId: id,
    ...(bearer !== null && { bearer }),
  });
  return state === "failed" ? "The card did not take the refund. It is listed with the refunds that failed." : null;
}

/** Whether a held refund is written. */
export const isRefundBegun = async ({ deps }: Context, { id }: ActionRow): Promise<boolean> =>
  (await findRefundByKey(deps.db, keyOf(id))) !== null;
