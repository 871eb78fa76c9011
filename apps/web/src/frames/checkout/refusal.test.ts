import { ApiError } from "@marketday/client/transport.ts";
import type { CartItem } from "@marketday/contracts/cart";
import { expect, test } from "vitest";

import { refusalOf } from "./refusal.ts";

const refused = (status: number, details: Record<string, unknown>) => new ApiError("Refused.", { status, details });
const eggs = { product: { title: "Pasture Eggs", variant: { id: 7, size: "Dozen" } } } as CartItem;

test("sold-out items get their names back", { tags: ["fail:A4"] }, () => {
  const error = refused(409, {
    code: "sold_out",
    items: [
      { variantId: 7, wanted: 2, left: 1 },
      { variantId: 8, wanted: 1, left: 0 },
    ],
  });
  expect(refusalOf(error, [eggs])).toEqual({
    kind: "sold_out",
    message: "Refused.",
    items: [
      { variantId: 7, title: "Pasture Eggs, Dozen", wanted: 2, left: 1 },
      { variantId: 8, title: "One of your items", wanted: 1, left: 0 },
    ],
  });
});

test("a changed total brings its quote", { tags: ["fail:B15"] }, () => {
  const quote = { orderTotal: 47.2 };
  expect(refusalOf(refused(409, { code: "total_changed", quote }), [])).toMatchObject({ kind: "total_changed", quote });
  expect(refusalOf(refused(409, { code: "total_changed" }), [])).toMatchObject({ kind: "total_changed", quote: null });
});

test.each([
  [409, { code: "cart_empty" }, { kind: "cart_empty", orderId: null }],
  [409, { code: "cart_empty", orderId: 123456789 }, { kind: "cart_empty", orderId: 123456789 }],
  [409, { code: "superseded", orderId: 123456789 }, { kind: "cart_empty", orderId: 123456789 }],
  [409, { code: "cart_changed", quote: { orderTotal: 9 } }, { kind: "total_changed", quote: { orderTotal: 9 } }],
  [409, { code: "market_changed", quote: {} }, { kind: "market_changed", message: "Refused." }],
  [409, { code: "superseded" }, { kind: "error", message: "Refused." }],
  [429, { code: "payment_limit" }, { kind: "error", title: null, message: "Refused." }],
  [422, { code: "outside_hub", field: "deliveryAddress.zipCode" }, { kind: "field", field: "address-zipCode" }],
  [422, { code: "invalid", field: "deliveryAddress.city" }, { kind: "field", step: "delivery", field: "address-city" }],
  [422, { code: "invalid", field: "deliveryAddress.state" }, { kind: "field", field: "address-state" }],
  [422, { code: "invalid", field: "deliveryAddress.address2" }, { kind: "field", field: "address-address2" }],
  [422, { code: "invalid", field: "deliveryAddress.instructions" }, { kind: "field", field: "address-instructions" }],
  [422, { code: "invalid", field: "deliveryAddress.county" }, { kind: "field", field: "address-address" }],
  [422, { code: "address_required", field: "deliveryAddress" }, { kind: "field", field: "address-address" }],
  [422, { code: "pickup_required", field: "pickupPointId" }, { kind: "field", field: "pickup-points" }],
  [402, { code: "card_declined" }, { kind: "error", title: "The payment did not go through" }],
  [503, { code: "payments_down" }, { kind: "error", title: null }],
])("%i %j", (status, details, expected) => {
  expect(refusalOf(refused(status, details), [])).toMatchObject(expected);
});

test("a sold-out refusal without its items has none", () => {
  expect(refusalOf(refused(409, { code: "sold_out" }), [eggs])).toMatchObject({ kind: "sold_out", items: [] });
});
