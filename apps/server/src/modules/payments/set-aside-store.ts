import type { Client, Db } from "@marketday/db";
import { dateFromUtc } from "@marketday/domain/calendar-date";

/** A closed order that could not be charged. Cents. */
export interface SetAside {
  id: number;
  status: string;
  hub: string;
  day: string;
  due_cents: number;
  since: Date;
  tries: number;
  next_at: Date | null;
  reason: string;
}

/** Every set-aside order, or those of one delivery day, in id order. */
export async function findSetAside(db: Db, deliveryId: number | null): Promise<SetAside[]> {
  const orders = await db.order.findMany({
    where: { charge_failed_at: { not: null }, ...(deliveryId !== null && { delivery_id: deliveryId }) },
    select: {
      id: true,
      status: true,
      order_total_cents: true,
      credit_cents: true,
      charge_failed_at: true,
      charge_tries: true,
      charge_next_at: true,
      charge_error: true,
      hub: { select: { slug: true } },
      delivery: { select: { day: true } },
    },
    orderBy: { id: "asc" },
  });
  return orders.map((order) => ({
    id: order.id,
    status: order.status,
    hub: order.hub.slug,
    day: dateFromUtc(order.delivery.day),
    due_cents: order.order_total_cents - order.credit_cents,
    since: order.charge_failed_at!,
    tries: order.charge_tries,
    next_at: order.charge_next_at,
    reason: order.charge_error ?? "",
  }));
}

/** The set-aside ones among an order and its add-ons whose money the provider may hold or have taken. */
export async function findUnclear(db: Db, orderId: number, provider: string): Promise<number[]> {
  const orders = await db.order.findMany({
    where: {
      OR: [{ id: orderId }, { add_on_to_id: orderId }],
      charge_failed_at: { not: null },
      payment: { state: { in: ["created", "authorized"] }, provider },
    },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  return orders.map(({ id }) => id);
}

const FAILED_MAILS = ["payment-failed", "payment-unconfirmed"] as const;
/** The mail that an order could not be charged. */
export type FailedMail = (typeof FAILED_MAILS)[number];
/** Its key; also in `isMailed`. */
export const failedMailKey = (mail: FailedMail, orderId: number): string => `${mail}:${orderId}`;

/** Those of these orders of which the shopper was mailed that they could not be charged. */
export async function findMailed(tx: Client, orderIds: readonly number[]): Promise<number[]> {
  const keysOf = (orderId: number) => FAILED_MAILS.map((mail) => failedMailKey(mail, orderId));
  const mails = await tx.mail.findMany({ where: { key: { in: orderIds.flatMap(keysOf) } }, select: { key: true } });
  const keys = new Set(mails.map(({ key }) => key));
  return orderIds.filter((orderId) => keysOf(orderId).some((key) => keys.has(key)));
}
