import * as calls from "@marketday/contracts/calls";
import type { Input } from "@marketday/contracts/endpoint";
import { useRef, useState } from "react";

import { call } from "../../lib/api.ts";
import { orderPlaced } from "../host.ts";
import { forgetToken } from "../payment/stripe-session.ts";
import { forgetDraft } from "./draft.ts";
import { AttemptKeys, type PlaceCall, type PlaceOutcome, sendUntilKnown } from "./place.ts";

export type PlaceBody = Input<PlaceCall>["body"];

/** Where paying stands. `slow`: the answer takes longer than usual. */
export type Phase =
  | { kind: "idle" }
  | { kind: "placing"; slow: boolean }
  | { kind: "challenge"; attemptId: string; clientSecret: string }
  | { kind: "placed"; orderId: number };

/** Places the order and, after the bank's question, completes it. Never two at once; a key per attempt. */
export function usePlacing(onFailed: (outcome: Extract<PlaceOutcome, { error: unknown }>) => void) {
  const [phase, setPhase] = useState<Phase>({ kind: "idle" });
  const keys = useRef(new AttemptKeys());
  const busy = useRef(false);

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
    phase,
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
