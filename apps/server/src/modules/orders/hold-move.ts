import type { MovePlan } from "@marketday/contracts/admin/order-changes";
import { transaction, type Tx } from "@marketday/db";
import { dateFromUtc } from "@marketday/domain/calendar-date";
import { cents, toDollars } from "@marketday/domain/money";
import { z } from "zod";

import { AppError, notFound } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { findOpenDays, lockOpenDeliveries } from "../hubs/day-sql.ts";
import type { Context } from "../identity/context.ts";
import { tryVoidCharge } from "../payments/void-charge.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { type ActionRow, findPending } from "../staff-actions/store.ts";
import { boxConflict } from "./box-conflict.ts";
import { findBoxVersion } from "./box-version-sql.ts";
import { findBoxesOfDay } from "./day-box-store.ts";
import { getStaffOrder } from "./find-staff-order.ts";
import { lockBox } from "./lock-box.ts";
import { moveBoxes } from "./move-orders.ts";
import { findVendorUnits } from "./move-store.ts";
import { findStaffOrder } from "./staff-order-store.ts";

const Held = z.object({ orderId: z.number(), to: z.string(), reason: z.string() });

const closed = () =>
  new AppError(409, "Orders of this day are closed: cards are charged, and vendors have their lists.", {
    code: "orders_closed",
  });

/**
 * Moves one box to a later delivery day of its hub, as closing its day does (`moveBoxes`), in the caller's transaction.
 * @throws AppError 404 for a day that takes no orders, with the next ones; 409 `orders_closed`, `cancelled`
 */
async function moveBox(ctx: Context, tx: Tx, orderId: number, { to, reason }: { to: string; reason: string }) {
  const order = await findStaffOrder(tx, orderId);
  if (!order) throw notFound();
  const open = await findOpenDays(tx, order.hub.id, ctx.now);
  const target = open.find(({ day }) => day === to);
  const { day } = await tx.delivery.findUniqueOrThrow({ where: { id: order.deliveryId }, select: { day: true } });
  const from = { id: order.deliveryId, day: dateFromUtc(day) };
  if (!target || target.day <= from.day) {
    const near = open.filter((each) => each.day > from.day).slice(0, 3);
    const days = near.map((each) => each.day);
    throw new AppError(
      404,
      `${order.hub.name} takes no orders for ${to} after ${from.day}. ${days.length > 0 ? `It does for ${days.join(", ")}.` : "No later day takes orders."}`,
      { code: "no_such_day", near: days, field: "to" },
    );
  }
  if (!(await lockOpenDeliveries(tx, [from.id, target.id]))) throw closed();
  const box = await lockBox(tx, orderId, null);
  const dayBox = (await findBoxesOfDay(tx, from.id)).find(({ orderId: id }) => id === box?.id);
  if (!box || box.orders.length === 0 || !dayBox)
    throw new AppError(409, "This order is cancelled.", { code: "cancelled" });
  if (box.orders.some(({ status }) => status !== "open" && status !== "future")) throw closed();
  const [moved] = await moveBoxes(ctx, tx, [dayBox], {
    from,
    to: { id: target.id, day: target.day, cutoff: target.cutoff_at },
    status: target.id === open[0]?.id ? "open" : "future",
    reason,
    isSingle: true,
  });
  return { moved: moved!, bring: await findVendorUnits(tx, dayBox.orderIds, order.hub.id) };
}

/** What moving a box to another day would do; nothing is changed. @throws AppError 404; 403; as `moveBox` */
export async function planMove(ctx: Context, orderId: number, to: string): Promise<MovePlan> {
  const order = await getStaffOrder(ctx, orderId, "orders.adjust");
  const { moved, bring } = await withClientDryRun(ctx.deps.db, true, (tx) =>
    moveBox(ctx, tx, orderId, { to, reason: "" }),
  );
  return {
    joins: moved.joins,
    beside: moved.beside,
    feeOff: toDollars(cents(moved.creditCents + moved.uncollectedCents + moved.unchargedCents)),
    needsCard: moved.needsCard,
    isSkipped: moved.isSkipped,
    unsold: bring.flatMap(({ unsold }) => unsold),
    mails: order.customerId === null ? 0 : 1,
  };
}

/**
 * Checks the move of a box to another day, and holds it: `runMove` does it, unless it is undone before (docs/product.md §18). One that is
 * held already is the answer to a second request for the same day.
 * @returns the id of its action
 * @throws AppError 404; 403; 409 `conflict` with the box as `current`, `move_held`; as `moveBox`
 */
export async function holdMove(
  ctx: Context,
  orderId: number,
  { to, reason, expectedVersion }: { to: string; reason: string; expectedVersion: string },
): Promise<number> {
  const { db } = ctx.deps;
  const order = await getStaffOrder(ctx, orderId, "orders.adjust");
  const subject = `order:${order.boxId}`;
  const findHeld = async (conn: Parameters<typeof findPending>[0]): Promise<number | null> => {
    const held = await findPending(conn, "move_order", [subject]);
    if (!held) return null;
    if (Held.parse(held.input).to === to) return held.id;
    throw new AppError(409, "This order is about to move to another day. Undo that first.", { code: "move_held" });
  };
  const before = await findHeld(db);
  if (before !== null) return before;
  if ((await findBoxVersion(db, order.boxId)) !== expectedVersion) throw await boxConflict(ctx, orderId);
  await withClientDryRun(db, true, (tx) => moveBox(ctx, tx, orderId, { to, reason }));
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
      subject,
      input: { orderId: order.boxId, to, reason },
      summary: { kind: "move_order", orderId: order.boxId, name, to },
    });
  });
  if (actionId === null) throw await boxConflict(ctx, orderId);
  return actionId;
}

/** Whether a held move is done: the box is on its new day, maybe as an add-on of another one. */
export async function isMoveBegun({ deps }: Context, { input }: ActionRow): Promise<boolean> {
  const { orderId, to } = Held.parse(input);
  const order = await deps.db.order.findUnique({
    where: { id: orderId },
    select: { delivery: { select: { day: true } } },
  });
  return order !== null && dateFromUtc(order.delivery.day) === to;
}

/** Does a held move. Twice is once. @throws AppError as `moveBox` */
export async function runMove(ctx: Context, action: ActionRow): Promise<null> {
  const { orderId, to, reason } = Held.parse(action.input);
  if (await isMoveBegun(ctx, action)) return null;
  const { moved } = await transaction(ctx.deps.db, (tx) => moveBox(ctx, tx, orderId, { to, reason }));
  for (const paymentId of moved.voids) await tryVoidCharge(ctx, paymentId);
  return null;
}
