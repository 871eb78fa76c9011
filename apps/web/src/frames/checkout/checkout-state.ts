import type { CartItem } from "@marketday/contracts/cart";
import type { FormProblem } from "@marketday/ui/form.tsx";

import type { PlaceOutcome } from "../../features/checkout/place.ts";
import { failureOf, type Refusal } from "./refusal.ts";

const steps = ["delivery", "extras", "payment"] as const;
export type StepId = (typeof steps)[number];

/** Where paying stands. `slow`: the answer takes longer than usual. */
export type Phase =
  | { kind: "idle" }
  | { kind: "placing"; slow: boolean }
  | { kind: "challenge"; attemptId: string; clientSecret: string }
  | { kind: "placed"; orderId: number };

export interface CheckoutState {
  open: StepId;
  /** A step that opens takes the focus; the first one of the page does not. */
  moved: boolean;
  /** Extras were seen, or the customer has ordered before: the payment need not offer the tip. */
  hasSeenExtras: boolean;
  phase: Phase;
  refusal: Refusal | null;
  /** Of the payment form. */
  problems: FormProblem[];
  /** Why the discount code was rejected. */
  codeError: string | null;
}

export type CheckoutAction =
  | { type: "opened"; step: StepId }
  | { type: "deliveryDone" }
  | { type: "extrasDone" }
  /** A choice changed; `hasCode`: a discount code is tried. */
  | { type: "changed"; hasCode: boolean }
  | { type: "codeRejected"; message: string }
  /** "Place order". `isReady`: delivery has no problems. */
  | { type: "submitted"; isReady: boolean; problems: FormProblem[] }
  | { type: "paying"; phase: Phase }
  /** Null: it was read, and the rest can be bought. */
  | { type: "refused"; refusal: Refusal | null };

/**
 * A returning customer begins at the payment; extras are optional, and delivery leads there too. `isNew`: they came from the login on
 * this page.
 */
export const openCheckout = ({ isReady, isNew }: { isReady: boolean; isNew: boolean }): CheckoutState => ({
  open: isReady ? "payment" : "delivery",
  moved: isNew,
  hasSeenExtras: isReady,
  phase: { kind: "idle" },
  refusal: null,
  problems: [],
  codeError: null,
});

/** The checkout opened again, with the outcome of a try that was left while it paid. `lines`: the cart's. */
export function resumeCheckout(
  state: CheckoutState,
  earlier: PlaceOutcome | null,
  lines: readonly CartItem[],
): CheckoutState {
  if (!earlier) return state;
  if (earlier.kind === "placed" || earlier.kind === "challenge") return { ...state, phase: earlier };
  return checkoutReducer(state, { type: "refused", refusal: failureOf(earlier, lines) });
}

const goTo = (state: CheckoutState, open: StepId): CheckoutState => ({ ...state, open, moved: true });

/** The state of the checkout's steps after an action. */
export function checkoutReducer(state: CheckoutState, action: CheckoutAction): CheckoutState {
  switch (action.type) {
    case "opened":
      return goTo(state, action.step);
    case "deliveryDone":
      return goTo(state, "payment");
    case "extrasDone":
      return goTo({ ...state, hasSeenExtras: true }, "payment");
    case "changed": {
      const isOutdated = state.refusal?.kind === "error" || state.refusal?.kind === "field";
      return {
        ...state,
        problems: [],
        codeError: action.hasCode ? null : state.codeError,
        refusal: isOutdated ? null : state.refusal,
      };
    }
    case "codeRejected":
      return { ...state, codeError: action.message };
    case "submitted": {
      if (!action.isReady) return goTo({ ...state, refusal: null }, "delivery");
      const { problems } = action;
      return { ...state, refusal: null, problems, open: problems.length > 0 ? "payment" : state.open };
    }
    case "paying":
      return { ...state, phase: action.phase };
    case "refused": {
      const { refusal } = action;
      return refusal?.kind === "field" ? goTo({ ...state, refusal }, refusal.step) : { ...state, refusal };
    }
  }
}

/** How a step is shown. */
export function stepState({ open, hasSeenExtras }: CheckoutState, step: StepId): "open" | "done" | "ahead" {
  if (step === open) return "open";
  const isDone = steps.indexOf(step) < steps.indexOf(open) || (step === "extras" && hasSeenExtras);
  return isDone ? "done" : "ahead";
}

/** Whether "Place order" is shown. */
export const canPlace = ({ open, phase, refusal }: CheckoutState): boolean =>
  open === "payment" &&
  (phase.kind === "idle" || phase.kind === "placing") &&
  refusal?.kind !== "sold_out" &&
  refusal?.kind !== "market_changed" &&
  refusal?.kind !== "cart_empty";
