import type { Customer } from "@marketday/contracts/account";
import type { Quote } from "@marketday/contracts/checkout";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import {
  changeDraft,
  type CheckoutAccount,
  choiceOf,
  type Choices,
  deliveryProblems,
  type Draft,
  draftOf as draftFrom,
  keepDraft,
  methodOf,
  mustSaveCard,
  paymentProblems,
  quoteBody,
  recallDraft,
} from "./draft.ts";

const now = new Date("2026-11-20T12:00:00Z");
const home = { address: "12 Oak St", address2: "", city: "Carmel", state: "IN", zipCode: "46032", instructions: "" };
const customer = { customerId: 7, deliveryAddress: home, zipCode: "46032", credit: 0 } as Customer;
const accountOf = (change: Partial<Customer> = {}, cartCode = ""): CheckoutAccount => ({
  customer: { ...customer, ...change },
  cartCode,
  hubId: 4,
});
/** The checkout opened by an account, with what it changed in this tab before. */
const open = (account = accountOf()): Draft => draftFrom(account, recallDraft(account.customer));
/** Changes choices in an open checkout. */
const choose = (next: Partial<Choices>, account = accountOf()): void =>
  keepDraft(account.customer, changeDraft(account, recallDraft(account.customer), next));
const quote = (change: Partial<Quote>) => ({ orders: [], paymentMethods: [], ...change }) as unknown as Quote;
const card = { id: 3, brand: "visa", last4: "4242", expMonth: 12, expYear: 2030, isDefault: false };
const asks = { asksForCard: true, method: "new", ownFields: true, saves: false } as const;

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

const draftOf = (change: Partial<Draft> = {}): Draft => ({ ...open(), ...change });
const typed = { number: "4242 4242 4242 4242", expiry: "12 / 30", cvc: "123" };

