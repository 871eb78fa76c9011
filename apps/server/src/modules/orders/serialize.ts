import type { Order, OrderItem } from "@marketday/contracts/orders";
import { cents, toDollars } from "@marketday/domain/money";
import { formatSize } from "@marketday/domain/size";

import { serializePicture, serializePictureOrNull } from "../pictures/store.ts";
import { amountOf } from "../products/size-store.ts";
import type { OrderItemRow, OrderRow } from "./store.ts";

const dollars = (amount: number) => toDollars(cents(amount));

const serializeItem = (row: OrderItemRow): OrderItem => ({
  orderId: row.order_id,
  quantity: row.quantity,
  isPublished: row.is_published,
  fromBundleId: row.bundle_id,
  product: {
    id: row.product_id,
    slug: row.product_slug,
    title: row.product_title,
    images: row.picture ? [serializePicture(row.picture)] : [],
    variant: {
      id: row.variant_id,
      title: row.variant_title,
      size: formatSize(row.product_title, row.variant_title, amountOf(row)),
      inventory: row.inventory,
      price: dollars(row.list_price_cents),
      salePrice: row.sale_price_cents === null ? null : dollars(row.sale_price_cents),
      preOrderDate: row.pre_order_date,
    },
  },
  vendor: {
    id: row.vendor_id,
    slug: row.vendor_slug,
    name: row.vendor_name,
    city: row.vendor_city,
    state: row.vendor_state,
    avatar: serializePictureOrNull(row.vendor_avatar),
  },
});

/** Converts an order row to the API response: prices at purchase, current stock (docs/product.md §8). */
export const serializeOrder = (row: OrderRow): Order => ({
  id: row.id,
  created: row.created_at.toISOString(),
  items: row.items.map(serializeItem),
  deliveryAddress: row.type === "delivery" ? row.address : null,
  pickupAddress: row.type === "pickup" ? row.pickup : null,
  deliveryNotes: row.delivery_notes,
  addOns: row.add_on_items
    ? { items: row.add_on_items.map(serializeItem), orderTotal: dollars(row.add_on_total_cents) }
    : null,
  addOnOrders: row.add_on_orders.map((addOn) => ({
    id: addOn.id,
    created: new Date(addOn.created_at).toISOString(),
    waived: dollars(addOn.waived_cents),
    orderTotal: dollars(addOn.order_total_cents),
  })),
  status: row.status,
  type: row.type,
  tax: dollars(row.tax_cents),
  discountAmount: dollars(row.discount_cents),
  waived: dollars(row.waived_cents),
  tip: dollars(row.tip_cents),
  processingFee: dollars(row.card_fee_cents + row.delivery_fee_cents + row.carried_fee_cents),
  fees: { delivery: dollars(row.delivery_fee_cents + row.carried_fee_cents), card: dollars(row.card_fee_cents) },
  orderTotal: dollars(row.order_total_cents + row.carried_fee_cents),
  amountDue: dollars(row.order_total_cents + row.carried_fee_cents - row.credit_cents - row.carried_credit_cents),
  paymentProblem: row.payment_problem,
  packed: row.packed,
  isPaidAtDoor: row.is_paid_at_door,
  missing: row.missing,
  refunds: {
    done: dollars(row.refunds.done),
    underway: dollars(row.refunds.underway),
    byHand: dollars(row.refunds.by_hand),
    failed: dollars(row.refunds.failed),
  },
  deliveryDate: row.day,
  cutoff: row.cutoff_at.toISOString(),
  timeZone: row.time_zone,
  hub: { id: row.hub_id, name: row.hub_name },
});
