import * as calls from "@marketday/contracts/calls";

import { call } from "../../lib/api.ts";
import { openPaymentKey } from "../../lib/open-payment.ts";
import { removeItem } from "../../lib/storage.ts";
import { type PlaceOutcome, sendUntilKnown } from "./place.ts";

/** Where the choices of the checkout are kept in this tab. */
export const CHECKOUT_DRAFT = "checkout";

/** The order is placed: the next one starts from the account again. */
export const forgetCheckoutDraft = (): void => removeItem("session", CHECKOUT_DRAFT);

/** The outcome of the checkout whose response this tab does not have; null: there is none, or nothing was placed. */
export async function findOpenOrder(options: Parameters<typeof sendUntilKnown>[1] = {}): Promise<PlaceOutcome | null> {
  const key = openPaymentKey("checkout");
  if (key === null) return null;
  const outcome = await sendUntilKnown(() => call(calls.resumeCheckout, { body: { key } }), options);
  return outcome.kind === "refused" && outcome.error.code === "no_attempt" ? null : outcome;
}
