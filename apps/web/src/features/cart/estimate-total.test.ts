import type { Cart } from "@marketday/contracts/cart";
import type { Hub } from "@marketday/contracts/hubs";
import { expect, test } from "vitest";

import { estimateTotal } from "./estimate-total.ts";
import { emptyCart } from "./project.ts";

const hub: Hub = {
  id: 1,
  slug: "carmel",
  name: "Carmel",
  description: "",
  deliveryDay: "Thursday",
  deliveryFee: 8.95,
  taxRate: 7,
  processingFee: { percent: 3, fixed: 0.3 },
  zipCode: "46032",
  city: "Carmel",
  state: "IN",
  lat: 39.97,
  lng: -86.13,
  accessibleZipCodes: ["46032"],
  timeZone: "America/Indiana/Indianapolis",
  nextDeliveryDate: null,
  cutoff: null,
  pickupPoints: [],
};
const cart: Cart = { ...emptyCart, subtotal: 18, subtotalBeforeDiscounts: 20 };

test("estimated total: tax after the discount, the card's fee before it, and the delivery fee, which a pass saves", () => {
  // Tax 7 % of 18.00 = 1.26; card 3 % of 20.00 + 0.30 = 0.90.
  expect(estimateTotal(cart, hub, false)).toEqual({ processing: 0.9, tax: 1.26, total: 29.11 });
  expect(estimateTotal(cart, hub, true)).toEqual({ processing: 0.9, tax: 1.26, total: 20.16 });
});

test("estimated total: none from a server of the version before, which names no rates", () => {
  const { taxRate: _taxRate, ...without } = hub;
  expect(estimateTotal(cart, without, false)).toBeNull();
});

test("estimated total: none with a pre-order, which is a separate order", () => {
  const line = (preOrderDate: string | null) => ({ product: { variant: { preOrderDate } } });
  const items = [line(null), line("2026-12-24")] as Cart["items"];
  expect(estimateTotal({ ...cart, items }, hub, false)).toBeNull();
  expect(estimateTotal({ ...cart, items: items.slice(0, 1) }, hub, false)).not.toBeNull();
});
