import type { Customer } from "@marketday/contracts/account";
import type { Quote } from "@marketday/contracts/checkout";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import {
  choiceOf,
  deliveryProblems,
  type Draft,
  keepDraft,
  methodOf,
  mustSaveCard,
  paymentProblems,
  quoteBody,
  startDraft,
} from "./draft.ts";

const now = new Date("2026-11-20T12:00:00Z");
const home = { address: "12 Oak St", address2: "", city: "Carmel", state: "IN", zipCode: "46032", instructions: "" };
const customer = { deliveryAddress: home, zipCode: "46032", credit: 0 } as Customer;
const quote = (change: Partial<Quote>) => ({ orders: [], paymentMethods: [], ...change }) as unknown as Quote;
const card = { id: 3, brand: "visa", last4: "4242", expMonth: 12, expYear: 2030, isDefault: false };
const asks = { asksForCard: true, method: "new", ownFields: true, saves: false } as const;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

const draftOf = (change: Partial<Draft> = {}): Draft => ({ ...startDraft(customer), ...change });
const typed = { number: "4242 4242 4242 4242", expiry: "12 / 30", cvc: "123" };

describe("a choice", () => {
  test("begins at the customer's address", () => {
    expect(deliveryProblems(draftOf())).toEqual([]);
    expect(deliveryProblems(startDraft(null))).not.toEqual([]);
  });

  test("an unfinished address is not sent, its price is asked for all the same", () => {
    expect(quoteBody(draftOf({ address: { ...home, city: "" } }))).not.toHaveProperty("deliveryAddress");
    expect(quoteBody(draftOf())).toMatchObject({ type: "delivery", deliveryAddress: { state: "IN" } });
  });

  test("nobody drives to a pickup point, so nobody is tipped", () => {
    const pickup = draftOf({ type: "pickup", tip: 20, pickupPointId: 4 });
    expect(quoteBody(pickup)).toMatchObject({ type: "pickup", pickupPointId: 4, tipPercentage: 0 });
    expect(quoteBody(pickup)).not.toHaveProperty("deliveryAddress");
    expect(deliveryProblems(draftOf({ type: "pickup" })).map(({ message }) => message)).toEqual([
      "Choose a pickup point",
    ]);
  });

  test("a new card, a saved one, or none", () => {
    expect(choiceOf(draftOf({ card: typed }), { ...asks, saves: true })).toMatchObject({
      card: { number: "4242424242424242", expMonth: 12, expYear: 2030, cvc: "123" },
      savePaymentMethod: true,
    });
    const stripe = choiceOf(draftOf({ card: typed }), { ...asks, ownFields: false }, "ctoken_1");
    expect(stripe).toMatchObject({ confirmationToken: "ctoken_1", savePaymentMethod: false });
    expect(stripe).not.toHaveProperty("card");
    expect(choiceOf(draftOf(), { ...asks, method: 3 })).toMatchObject({ paymentMethodId: 3 });
    expect(choiceOf(draftOf(), { ...asks, asksForCard: false })).not.toHaveProperty("card");
  });

  test("no card is asked for where none is taken", () => {
    expect(paymentProblems(draftOf(), asks, now)).toHaveLength(3);
    expect(paymentProblems(draftOf(), { ...asks, method: 3 }, now)).toEqual([]);
    expect(paymentProblems(draftOf(), { ...asks, asksForCard: false }, now)).toEqual([]);
    expect(paymentProblems(draftOf(), { ...asks, ownFields: false }, now)).toEqual([]);
  });

  test("pays with the default card until something else is said; one that is gone counts for nothing", () => {
    const known = quote({ paymentMethods: [card, { ...card, id: 4, isDefault: true }] });
    expect(methodOf(draftOf(), known)).toBe(4);
    expect(methodOf(draftOf({ method: 3 }), known)).toBe(3);
    expect(methodOf(draftOf({ method: 9 }), known)).toBe(4);
    expect(methodOf(draftOf({ method: "new" }), known)).toBe("new");
    expect(methodOf(draftOf(), null)).toBe("new");
  });

  test("a card must be saved for an order that closes in more than 6 days", () => {
    const closing = (cutoff: string) => quote({ orders: [{ cutoff }] as Quote["orders"] });
    expect(mustSaveCard(closing("2026-11-26T12:00:00Z"), now)).toBe(false);
    expect(mustSaveCard(closing("2026-11-26T12:00:00.001Z"), now)).toBe(true);
  });
});

test("closing keeps what was typed in this tab, never the card", () => {
  keepDraft(draftOf({ notes: "By the blue gate", card: typed }));
  expect(startDraft(customer)).toMatchObject({ notes: "By the blue gate", card: { number: "", expiry: "", cvc: "" } });
});

test("the cart's code is applied until another is tried or it is taken off", () => {
  expect(quoteBody(startDraft(customer, "CART"))).toMatchObject({ discountCode: "CART" });
  expect(quoteBody(startDraft(customer))).not.toHaveProperty("discountCode");
  keepDraft(draftOf({ notes: "typed before the code came" }));
  expect(startDraft(customer, "CART").code).toBe("CART");
  keepDraft(draftOf({ code: "OTHER" }));
  expect(startDraft(customer, "CART").code).toBe("OTHER");
  keepDraft(draftOf({ code: null }));
  expect(quoteBody(startDraft(customer, "CART"))).toMatchObject({ discountCode: null });
});
