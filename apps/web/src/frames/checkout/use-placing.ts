import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/calls";
import type { placeOrder } from "@marketday/contracts/checkout";
import type { Input } from "@marketday/contracts/endpoint";
import { type Dispatch, useRef } from "react";

import { findOpenOrder, settleOrder } from "../../features/checkout/open-order.ts";
import { isKeyTaken, type PlaceOutcome, sendUntilKnown } from "../../features/checkout/place.ts";
import { call } from "../../lib/api.ts";
import { openPaymentKey, startPayment } from "../../lib/open-payment.ts";
import { forgetToken } from "../payment/stripe-session.ts";
import { orderPlaced } from "../shell/host.ts";
import type { CheckoutAction, Phase } from "./checkout-state.ts";

type PlaceBody = Input<typeof placeOrder>["body"];

/**
 * Places the order and, after the bank's question, completes it. Never two at once. While the result is unknown its key is
 * kept in the tab, and the next press first looks for that result (docs/product.md §7 Frames).
 */
export function usePlacing(
  dispatch: Dispatch<CheckoutAction>,
  onFailed: (outcome: Extract<PlaceOutcome, { error: unknown }>) => void,
) {
  const busy = useRef(false);
  const setPhase = (phase: Phase) => dispatch({ type: "paying", phase });
  const options = { onWaiting: () => setPhase({ kind: "placing", slow: true }) };

  const run = async (send: () => Promise<PlaceOutcome>) => {
    if (busy.current) return;
    busy.current = true;
    setPhase({ kind: "placing", slow: false });
    try {
      const outcome = await send();
      settleOrder(outcome);
      if (outcome.kind !== "unknown") forgetToken();
      if (outcome.kind === "placed") {
        setPhase(outcome);
        orderPlaced(outcome.orderId);
      } else if (outcome.kind === "challenge") setPhase(outcome);
      else {
        setPhase({ kind: "idle" });
        onFailed(outcome);
      }
    } finally {
      busy.current = false;
    }
  };

  const placeOnce = async (body: PlaceBody): Promise<PlaceOutcome> => {
    const earlier = openPaymentKey("checkout") === null ? null : await findOpenOrder(options);
    // A refusal of the earlier try ends it: this one is another.
    if (earlier && earlier.kind !== "refused") return earlier;
    const idempotencyKey = startPayment("checkout");
    const outcome = await sendUntilKnown(() => call(calls.placeOrder, { body }, { idempotencyKey }), options);
    const isTaken = outcome.kind === "refused" && isKeyTaken(outcome.error);
    return (isTaken ? await findOpenOrder(options) : null) ?? outcome;
  };

  return {
    /** `load`: the request's body, or what is wrong with the card typed into the provider's form. */
    place: (load: () => Promise<{ body: PlaceBody } | { problem: string }>) =>
      run(async () => {
        const loaded = await load().catch((failure: unknown) => ({ problem: messageOf(failure) }));
        if ("body" in loaded) return placeOnce(loaded.body);
        return { kind: "refused", error: new ApiError(loaded.problem, { details: { code: "no_attempt" } }) };
      }),
    complete: (attemptId: string, approve: boolean) =>
      run(() => {
        const idempotencyKey = `${startPayment("checkout")}-${approve}`;
        return sendUntilKnown(
          () => call(calls.completeCheckout, { params: { attemptId }, body: { approve } }, { idempotencyKey }),
          options,
        );
      }),
  };
}
