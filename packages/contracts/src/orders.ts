import { PACKED, PAYMENT_PROBLEMS } from "@marketday/domain/order-state";
import { z } from "zod";

import { Address, BodyId, CalendarDate, IdParams, Instant, Money, PageQuery, Picture } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { PickupAddress } from "./hubs.ts";
import { VendorRef } from "./products.ts";

/** spec §3 Order item: prices and titles as bought, `inventory` as now; `size` as in `Variant`, with the unit as now. */
export const OrderItem = z
  .object({
    /** The order that an edit of this item names: the box's, or that of an add-on. */
    orderId: z.number().int(),
    quantity: z.number().int(),
    /** Whether the hub still sells it: a closed order flags what cannot be ordered again. */
    isPublished: z.boolean(),
    fromBundleId: z.number().int().nullable(),
    product: z.object({
      id: z.number().int(),
      slug: z.string(),
      title: z.string(),
      images: z.array(Picture),
      variant: z.object({
        id: z.number().int(),
        title: z.string(),
        size: z.string(),
        inventory: z.number().int(),
        price: Money,
        salePrice: Money.nullable(),
        preOrderDate: CalendarDate.nullable(),
      }),
    }),
    vendor: VendorRef,
  })
  .meta({ id: "OrderItem" });
export type OrderItem = z.infer<typeof OrderItem>;

/** spec §3 Order with `docs/product.md` §8. `orderTotal` is without the add-ons; the delivery fee of the whole box is in it. */
export const Order = z
  .object({
    id: z.number().int(),
    created: Instant,
    items: z.array(OrderItem),
    deliveryAddress: Address.nullable(),
    pickupAddress: PickupAddress.nullable(),
    deliveryNotes: z.string(),
    /** What the market notes for the shopper; left out when there is nothing. */
    marketNotes: z.string().optional(),
    addOns: z.object({ items: z.array(OrderItem), orderTotal: Money }).nullable(),
    /** The orders behind `addOns`, the oldest first; each is edited under its own id. */
    addOnOrders: z.array(z.object({ id: z.number().int(), created: Instant, waived: Money, orderTotal: Money })),
    status: z.enum(["future", "open", "pending", "closed", "cancelled"]),
    type: z.enum(["delivery", "pickup"]),
    tax: Money,
    discountAmount: Money,
    /** A rest that was too small for a card; `orderTotal` is without it. */
    waived: Money,
    tip: Money,
    processingFee: Money,
    fees: z.object({ delivery: Money, card: Money }),
    orderTotal: Money,
    amountDue: Money,
    /** Of the box: why it is not paid as agreed. Servers of the version before leave this and the next four out (docs/decisions/0001). */
    paymentProblem: z.enum(PAYMENT_PROBLEMS).nullish(),
    /** How much of the box is packed: an order that could not be charged is not, where its hub packs no unpaid orders. */
    packed: z.enum(PACKED).optional(),
    /** The box, or a part of it, is paid when it is handed over. */
    isPaidAtDoor: z.boolean().optional(),
    /** What of the box did not come: "2 × Duck Eggs". */
    missing: z.array(z.string()).optional(),
    /** Of the box: returned to the card or as store credit, on its way, given back by hand, and what the card did not take. */
    refunds: z.object({ done: Money, underway: Money, byHand: Money, failed: Money }).optional(),
    deliveryDate: CalendarDate,
    cutoff: Instant,
    timeZone: z.string(),
    hub: z.object({ id: z.number().int(), name: z.string() }),
  })
  .meta({ id: "Order" });
export type Order = z.infer<typeof Order>;

/** spec §7.3. Unknown, deleted or not yours: 404, same body. */
export const getOrder = endpoint({
  method: "GET",
  url: "/orders/:id",
  schema: { params: IdParams, response: { 200: Order } },
});

/** spec §7.3: the customer's boxes, newest delivery first, each with its add-ons, 20 a page; `cutoffDate` keeps those of one cutoff date. */
export const listOrders = endpoint({
  method: "GET",
  url: "/orders",
  schema: {
    querystring: PageQuery.extend({ cutoffDate: CalendarDate.optional() }),
    response: { 200: z.object({ payload: z.array(Order) }) },
  },
});

/** An edit reads only which order, and of its items the variant and how many; everything else is dropped (docs/product.md §8). */
const OrderEdit = z.object({
  order: z.object({
    id: BodyId,
    items: z
      .array(
        z.object({
          quantity: z.number().int().min(0).max(999),
          product: z.object({ variant: z.object({ id: BodyId }) }),
        }),
      )
      .max(500),
  }),
});

/**
 * spec §7.3, `docs/product.md` §17: the list is the whole of the order or add-on `id`, left out is removed. Answers the box as
 * it is then, or `{ deleted: true }` when nothing of it is left. Raised or added: 422 `raised`; at or after the cutoff: 409
 * `past_cutoff`.
 */
export const editOrder = endpoint({
  method: "POST",
  url: "/orders/edit-order",
  schema: { body: OrderEdit, response: { 200: z.union([Order, z.object({ deleted: z.literal(true) })]) } },
});
