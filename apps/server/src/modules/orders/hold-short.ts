import type { ShortPlan } from "@marketday/contracts/admin/order-changes";
import { transaction } from "@marketday/db";
import { cents, toDollars } from "@marketday/domain/money";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import type { Context } from "../identity/context.ts";
import { fetchCharges } from "../payments/charge-order.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { type ActionRow, findPending } from "../staff-actions/store.ts";
import { boxConflict } from "./box-conflict.ts";
import { findBoxVersion } from "./box-version-sql.ts";
import { getStaffOrder } from "./find-staff-order.ts";
import { lockBox } from "./lock-box.ts";
import { planLedger } from "./plan-ledger.ts";
import { recordShort, shortOrder } from "./short-order.ts";
import { mailVendorChanges } from "./vendor-changes.ts";

const Held = z.object({
  orderId: z.number(),
  variantId: z.number(),
  /** How many came, of how many that are ordered. */
  came: z.number(),
  of: z.number(),
  to: z.enum(["card", "credit"]),
  bearer: z.enum(["vendor", "market"]),
  reason: z.string(),
});
/** A line of an order that came short. */
export type ShortLineRequest = Omit<z.infer<typeof Held>, "orderId">;

/** @throws AppError 422 `not_short` when as many came as are ordered */
function missingOf({ variantId, came, of }: ShortLineRequest) {
  if (came >= of)
    throw new AppError(422, `Enter a number below ${of}: as many as that came.`, { code: "not_short", field: "came" });
  return [{ variantId, quantity: of - came, of }];
}

/** What `recordShort` would record, with the mails to vendors. */
const dryRunOf = (ctx: Context, orderId: number, request: ShortLineRequest) =>
  withClientDryRun(ctx.deps.db, true, async (tx) => {
    const recorded = await recordShort(ctx, tx, [orderId], missingOf(request), request);
    const vendors =
      recorded.deliveryId === null ? [] : await mailVendorChanges(tx, recorded.deliveryId, recorded.items, ctx.now);
    return { ...recorded, vendorMails: vendors.length };
  });

/** What goes back in all. */
const backOf = ({ to }: ShortLineRequest, { backCents, creditCents }: { backCents: number; creditCents: number }) =>
  toDollars(cents(to === "card" ? backCents + creditCents : creditCents));

/** @throws AppError 409 `same_count` when there is nothing to record */
async function plannedOf(ctx: Context, orderId: number, request: ShortLineRequest) {
  const plan = await dryRunOf(ctx, orderId, request);
  const [item] = plan.items;
  if (!item) throw new AppError(409, "This order already has this count.", { code: "same_count" });
  return { ...plan, item };
}

/** What recording a short line of an order would do; nothing is written. @throws AppError 404; 403; as `recordShort` */
export async function planShortLine(ctx: Context, orderId: number, request: ShortLineRequest): Promise<ShortPlan> {
  const order = await getStaffOrder(ctx, orderId, "orders.adjust");
  const plan = await plannedOf(ctx, orderId, request);
  return {
    title: plan.item.title,
    units: plan.item.quantity,
    back: backOf(request, plan),
    uncharged: toDollars(cents(plan.unchargedCents)),
    uncollected: toDollars(cents(plan.uncollectedCents)),
    ledger: await planLedger(ctx.deps.db, plan.entries),
    mails: (order.customerId === null ? 0 : 1) + plan.vendorMails,
  };
}

const inputOf = (orderId: number, { variantId, came, of, to, bearer, reason }: ShortLineRequest) => ({
  orderId,
  variantId,
  came,
  of,
  to,
  bearer,
  reason,
});

/**
 * Checks a short line of an order as `market orders short` does, and holds it: `runShortLine` records it, unless it is undone before
 * (docs/product.md §18). One of the same line that is held already is the answer to a second request with the same count.
 * @returns the id of its action
 * @throws AppError 404; 403; 409 `conflict` with the box as `current`, `short_held`, `same_count`; 422 `not_short`; as `recordShort`
 */
export async function holdShortLine(
  ctx: Context,
  orderId: number,
  { expectedVersion, ...request }: ShortLineRequest & { expectedVersion: string },
): Promise<number> {
  const { db } = ctx.deps;
  const order = await getStaffOrder(ctx, orderId, "orders.adjust");
  await fetchCharges(ctx, orderId);
  const findHeld = async (conn: Parameters<typeof findPending>[0]): Promise<number | null> => {
    const held = await findPending(conn, "short_order", [`order:${orderId}`]);
    if (!held) return null;
    const { variantId, came, of } = Held.parse(held.input);
    if (variantId === request.variantId && came === request.came && of === request.of) return held.id;
    throw new AppError(409, "A short of this order is about to be recorded. Wait until it is, or undo it.", {
      code: "short_held",
    });
  };
  const before = await findHeld(db);
  if (before !== null) return before;
  if ((await findBoxVersion(db, order.boxId)) !== expectedVersion) throw await boxConflict(ctx, orderId);
  const plan = await plannedOf(ctx, orderId, request);
  const actionId = await transaction(db, async (tx) => {
    const box = await lockBox(tx, orderId, null);
    const held = await findHeld(tx);
    if (held !== null) return held;
    if (box?.id !== order.boxId || (await findBoxVersion(tx, box.id)) !== expectedVersion) return null;
    // Read under the lock: a deletion of the account may have waited before it.
    const { name } = await getStaffOrder(ctx, orderId, "orders.adjust", tx);
    return storeAction(tx, ctx, {
      hubId: order.hub.id,
      deliveryId: order.deliveryId,
      subject: `order:${orderId}`,
      input: inputOf(orderId, request),
      summary: {
        kind: "short_order",
        orderId,
        name,
        title: plan.item.title,
        units: plan.item.quantity,
        back: backOf(request, plan),
        mails: (order.customerId === null ? 0 : 1) + plan.vendorMails,
      },
    });
  });
  if (actionId === null) throw await boxConflict(ctx, orderId);
  return actionId;
}

/** Records a held short line. Twice is once: it names how many were ordered. @throws AppError as `shortOrder` */
export async function runShortLine(ctx: Context, { id, input }: ActionRow): Promise<null> {
  const { orderId, ...request } = Held.parse(input);
  const { to, bearer, reason } = request;
  await shortOrder(ctx, orderId, missingOf(request), { to, bearer, reason, actionId: id });
  return null;
}

/** Whether a held short line is recorded. */
export const isShortLineBegun = async ({ deps }: Context, { id, subject }: ActionRow): Promise<boolean> =>
  (await deps.db.audit_entry.count({
    where: { subject, action: "orders short", data: { path: ["actionId"], equals: id } },
  })) > 0;
