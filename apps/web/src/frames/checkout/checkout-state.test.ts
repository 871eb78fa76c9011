import { ApiError } from "@marketday/client/transport.ts";
import { describe, expect, test } from "vitest";

import type { PlaceOutcome } from "../../features/checkout/place.ts";
import {
  canPlace,
  type CheckoutAction,
  checkoutReducer,
  type CheckoutState,
  openCheckout,
  resumeCheckout,
  type StepId,
  stepState,
} from "./checkout-state.ts";
import type { Refusal } from "./refusal.ts";

const first = openCheckout({ isReady: false, isNew: false });
const returning = openCheckout({ isReady: true, isNew: false });
const after = (state: CheckoutState, ...actions: CheckoutAction[]) => actions.reduce(checkoutReducer, state);
const stepsOf = (state: CheckoutState) =>
  (["delivery", "extras", "payment"] satisfies StepId[]).map((step) => stepState(state, step));

const declined: Refusal = { kind: "error", title: "The payment did not go through", message: "Declined." };
const soldOut: Refusal = { kind: "sold_out", message: "Sold out.", items: [] };
const badZip: Refusal = { kind: "field", step: "delivery", field: "zip", message: "Not here." };
const problem = { field: "card-cvc", message: "Enter the 3 or 4 digits on the card" };

describe("checkout steps", () => {
  test("a first order goes from delivery to the payment, with the extras beside it, and takes the focus along", () => {
    expect(stepsOf(first)).toEqual(["open", "ahead", "ahead"]);
    expect(first.moved).toBe(false);
    const payment = after(first, { type: "deliveryDone" });
    expect(stepsOf(payment)).toEqual(["done", "done", "open"]);
    expect(payment).toMatchObject({ moved: true, hasSeenExtras: false });
    const extras = after(payment, { type: "opened", step: "extras" });
    expect(stepsOf(extras)).toEqual(["done", "open", "ahead"]);
    const seen = after(extras, { type: "extrasDone" });
    expect(stepsOf(seen)).toEqual(["done", "done", "open"]);
    expect(seen.hasSeenExtras).toBe(true);
  });

  test("extras that were done stay done while delivery is changed", () => {
    const changed = after(
      first,
      { type: "deliveryDone" },
      { type: "opened", step: "extras" },
      { type: "extrasDone" },
      { type: "opened", step: "delivery" },
    );
    expect(stepsOf(changed)).toEqual(["open", "done", "ahead"]);
    expect(stepsOf(after(changed, { type: "deliveryDone" }))).toEqual(["done", "done", "open"]);
  });

  test("a returning customer begins at the payment", () => {
    expect(stepsOf(returning)).toEqual(["done", "done", "open"]);
    expect(canPlace(returning)).toBe(true);
    expect(canPlace(first)).toBe(false);
  });

  test("an order without an address opens delivery; one without a card keeps the payment open with its problems", () => {
    const missing = after(returning, { type: "submitted", isReady: false, problems: [] });
    expect(stepsOf(missing)).toEqual(["open", "done", "ahead"]);
    const unpaid = after(returning, { type: "submitted", isReady: true, problems: [problem] });
    expect(unpaid).toMatchObject({ open: "payment", problems: [problem] });
    expect(after(unpaid, { type: "changed", hasCode: false }).problems).toEqual([]);
  });
});

describe("checkout refusals", () => {
  test("a declined card is shown until something changes or the order is placed again", () => {
    const refused = after(returning, { type: "refused", refusal: declined });
    expect(refused.refusal).toEqual(declined);
    expect(canPlace(refused)).toBe(true);
    expect(after(refused, { type: "changed", hasCode: false }).refusal).toBeNull();
    expect(after(refused, { type: "submitted", isReady: true, problems: [] }).refusal).toBeNull();
  });

  test("sold-out items stay until they are dismissed, and no order is placed meanwhile", () => {
    const refused = after(returning, { type: "refused", refusal: soldOut }, { type: "changed", hasCode: false });
    expect(refused.refusal).toEqual(soldOut);
    expect(canPlace(refused)).toBe(false);
    expect(canPlace(after(refused, { type: "refused", refusal: null }))).toBe(true);
  });

  test("a refused address opens delivery", () => {
    const refused = after(returning, { type: "refused", refusal: badZip });
    expect(refused).toMatchObject({ open: "delivery", moved: true, refusal: badZip });
  });

  test("a rejected discount code stays until another one is tried", () => {
    const rejected = after(returning, { type: "codeRejected", message: "No such code." });
    expect(after(rejected, { type: "changed", hasCode: false }).codeError).toBe("No such code.");
    expect(after(rejected, { type: "changed", hasCode: true }).codeError).toBeNull();
  });
});

test("checkout: no order is placed while the bank's question is open or after the order was placed", () => {
  const at = (phase: CheckoutState["phase"]) => canPlace(after(returning, { type: "paying", phase }));
  expect(at({ kind: "placing", slow: true })).toBe(true);
  expect(at({ kind: "challenge", attemptId: "a1", clientSecret: "s1" })).toBe(false);
  expect(at({ kind: "placed", orderId: 7 })).toBe(false);
});

test("checkout: a customer who comes from the login on the page takes the focus to the first step", () => {
  expect(openCheckout({ isReady: true, isNew: true }).moved).toBe(true);
  expect(openCheckout({ isReady: true, isNew: false }).moved).toBe(false);
});

test.each<Refusal>([
  { kind: "market_changed", message: "Another market." },
  { kind: "cart_empty", message: "Already bought.", orderId: 7 },
])("checkout: after the refusal $kind no order is placed, whatever is changed", (refusal) => {
  const refused = after(returning, { type: "refused", refusal }, { type: "changed", hasCode: false });
  expect(refused.refusal).toEqual(refusal);
  expect(canPlace(refused)).toBe(false);
});

test("checkout: a changed total stays in sight while choices change, and the order can be placed at it", () => {
  const total: Refusal = { kind: "total_changed", message: "The total has changed.", quote: null };
  const changed = after(returning, { type: "refused", refusal: total }, { type: "changed", hasCode: false });
  expect(changed.refusal).toEqual(total);
  expect(canPlace(changed)).toBe(true);
});

test("checkout: a refused address is no longer marked once something is changed or it is sent without a place", () => {
  const refused = after(returning, { type: "refused", refusal: badZip });
  expect(after(refused, { type: "changed", hasCode: false }).refusal).toBeNull();
  expect(after(refused, { type: "submitted", isReady: false, problems: [] }).refusal).toBeNull();
});

test("checkout: opened again, it shows how the try ended that was left while it paid", () => {
  const error = new ApiError("Declined.", { status: 402, details: { code: "card_declined" } });
  const resume = (earlier: PlaceOutcome | null) => resumeCheckout(returning, earlier, []);
  expect(resume(null)).toEqual(returning);
  const placed = { kind: "placed", orderId: 7 } as const;
  expect(resume(placed)).toEqual({ ...returning, phase: placed });
  const challenge = { kind: "challenge", attemptId: "a1", clientSecret: "s1" } as const;
  expect(resume(challenge)).toEqual({ ...returning, phase: challenge });
  expect(resume({ kind: "refused", error })).toMatchObject({
    phase: { kind: "idle" },
    refusal: { kind: "error", message: "Declined." },
  });
  const unknown = resume({ kind: "unknown", error: new ApiError("no network") });
  expect(unknown.refusal).toMatchObject({ kind: "error", title: null });
  expect(unknown.refusal?.message).toContain("charged at most once");
});
