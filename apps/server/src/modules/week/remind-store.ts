import type { Client, Db } from "@marketday/db";
import { dateFromUtc } from "@marketday/domain/calendar-date";

import { findOpenDays } from "../hubs/day-sql.ts";
import type { TitledLine } from "../products/size-sql.ts";

/** The next customers of a hub after this id who want messages, by id. */
export const findReaders = async (db: Client, hubId: number, after: number, limit: number): Promise<number[]> =>
  (
    await db.customer.findMany({
      where: {
        hub_id: hubId,
        id: { gt: after },
        deleted_at: null,
        email: { not: null },
        subscribed_all_messages: true,
      },
      select: { id: true },
      orderBy: { id: "asc" },
      take: limit,
    })
  ).map(({ id }) => id);

/** The current data of a reminder. */
export interface ReminderAbout {
  first_name: string;
  market: string;
  time_zone: string;
  hub_id: number;
  /** `YYYY-MM-DD` */
  day: string;
  cutoff_at: Date;
  auto_checkout_at: Date;
  /** Whether the customer still has auto-checkout; customers who changed it since are not reminded. */
  is_automatic: boolean;
  is_ordered: boolean;
  /** Whether orders of the delivery have been closed, on time or early, or its date is. */
  is_closed: boolean;
}

/** Null when the recipient moved to another market or deleted the account, or the market is not published. */
export async function findAbout(db: Db, deliveryId: number, customerId: number): Promise<ReminderAbout | null> {
  const customer = await db.customer.findFirst({
    where: { id: customerId, deleted_at: null, hub: { is_published: true } },
    select: {
      first_name: true,
      auto_checkout_status: true,
      orders: { where: { delivery_id: deliveryId, status: { not: "cancelled" } }, select: { id: true }, take: 1 },
      hub: {
        select: {
          id: true,
          name: true,
          time_zone: true,
          closures: { select: { day: true } },
          deliveries: {
            where: { id: deliveryId },
            select: {
              day: true,
              cutoff_at: true,
              auto_checkout_at: true,
              snapshots: { select: { id: true }, take: 1 },
            },
          },
        },
      },
    },
  });
  const hub = customer?.hub;
  const delivery = hub?.deliveries[0];
  if (!customer || !hub || !delivery) return null;
  const day = dateFromUtc(delivery.day);
  return {
    first_name: customer.first_name,
    market: hub.name,
    time_zone: hub.time_zone,
    hub_id: hub.id,
    day,
    cutoff_at: delivery.cutoff_at,
    auto_checkout_at: delivery.auto_checkout_at,
    is_automatic: customer.auto_checkout_status > 0,
    is_ordered: customer.orders.length > 0,
    is_closed: delivery.snapshots.length > 0 || hub.closures.some((closed) => dateFromUtc(closed.day) === day),
  };
}

/** A restored item as it is now. */
export interface BackInStock extends TitledLine {
  vendor: string;
  product_id: number;
  inventory: number;
  market: string;
  /** Of the next delivery; null without one. */
  cutoff_at: Date | null;
  time_zone: string;
}

/** Null when the hub of the recipient no longer sells it. */
export async function findBack(db: Db, variantId: number, customerId: number, now: Date): Promise<BackInStock | null> {
  const offer = await db.offer.findFirst({
    where: {
      variant_id: variantId,
      is_published: true,
      variant: { product: { is_published: true, vendor: { is_published: true } } },
      hub: { customers: { some: { id: customerId } } },
    },
    select: {
      inventory: true,
      hub: { select: { id: true, name: true, time_zone: true } },
      variant: {
        select: {
          title: true,
          unit: true,
          measure: true,
          measure_amount: true,
          product: { select: { id: true, title: true, vendor: { select: { name: true } } } },
        },
      },
    },
  });
  if (!offer) return null;
  const { inventory, hub, variant } = offer;
  const { title, product, ...size } = variant;
  const [next] = await findOpenDays(db, hub.id, now);
  return {
    ...size,
    product_title: product.title,
    variant_title: title,
    vendor: product.vendor.name,
    product_id: product.id,
    inventory,
    market: hub.name,
    cutoff_at: next?.cutoff_at ?? null,
    time_zone: hub.time_zone,
  };
}
