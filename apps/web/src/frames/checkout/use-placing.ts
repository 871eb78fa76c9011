import * as calls from "@marketday/contracts/calls";
import type { Input } from "@marketday/contracts/endpoint";
import { type Dispatch, useRef } from "react";

import { call } from "../../lib/api.ts";
import { forgetToken } from "../payment/stripe-session.ts";
import { orderPlaced } from "../shell/host.ts";
import type { CheckoutAction, Phase } from "./checkout-state.ts";
import { forgetDraft } from "./draft.ts";
import { AttemptKeys, type PlaceCall, type PlaceOutcome, sendUntilKnown } from "./place.ts";

export type PlaceBody = Input<PlaceCall>["body"];

/** Places the order and, after the bank's question, completes it. Never two at once; a key per attempt. */
export function usePlacing(
  dispatch: Dispatch<CheckoutAction>,
  onFailed: (outcome: Extract<PlaceOutcome, { error: unknown }>) => void,
) {
  const keys = useRef(new AttemptKeys());
  const busy = useRef(false);
  const setPhase = (phase: Phase) => dispatch({ type: "paying", phase });

  const run = async (about: unknown, send: (idempotencyKey: string) => Parameters<typeof sendUntilKnown>[0]) => {
    if (busy.current) return;
    busy.current = true;
    setPhase({ kind: "placing", slow: false });
    try {
      const outcome = await sendUntilKnown(send(keys.current.keyFor(about)), {
        onWaiting: () => setPhase({ kind: "placing", slow: true }),
      });
      keys.current.settle(outcome);
      if (outcome.kind !== "unknown") forgetToken();
      if (outcome.kind === "placed") {
        forgetDraft();
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

  return {
    place: (body: PlaceBody) =>
      run(body, (idempotencyKey) => () => call(calls.placeOrder, { body }, { idempotencyKey })),
    complete: (attemptId: string, approve: boolean) =>
      run(
        { attemptId, approve },
        (idempotencyKey) => () =>
          call(calls.completeCheckout, { params: { attemptId }, body: { approve } }, { idempotencyKey }),
      ),
  };
}
