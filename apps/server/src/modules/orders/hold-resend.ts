import { transaction } from "@marketday/db";
import { z } from "zod";

import { AppError, notFound } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { copyMail } from "../mail/mail-sql.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { type ActionRow, findPending } from "../staff-actions/store.ts";
import { lockBoxesOf } from "./box-sql.ts";
import { findBoxOrders } from "./box-store.ts";
import { getStaffOrder } from "./find-staff-order.ts";
import { lockBox } from "./lock-box.ts";
import { findOrderMail } from "./order-mail-sql.ts";
import { findStaffOrder, type StaffOrder } from "./staff-order-store.ts";

const Held = z.object({ orderId: z.number(), mailId: z.number() });

/** 409: an order without anyone to email. */
export const noAddress = () =>
  new AppError(409, "The account of this order was deleted, so there is no address to send to.", {
    code: "no_customer",
  });

/** @throws AppError 404 for a mail of another order; 409 `no_customer`, `secret`, `not_sent` */
async function requireResendable(
  db: Parameters<typeof findOrderMail>[0],
  order: StaffOrder,
  orderIds: readonly number[],
  mailId: number,
) {
  // The mails to an account are deleted with it.
  if (order.customerId === null) throw noAddress();
  const mail = await findOrderMail(db, orderIds, mailId);
  if (!mail)
    throw new AppError(404, "This email is not about this order, or is no longer kept.", { code: "not_found" });
  if (mail.is_secret)
    throw new AppError(409, "This email has a code that only works once, so it can't be sent again.", {
      code: "secret",
    });
  if (!mail.sent_at)
    throw new AppError(409, "This email has not been sent yet. It is on its way.", { code: "not_sent" });
  return mail;
}

/**
 * Checks that a mail of an order's box can be sent again, and holds it: `runResend` sends it, unless it is undone before
 * (docs/product.md §18). One that is held already is the answer to a second request.
 * @returns the id of its action
 * @throws AppError 404, also for a mail of another order; 403; 409 `no_customer`, `secret`, `not_sent`
 */
export async function holdResend(ctx: Context, orderId: number, mailId: number): Promise<number> {
  const { db } = ctx.deps;
  return transaction(db, async (tx) => {
    await lockBox(tx, orderId, null);
    const order = await getStaffOrder(ctx, orderId, "orders.adjust", tx);
    const orderIds = (await findBoxOrders(tx, [orderId])).map(({ id }) => id);
    const mail = await requireResendable(tx, order, orderIds, mailId);
    const subject = `order:${mail.order_id}`;
    const held = await findPending(tx, "resend_mail", [subject], { orderId: mail.order_id, mailId });
    if (held) return held.id;
    return storeAction(tx, ctx, {
      hubId: order.hub.id,
      deliveryId: order.deliveryId,
      subject,
      input: { orderId: mail.order_id, mailId } satisfies z.infer<typeof Held>,
      summary: { kind: "resend_mail", orderId: mail.order_id, name: order.name, template: mail.template },
    });
  });
}

/**
 * Sends a held mail again: a copy to the customer's address of now, with the order as it is now. Its key is the action's, so twice is once.
 * @throws AppError as `holdResend`
 */
export async function runResend(ctx: Context, { id, input }: ActionRow): Promise<null> {
  const { orderId, mailId } = Held.parse(input);
  await transaction(ctx.deps.db, async (tx) => {
    await lockBoxesOf(tx, [orderId]);
    const order = await findStaffOrder(tx, orderId);
    if (!order) throw notFound();
    const mail = await requireResendable(tx, order, [orderId], mailId);
    if (!(await copyMail(tx, { mailId, key: `resend:${id}`, customerId: order.customerId!, now: ctx.now }))) return;
    await writeAuditEntry(tx, ctx, {
      action: "orders resend",
      subject: `order:${orderId}`,
      reason: "",
      data: { template: mail.template },
    });
  });
  return null;
}

/** Whether the copy of a held mail is written. */
export const isResendBegun = async ({ deps }: Context, { id }: ActionRow): Promise<boolean> =>
  (await deps.db.mail.count({ where: { key: `resend:${id}` } })) > 0;
