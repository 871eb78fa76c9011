import type { Subscription } from "@marketday/contracts/subscriptions";
import { dateFromUtc } from "@marketday/domain/calendar-date";
import { cents, toDollars } from "@marketday/domain/money";
import { formatSize } from "@marketday/domain/size";

import type { OpenDay } from "../hubs/day-sql.ts";
import { serializePicture, serializePictureOrNull } from "../pictures/picture-row.ts";
import { amountOf } from "../products/size-sql.ts";
import { isDueOn, type StoredSchedule } from "./due.ts";
import { isSold, type SubscriberRow, type SubscriptionRow } from "./store.ts";

const dateOrNull = (date: Date | null) => date && dateFromUtc(date);

/**
 * The first of these deliveries that a subscription comes with, the next one first: the cart is already filled for it, and the shopper may
 * have removed the line.
 */
export const nextDate = (
  schedule: StoredSchedule,
  isInCart: boolean,
  deliveries: readonly Pick<OpenDay, "day">[],
): string | null => deliveries.find(({ day }, place) => isDueOn(day, schedule) && (place > 0 || isInCart))?.day ?? null;

function nextDateOf(row: SubscriptionRow, subscriber: SubscriberRow, deliveries: readonly OpenDay[]): string | null {
  const { variant } = row;
  // A pre-order is not filled in.
  if (!isSold(variant) || variant.pre_order_date !== null) return null;
  const isInCart = subscriber.cart?.items.some((item) => item.variant_id === variant.id) ?? false;
  const schedule = {
    interval_weeks: row.interval_weeks,
    last_day: dateOrNull(row.last_day),
    paused_until: dateOrNull(row.paused_until),
    skips: subscriber.skips.map(({ delivery }) => dateFromUtc(delivery.day)),
  };
  return nextDate(schedule, isInCart, deliveries);
}

/** A spec §3 Subscription list entry. `deliveries`: the deliveries that take orders, the next one first. */
export function serializeSubscription(
  row: SubscriptionRow,
  subscriber: SubscriberRow,
  deliveries: readonly OpenDay[],
): Subscription {
  const { variant } = row;
  const { product } = variant;
  const { is_published: _, ...vendor } = product.vendor;
  const [offer] = variant.offers;
  return {
    product: {
      id: product.id,
      slug: product.slug,
      title: product.title || "Title Missing",
      images: product.pictures.map(({ picture }) => serializePicture(picture)),
      variant: {
        id: variant.id,
        title: variant.title,
        size: formatSize(product.title, variant.title, amountOf(variant)),
        inventory: offer?.inventory ?? 0,
        price: toDollars(cents(offer?.price_cents ?? 0)),
        salePrice: offer?.sale_price_cents == null ? null : toDollars(cents(offer.sale_price_cents)),
        preOrderDate: dateOrNull(variant.pre_order_date),
      },
    },
    vendor: { ...vendor, avatar: serializePictureOrNull(vendor.avatar) },
    quantity: row.quantity,
    subscription_interval: row.interval_weeks,
    pausedUntil: dateOrNull(row.paused_until),
    nextDate: nextDateOf(row, subscriber, deliveries),
  };
}
