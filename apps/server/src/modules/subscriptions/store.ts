import type { Client, Prisma } from "@marketday/db";
import { type CalendarDate, dateToUtc } from "@marketday/domain/calendar-date";

import type { CustomerId } from "../identity/context.ts";
import { shownPicture } from "../pictures/picture-row.ts";

/** A hub's offer of a variant; without a hub (no hub has id 0) there is none. */
const offerIn = (hubId: number | null) =>
  ({
    where: { hub_id: hubId ?? 0 },
    select: { is_published: true, inventory: true, price_cents: true, sale_price_cents: true },
  }) satisfies Prisma.variant$offersArgs;

const shownVendor = {
  id: true,
  slug: true,
  name: true,
  city: true,
  state: true,
  avatar: { select: shownPicture },
} satisfies Prisma.vendorSelect;

const shownSubscription = (hubId: number | null) =>
  ({
    quantity: true,
    interval_weeks: true,
    last_day: true,
    paused_until: true,
    variant: {
      select: {
        id: true,
        title: true,
        unit: true,
        measure: true,
        measure_amount: true,
        pre_order_date: true,
        offers: offerIn(hubId),
        product: {
          select: {
            id: true,
            slug: true,
            title: true,
            is_published: true,
            pictures: { where: { position: 0 }, select: { picture: { select: shownPicture } } },
            vendor: { select: { ...shownVendor, is_published: true } },
          },
        },
      },
    },
  }) satisfies Prisma.subscriptionSelect;

const shownSubscriber = (hubId: number | null) =>
  ({
    subscriptions: { select: shownSubscription(hubId), orderBy: { id: "asc" } },
    skips: { select: { delivery: { select: { day: true } } }, orderBy: { delivery: { day: "asc" } } },
    cart: { select: { items: { where: { bundle_id: null }, select: { variant_id: true } } } },
  }) satisfies Prisma.customerSelect;

/**
 * A customer's product subscriptions, oldest first, with the hub's current prices and stock; the deliveries they skip; and the lines
 * of their cart, which is filled for the open cycle: the shopper may have removed one (docs/product.md §9).
 */
export type SubscriberRow = Prisma.customerGetPayload<{ select: ReturnType<typeof shownSubscriber> }>;
export type SubscriptionRow = SubscriberRow["subscriptions"][number];

export const findSubscriber = (
  db: Client,
  customerId: CustomerId,
  hubId: number | null,
): Promise<SubscriberRow | null> =>
  db.customer.findUnique({ where: { id: customerId }, select: shownSubscriber(hubId) });

/** Whether a hub sells a variant at present. */
export const isSold = ({
  offers: [offer],
  product,
}: {
  offers: readonly { is_published: boolean }[];
  product: { is_published: boolean; vendor: { is_published: boolean } };
}): boolean => (offer?.is_published ?? false) && product.is_published && product.vendor.is_published;

/** A variant of this product and the hub's offer of it; null for an unknown variant. */
export const findOffer = (db: Client, hubId: number, productId: number, variantId: number) =>
  db.variant.findUnique({
    where: { id: variantId, product_id: productId },
    select: {
      pre_order_date: true,
      offers: offerIn(hubId),
      product: { select: { is_published: true, vendor: { select: { is_published: true } } } },
    },
  });

/**
 * Inserts a subscription, or updates quantity and interval. A new one counts as ordered for the last day for which the customer has
 * an open order with the item, so that it is not ordered twice. The cart must be locked: no order is placed meanwhile.
 */
export async function upsertSubscription(
  db: Client,
  s: { customerId: CustomerId; variantId: number; quantity: number; intervalWeeks: number; now: Date },
): Promise<void> {
  const key = { customer_id: s.customerId, variant_id: s.variantId };
  const wanted = { quantity: s.quantity, interval_weeks: s.intervalWeeks };
  const ordered = await db.order.findFirst({
    where: {
      customer_id: s.customerId,
      status: { in: ["open", "future"] },
      items: { some: { variant_id: s.variantId, quantity: { gt: 0 } } },
    },
    select: { delivery: { select: { day: true } } },
    orderBy: { delivery: { day: "desc" } },
  });
  await db.subscription.upsert({
    where: { customer_id_variant_id: key },
    create: { ...key, ...wanted, last_day: ordered?.delivery.day ?? null, created_at: s.now },
    update: wanted,
  });
}

export const deleteSubscription = (db: Client, customerId: CustomerId, variantId: number) =>
  db.subscription.deleteMany({ where: { customer_id: customerId, variant_id: variantId } });

/** Pauses or resumes (null) a subscription; false when there is none. */
export const setPause = async (
  db: Client,
  customerId: CustomerId,
  variantId: number,
  until: CalendarDate | null,
): Promise<boolean> =>
  (
    await db.subscription.updateMany({
      where: { customer_id: customerId, variant_id: variantId },
      data: { paused_until: until && dateToUtc(until) },
    })
  ).count === 1;

/** Skips a delivery, or undoes that. Idempotent. */
export async function setSkip(
  db: Client,
  customerId: CustomerId,
  deliveryId: number,
  skip: boolean,
  now: Date,
): Promise<void> {
  const key = { customer_id: customerId, delivery_id: deliveryId };
  if (skip) await db.subscription_skip.createMany({ data: { ...key, created_at: now }, skipDuplicates: true });
  else await db.subscription_skip.deleteMany({ where: key });
}

/** The hub's next customers after this id who have subscriptions, or subscribed lines in the cart, by id. */
export const findSubscribers = async (db: Client, hubId: number, after: number, limit: number): Promise<number[]> =>
  (
    await db.customer.findMany({
      where: {
        hub_id: hubId,
        deleted_at: null,
        id: { gt: after },
        OR: [
          { subscriptions: { some: {} } },
          { bundle_subscriptions: { some: {} } },
          { cart: { items: { some: { subscription_interval: { not: null } } } } },
        ],
      },
      select: { id: true },
      orderBy: { id: "asc" },
      take: limit,
    })
  ).map(({ id }) => id);

/** The customer's auto-checkout status and default tip. */
export const findSettings = (db: Client, customerId: CustomerId) =>
  db.customer.findUnique({ where: { id: customerId }, select: { auto_checkout_status: true, default_tip: true } });

export const setStatus = (db: Client, customerId: CustomerId, status: number) =>
  db.customer.updateMany({ where: { id: customerId }, data: { auto_checkout_status: status } });

export const setTip = (db: Client, customerId: CustomerId, percentage: number) =>
  db.customer.updateMany({ where: { id: customerId }, data: { default_tip: percentage } });