describe("a choice", () => {
  test("begins at the customer's address", () => {
    expect(deliveryProblems(draftOf())).toEqual([]);
    expect(deliveryProblems(open(accountOf({ deliveryAddress: null })))).not.toEqual([]);
  });

  test("an unfinished address is not sent; the price is still requested", () => {
    expect(quoteBody(draftOf({ address: { ...home, city: "" } }))).not.toHaveProperty("deliveryAddress");
    expect(quoteBody(draftOf())).toMatchObject({ type: "delivery", deliveryAddress: { state: "IN" } });
  });

  test("begins where the customer receives; a pickup point that is gone has to be chosen again", () => {
    const fulfillment = {
      type: "pickup",
      pickupPoint: { id: 4 },
      deliveryAddress: null,
      deliveryFee: 0,
      problem: null,
    };
    const picksUp = accountOf({ fulfillment: fulfillment as Customer["fulfillment"] });
    expect(open(picksUp)).toMatchObject({ type: "pickup", pickupPointId: 4, address: home, useNextTime: true });
    expect(deliveryProblems(open(picksUp))).toEqual([]);
    const problem = { code: "pickup_gone", message: "Depot Barn is no longer a pickup point." };
    const gone = open(accountOf({ fulfillment: { ...fulfillment, problem } as Customer["fulfillment"] }));
    expect(gone).toMatchObject({ type: "pickup", pickupPointId: null });
    expect(deliveryProblems(gone)).toHaveLength(1);
  });

  test("is for next time too, unless the shopper switches that off", () => {
    expect(choiceOf(draftOf(), { ...asks, method: 3 })).toMatchObject({ useNextTime: true });
    expect(choiceOf(draftOf({ useNextTime: false }), { ...asks, method: 3 })).toMatchObject({ useNextTime: false });
  });

  test("pickup has no driver, so it has no tip", () => {
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

  test("no card is required where none is accepted", () => {
    expect(paymentProblems(draftOf(), asks, now)).toHaveLength(3);
    expect(paymentProblems(draftOf(), { ...asks, method: 3 }, now)).toEqual([]);
    expect(paymentProblems(draftOf(), { ...asks, asksForCard: false }, now)).toEqual([]);
    expect(paymentProblems(draftOf(), { ...asks, ownFields: false }, now)).toEqual([]);
  });

  test("pays with the default card until another choice is made; a deleted card is ignored", () => {
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

test("checkout: what was typed is there when it is opened again, a card is not", () => {
  choose({ notes: "By the blue gate" });
  expect(open()).toMatchObject({ notes: "By the blue gate", card: { number: "", expiry: "", cvc: "" } });
  expect(JSON.stringify([...kept.values()])).not.toContain("card");
});

describe("kept choices", () => {
  const corrected = { ...home, address: "99 New Avenue" };

  test("an address corrected in the account replaces the one seen at checkout before", { tags: ["fail:M7"] }, () => {
    choose({ notes: "Ring twice" });
    expect(open(accountOf({ deliveryAddress: corrected }))).toMatchObject({ address: corrected, notes: "Ring twice" });
    expect(kept.get("marketday:checkout")).not.toContain("Oak");
  });

  test(
    "an address typed at checkout gives way when the account's own is corrected later",
    { tags: ["fail:M7"] },
    () => {
      choose({ address: { ...home, address: "5 Holiday Lane" } });
      expect(open().address.address).toBe("5 Holiday Lane");
      expect(open(accountOf({ deliveryAddress: corrected })).address).toEqual(corrected);
    },
  );

  test("another customer in the same tab starts from their own account", { tags: ["fail:M7"] }, () => {
    choose({ address: { ...home, address: "5 Holiday Lane" }, notes: "Ring twice", tip: 20, code: "FRIEND" });
    const other = accountOf({ customerId: 8, deliveryAddress: corrected });
    expect(open(other)).toEqual(draftFrom(other, {}));
  });

  test("store credit that was redeemed elsewhere is used, also after it was declined", { tags: ["fail:M7"] }, () => {
    choose({ notes: "Ring twice" });
    expect(open().useCredit).toBe(false);
    expect(open(accountOf({ credit: 25 })).useCredit).toBe(true);
    const rich = accountOf({ credit: 10 });
    choose({ useCredit: false }, rich);
    expect(open(rich).useCredit).toBe(false);
    expect(open(accountOf({ credit: 35 })).useCredit).toBe(true);
  });

  test("a pickup point of another market gives way", { tags: ["fail:M8"] }, () => {
    choose({ type: "pickup", pickupPointId: 3 });
    expect(open()).toMatchObject({ type: "pickup", pickupPointId: 3 });
    expect(open({ ...accountOf(), hubId: 5 })).toMatchObject({ type: "delivery", pickupPointId: null });
  });

  test("a place chosen at checkout gives way when the account's own is changed later", { tags: ["fail:M7"] }, () => {
    choose({ type: "pickup", pickupPointId: 3 });
    const fulfillment = {
      type: "pickup",
      pickupPoint: { id: 4 },
      deliveryAddress: null,
      deliveryFee: 0,
      problem: null,
    };
    expect(open(accountOf({ fulfillment: fulfillment as Customer["fulfillment"] }))).toMatchObject({
      pickupPointId: 4,
    });
  });

  test("a choice put back to the account's own is none", () => {
    choose({ tip: 20 });
    choose({ tip: 0 });
    expect(recallDraft(customer)).toEqual({});
  });
});

test("the cart's code is applied until another is tried or it is taken off", () => {
  expect(quoteBody(open(accountOf({}, "CART")))).toMatchObject({ discountCode: "CART" });
  expect(quoteBody(open())).not.toHaveProperty("discountCode");
  choose({ notes: "typed before the code came" });
  expect(open(accountOf({}, "CART")).code).toBe("CART");
  choose({ code: "OTHER" }, accountOf({}, "CART"));
  expect(open(accountOf({}, "CART")).code).toBe("OTHER");
  choose({ code: null }, accountOf({}, "CART"));
  expect(quoteBody(open(accountOf({}, "CART")))).toMatchObject({ discountCode: null });
});

test("checkout: a first customer's choices are a delivery to their ZIP code, no tip, no credit, and no saved card", () => {
  const first = open(accountOf({ deliveryAddress: null }));
  expect(first).toMatchObject({ type: "delivery", tip: 0, useCredit: false, method: null, save: false, notes: "" });
  expect(first.address).toMatchObject({ zipCode: "46032", address: "" });
});

test("checkout: tip, store credit and notes of a delivery are priced and ordered as chosen, and no pickup point", () => {
  const chosen = draftOf({ tip: 10, useCredit: true, notes: "By the blue gate", pickupPointId: 4 });
  const sent = choiceOf(chosen, { ...asks, method: 3 });
  expect(sent).toMatchObject({ tipPercentage: 10, useCredit: true, deliveryNotes: "By the blue gate" });
  expect(sent).not.toHaveProperty("pickupPointId");
  expect(quoteBody(draftOf({ type: "pickup" }))).not.toHaveProperty("pickupPointId");
  expect(sent).not.toHaveProperty("savePaymentMethod");
});

test("checkout: an address that its ZIP code filled in is sent as the address alone", () => {
  const { deliveryAddress } = quoteBody(draftOf({ address: { ...home, auto: ["city", "state"] } }));
  expect(deliveryAddress).toEqual(home);
});

test("checkout: of saved cards without a default the first one pays", () => {
  expect(methodOf(draftOf(), quote({ paymentMethods: [card, { ...card, id: 4 }] }))).toBe(3);
});

test("checkout: one of two orders that closes in more than 6 days is enough for the card to be saved", () => {
  const orders = [{ cutoff: "2026-11-21T12:00:00Z" }, { cutoff: "2026-12-20T12:00:00Z" }] as Quote["orders"];
  expect(mustSaveCard(quote({ orders }), now)).toBe(true);
  expect(mustSaveCard(null, now)).toBe(false);
});
