import type { Order, OrderItem } from "@marketday/contracts/orders";
import { dateFromUtc } from "@marketday/domain/calendar-date";
import { cents, toDollars } from "@marketday/domain/money";
import { formatSize } from "@marketday/domain/size";

import { serializePicture, serializePictureOrNull } from "../pictures/picture-row.ts";
import { amountOf } from "../products/size-sql.ts";
import type { BoxRow, ItemRow } from "./box-content-store.ts";
import type { BoxState } from "./box-state-sql.ts";

const dollars = (amount: number) => toDollars(cents(amount));

function serializeItem(row: ItemRow, hubId: number): OrderItem {
  const { variant, vendor } = row;
  const { product } = variant;
  const offer = variant.offers.find(({ hub_id: id }) => id === hubId);
  return {
    orderId: row.order_id,
    quantity: row.quantity,
    isPublished: product.is_published && (offer?.is_published ?? false),
    fromBundleId: row.bundle_id,
    product: {
      id: product.id,
      slug: product.slug,
      title: row.product_title,
      images: product.pictures.map(({ picture }) => serializePicture(picture)),
      variant: {
        id: variant.id,
        title: row.variant_title,
        size: formatSize(row.product_title, row.variant_title, amountOf(variant)),
        inventory: offer?.inventory ?? 0,
        price: dollars(row.list_price_cents),
        salePrice: row.sale_price_cents === null ? null : dollars(row.sale_price_cents),
        preOrderDate: variant.pre_order_date && dateFromUtc(variant.pre_order_date),
      },
    },
    vendor: { ...vendor, avatar: serializePictureOrNull(vendor.avatar) },
  };
}

function serializePickupPoint(point: BoxRow["pickup_point"]): Order["pickupAddress"] {
  if (point === null) return null;
  const { zip_code: zipCode, ...place } = point;
  return { ...place, zipCode };
}

const sumOf = <T>(rows: readonly T[], amountOf: (row: T) => number): number =>
  rows.reduce((sum, row) => sum + amountOf(row), 0);

/** Converts a box to the API response: prices at purchase, current stock (docs/product.md §8). */
export function serializeOrder(row: BoxRow, state: BoxState): Order {
  const { hub, add_ons: addOns } = row;
  const addOnItems = addOns.flatMap(({ items }) => items).toSorted((a, b) => a.id - b.id);
  const addOnTotalCents = sumOf(addOns, (addOn) => addOn.order_total_cents - addOn.delivery_fee_cents);
  // The box's delivery fee when it is on an emptied order, and the store credit that pays for it.
  const carried = addOns.filter((addOn) => addOn.delivery_fee_cents > 0);
  const carriedFeeCents = sumOf(carried, (addOn) => addOn.delivery_fee_cents);
  const carriedCreditCents = sumOf(carried, (addOn) => addOn.credit_cents);
  const deliveryFeeCents = row.delivery_fee_cents + carriedFeeCents;
  const { refunds } = state;
  return {
    id: row.id,
    created: row.created_at.toISOString(),
    items: row.items.map((item) => serializeItem(item, hub.id)),
    deliveryAddress: row.type === "delivery" ? (row.address as Order["deliveryAddress"]) : null,
    pickupAddress: row.type === "pickup" ? serializePickupPoint(row.pickup_point) : null,
    deliveryNotes: state.notes,
    ...(state.market_notes !== "" && { marketNotes: state.market_notes }),
    addOns:
      addOnItems.length > 0
        ? { items: addOnItems.map((item) => serializeItem(item, hub.id)), orderTotal: dollars(addOnTotalCents) }
        : null,
    addOnOrders: addOns
      .filter(({ items }) => items.length > 0)
      .map((addOn) => ({
        id: addOn.id,
        created: addOn.created_at.toISOString(),
        waived: dollars(addOn.waived_cents),
        orderTotal: dollars(addOn.order_total_cents),
      })),
    status: row.status as Order["status"],
    type: row.type as Order["type"],
    tax: dollars(row.tax_cents),
    discountAmount: dollars(row.discount_cents),
    waived: dollars(row.waived_cents),
    tip: dollars(row.tip_cents),
    processingFee: dollars(row.card_fee_cents + deliveryFeeCents),
    fees: { delivery: dollars(deliveryFeeCents), card: dollars(row.card_fee_cents) },
    orderTotal: dollars(row.order_total_cents + carriedFeeCents),
    amountDue: dollars(row.order_total_cents + carriedFeeCents - row.credit_cents - carriedCreditCents),
    paymentProblem: state.payment_problem,
    packed: state.packed,
    isPaidAtDoor: state.is_paid_at_door,
    missing: state.missing,
    refunds: {
      done: dollars(refunds.done),
      underway: dollars(refunds.underway),
      byHand: dollars(refunds.by_hand),
      failed: dollars(refunds.failed),
    },
    deliveryDate: dateFromUtc(row.delivery.day),
    cutoff: row.delivery.cutoff_at.toISOString(),
    timeZone: hub.time_zone,
    hub: { id: hub.id, name: hub.name },
  };
}
