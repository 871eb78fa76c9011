import * as calls from "@marketday/contracts/calls";

import { call } from "../../lib/api.ts";
import { endPayment, openPaymentKey } from "../../lib/open-payment.ts";
import { removeItem } from "../../lib/storage.ts";
import { mayHavePaid, type PlaceOutcome, sendUntilKnown } from "./place.ts";

/** Where the choices of the checkout are kept in this tab. */
export const CHECKOUT_DRAFT = "checkout";

/** Ends the attempt once its outcome is known. After a placed order the next one starts from the account again. */
export function settleOrder(outcome: PlaceOutcome): void {
  const isPlaced = outcome.kind === "placed";
  if (isPlaced) removeItem("session", CHECKOUT_DRAFT);
  if (isPlaced || (outcome.kind === "refused" && !mayHavePaid(outcome.error))) endPayment("checkout");
}

/** The outcome of the checkout whose response this tab does not have; null: there is none, or nothing was placed. */
export async function findOpenOrder(options: Parameters<typeof sendUntilKnown>[1] = {}): Promise<PlaceOutcome | null> {
  const key = openPaymentKey("checkout");
  if (key === null) return null;
  const outcome = await sendUntilKnown(() => call(calls.resumeCheckout, { body: { key } }), options);
  return outcome.kind === "refused" && outcome.error.code === "no_attempt" ? null : outcome;
}
