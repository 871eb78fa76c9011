import type { Subscription } from "@marketday/contracts/subscriptions";
import { cents, toDollars } from "@marketday/domain/money";
import { formatSize } from "@marketday/domain/size";

import type { OpenDay } from "../hubs/day-store.ts";
import { serializePicture, serializePictureOrNull } from "../pictures/store.ts";
import { amountOf } from "../products/size-store.ts";
import { isDueOn } from "./due.ts";
import type { SubscriptionRow } from "./store.ts";

/**
 * A spec §3 Subscription list entry. `deliveries`: the deliveries that take orders, the next one first. The cart is already filled
 * for the next one, so a line that is not in it comes with a later one. A pre-order is not filled in.
 */
export const serializeSubscription = (row: SubscriptionRow, deliveries: readonly OpenDay[]): Subscription => ({
  product: {
    id: row.product_id,
    slug: row.product_slug,
    title: row.product_title || "Title Missing",
    images: row.picture ? [serializePicture(row.picture)] : [],
    variant: {
      id: row.variant_id,
      title: row.variant_title,
      size: formatSize(row.product_title, row.variant_title, amountOf(row)),
      inventory: row.inventory,
      price: toDollars(cents(row.price_cents)),
      salePrice: row.sale_price_cents === null ? null : toDollars(cents(row.sale_price_cents)),
      preOrderDate: row.pre_order_date,
    },
  },
  vendor: { ...row.vendor, avatar: serializePictureOrNull(row.vendor.avatar) },
  quantity: row.quantity,
  subscription_interval: row.interval_weeks,
  pausedUntil: row.paused_until,
  nextDate:
    row.is_sold && row.pre_order_date === null
      ? (deliveries.find(({ day }, place) => isDueOn(day, row) && (place > 0 || row.in_cart))?.day ?? null)
      : null,
});
