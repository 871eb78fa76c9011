import type { PaymentMethod } from "@marketday/contracts/payments";
import { expect, test } from "vitest";

import { emptyPaying, formatExpiry, meansOf, payingProblems } from "./pay-with.tsx";

const card = { id: 3, brand: "visa", last4: "4242", expMonth: 12, expYear: 2030, isDefault: true } as PaymentMethod;
const methods = [card, { ...card, id: 4, isDefault: false }];
const typed = { number: "4242 4242 4242 4242", expiry: "12 / 99", cvc: "123" };

test("payment: of two saved cards the default pays until the other one or a new one is chosen", async () => {
  expect(payingProblems(emptyPaying, methods)).toEqual([]);
  expect(await meansOf(emptyPaying, methods)).toEqual({ paymentMethodId: 3 });
  expect(await meansOf({ ...emptyPaying, method: 4 }, methods)).toEqual({ paymentMethodId: 4 });
  expect(payingProblems({ ...emptyPaying, method: "new" }, methods)).toHaveLength(3);
});

test("payment: without a saved card a new one has to be typed, and is what pays", async () => {
  expect(payingProblems(emptyPaying, [])).toHaveLength(3);
  expect(payingProblems({ method: null, card: typed }, [])).toEqual([]);
  expect(await meansOf({ method: null, card: typed }, [])).toEqual({
    card: { number: "4242424242424242", expMonth: 12, expYear: 2099, cvc: "123" },
  });
});

test("payment: a card's month has two digits, its year the last two", () => {
  expect(formatExpiry(9, 2028)).toBe("09 / 28");
});
