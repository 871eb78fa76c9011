import { z } from "zod";

import { Fulfillment } from "./account.ts";
import { CartItem } from "./cart.ts";
import { BodyId, CalendarDate, Id, Instant, Money, PageQuery, Picture } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { Product, VendorRef } from "./products.ts";

/** spec §3 Subscription list entry with docs/product.md §9. `nextDate`: the next delivery it comes with, null while nothing is planned, and where it is not sold. */
export const Subscription = z
  .object({
    product: CartItem.shape.product,
    vendor: VendorRef,
    quantity: z.number().int(),
    subscription_interval: z.number().int(),
    pausedUntil: CalendarDate.nullable(),
    nextDate: CalendarDate.nullable(),
  })
  .meta({ id: "Subscription" });
export type Subscription = z.infer<typeof Subscription>;

const List = z.array(Subscription);
const variant = { productId: BodyId, variantId: BodyId };

/** spec §7.5. */
export const listSubscriptions = endpoint({
  method: "GET",
  url: "/subscriptions",
  schema: { response: { 200: List } },
});

/** spec §7.5: subscribes, or changes quantity and interval. A pre-order: 422 `pre_order`; not sold here: 422 `not_sold`; due now and no room in the cart: 422 `cart_full`. */
export const subscribe = endpoint({
  method: "POST",
  url: "/subscriptions",
  schema: {
    body: z.object({
      ...variant,
      qty: z.number().int().min(1).max(999),
      subscription_interval: z.number().int().min(1).max(4),
    }),
    response: { 200: List },
  },
});

/** spec §7.5: the names come in the body or in the query (docs/product.md §2). */
export const unsubscribe = endpoint({
  method: "DELETE",
  url: "/subscriptions",
  schema: {
    querystring: z.object({
      productId: Id.optional(),
      variantId: Id.optional(),
    }),
    body: z.object({ productId: variant.productId.optional(), variantId: variant.variantId.optional() }).nullish(),
    response: { 200: List },
  },
});

/** Nothing from this delivery (`skip: false` takes it back). */
export const skipDelivery = endpoint({
  method: "POST",
  url: "/subscriptions/skip",
  schema: { body: z.object({ deliveryDate: CalendarDate, skip: z.boolean().default(true) }), response: { 200: List } },
});

/** One subscription rests until a date; null wakes it. */
export const pauseSubscription = endpoint({
  method: "POST",
  url: "/subscriptions/pause",
  schema: { body: z.object({ variantId: variant.variantId, until: CalendarDate.nullable() }), response: { 200: List } },
});

/** spec §4: 0 off, 1 full cart, 2 only subscribed items; `runsAt`: when automatic checkout runs next. */
export const SubscriptionStatus = z.object({
  enabled: z.boolean(),
  status: z.literal([0, 1, 2]),
  runsAt: Instant.nullable(),
});
export const getSubscriptionStatus = endpoint({
  method: "GET",
  url: "/subscriptions/status",
  schema: { response: { 200: SubscriptionStatus } },
});
export const putSubscriptionStatus = endpoint({
  method: "PUT",
  url: "/subscriptions/status",
  schema: {
    body: z.object({ enabled: z.boolean(), status: z.literal([0, 1, 2]) }),
    response: { 200: SubscriptionStatus },
  },
});

const DefaultTip = z.object({ percentage: z.literal([0, 5, 10, 20]) });
export const getDefaultTip = endpoint({
  method: "GET",
  url: "/subscriptions/tip",
  schema: { response: { 200: DefaultTip } },
});
export const putDefaultTip = endpoint({
  method: "PUT",
  url: "/subscriptions/tip",
  schema: { body: DefaultTip, response: { 200: DefaultTip } },
});

/** spec §7.5: what this customer often orders and does not subscribe to; 5 a page. */
export const listRecommendations = endpoint({
  method: "GET",
  url: "/subscriptions/recommendations",
  schema: { querystring: PageQuery, response: { 200: z.array(Product) } },
});

/**
 * "Your next boxes": what auto-checkout would order for the next three deliveries, and why each line is in. `state`:
 * `planned` it will run; `skipped` by the shopper; `ordered` it ran and placed `orderIds`; `closed` it is over for this
 * delivery without an order. `orderIds`: everything ordered for the day so far, also by hand.
 */
export const NextBox = z
  .object({
    deliveryDate: CalendarDate,
    cutoff: Instant,
    autoCheckoutAt: Instant,
    timeZone: z.string(),
    state: z.enum(["planned", "skipped", "ordered", "closed"]),
    isSkipped: z.boolean(),
    orderIds: z.array(z.number().int()),
    lines: z.array(
      z.object({
        productId: z.number().int(),
        variantId: z.number().int(),
        slug: z.string(),
        title: z.string(),
        vendor: z.string(),
        image: Picture.nullable(),
        quantity: z.number().int(),
        inventory: z.number().int(),
        price: Money,
        reason: z.enum(["subscription", "cart"]),
        subscription_interval: z.number().int().nullable(),
        fromBundleId: z.number().int().nullable(),
        bundleTitle: z.string().nullable(),
      }),
    ),
    subtotal: Money,
    tip: Money,
    /** Home delivery and processing. */
    fees: Money,
    /** Home delivery alone: 0 for pickup, with a wagon pass, and for a box that joins an order of that day. */
    deliveryFee: Money,
    tax: Money,
    waived: Money,
    orderTotal: Money,
    /** Where it goes: the order's place once there is one; null: no place is known. */
    fulfillment: Fulfillment.nullable(),
    /** The card that is charged; null: there is none, or the market takes no cards. */
    card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  })
  .meta({ id: "NextBox" });
export type NextBox = z.infer<typeof NextBox>;
export const listNextBoxes = endpoint({
  method: "GET",
  url: "/subscriptions/next-boxes",
  schema: { response: { 200: z.array(NextBox) } },
});
