import type { NextBox } from "@marketday/contracts/subscriptions";

import type { ReminderAbout } from "../week/remind-store.ts";
import type { OrderForMail } from "./store.ts";

/** A made-up order, for the preview of mails about one. */
export const sampleOrder: OrderForMail = {
  order_id: 482_913_077,
  added_on: null,
  market: "Carmel market",
  time_zone: "America/Indiana/Indianapolis",
  first_name: "Rosa",
  type: "delivery",
  status: "open",
  day: "2026-11-26",
  cutoff_at: new Date("2026-11-25T06:00:00Z"),
  address: { address: "12 Main Street", address2: "", city: "Carmel", state: "IN", zipCode: "46032" },
  pickup: null,
  items: [
    { title: "Free-range eggs, dozen", vendor: "Sugar Creek Farm", quantity: 2, cents: 1300, added_on: null },
    { title: "Sourdough, large loaf", vendor: "Two Rivers Bakery", quantity: 1, cents: 875, added_on: "2026-11-23" },
  ],
  items_cents: 2175,
  discount_cents: 200,
  tip_cents: 218,
  tax_cents: 138,
  card_fee_cents: 95,
  delivery_fee_cents: 895,
  order_total_cents: 3321,
  credit_cents: 0,
  authorized_cents: 3321,
};

/** The delivery the other examples are about. */
export const sampleDelivery = {
  day: sampleOrder.day,
  market: sampleOrder.market,
  cutoff: sampleOrder.cutoff_at.toISOString(),
  timeZone: sampleOrder.time_zone,
};

/** What a vendor brings. */
export const sampleGoods = [
  { product: "Carrots", variant: "Small", unit: "8 oz", quantity: 12 },
  { product: "Free-range eggs", variant: "Large", unit: "dozen", quantity: 2 },
];

export const sampleAbout: ReminderAbout = {
  first_name: sampleOrder.first_name,
  market: sampleOrder.market,
  time_zone: sampleOrder.time_zone,
  hub_id: 1,
  day: sampleOrder.day,
  cutoff_at: sampleOrder.cutoff_at,
  auto_checkout_at: new Date("2026-11-23T18:00:00Z"),
  is_automatic: true,
  is_ordered: false,
  is_closed: false,
};

export const sampleBox: NextBox = {
  deliveryDate: sampleOrder.day,
  cutoff: sampleOrder.cutoff_at.toISOString(),
  autoCheckoutAt: sampleAbout.auto_checkout_at.toISOString(),
  timeZone: sampleOrder.time_zone,
  state: "planned",
  isSkipped: false,
  orderIds: [],
  lines: sampleOrder.items.map((item, place) => ({
    productId: place + 1,
    variantId: place + 1,
    slug: "",
    image: null,
    inventory: 12,
    fromBundleId: null,
    bundleTitle: null,
    title: item.title,
    vendor: item.vendor,
    quantity: item.quantity,
    price: item.cents / item.quantity / 100,
    reason: "subscription",
    subscription_interval: 1,
  })),
  subtotal: 19.75,
  tip: 2.18,
  fees: 9.9,
  tax: 1.38,
  orderTotal: 33.21,
};
