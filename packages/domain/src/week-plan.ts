/** What of a delivery day is due, done and late (docs/product.md §14 `week`). */

import { REMIND_LEAD_MS } from "./limits.ts";
import { atOrAfter, addMs, Minute } from "./time.ts";

/** The clockwork's steps of a delivery day, in the order in which they come due. */
export const WEEK_STEPS = [
  "open",
  "remind_auto_checkout",
  "auto_checkout",
  "remind_order_by",
  "cutoff",
  "sheets",
  "close",
] as const;
export type WeekStep = (typeof WEEK_STEPS)[number];

/**
 * `missed`: its time, or the cutoff, had passed before it could run; `before`: it came due before the market existed; `errors`:
 * done, but not for everybody.
 */
export type StepState = "ahead" | "due" | "running" | "late" | "done" | "errors" | "missed" | "before";

/** A step's row, when it was begun. */
export interface StepRun {
  step: string;
  /** running | done | done_with_errors | missed */
  state: string;
  leaseUntil: Date;
  doneAt: Date | null;
  errors: readonly string[];
}

/** A delivery day as its rows say. Instants. */
export interface WeekDay {
  /** When the hub was created: what came due before that is no fault. */
  hubSince: Date;
  /** The cutoff before this one; null for a hub's first day. */
  opensAt: Date | null;
  autoCheckoutAt: Date;
  cutoffAt: Date;
  /** The end of the day in the hub's zone. */
  closesAt: Date;
  runs: readonly StepRun[];
  /** The newest frozen version; `isStale`: orders have changed since. */
  snapshot: { version: number; frozenAt: Date; isStale: boolean } | null;
}

/** One line of the week. `at` is when it comes due, null when unknown. */
export interface WeekLineItem {
  step: WeekStep;
  at: Date | null;
  state: StepState;
  doneAt: Date | null;
  errors: readonly string[];
}

/** A step that is not done so long after it came due is late: jobs look every minute, a cutoff waits ten for payments. */
export const LATE_AFTER_MS = 15 * Minute.ms;

/** `running` with a lease that ran out has died: it is due again, and late at once. */
function stateOf(run: StepRun | undefined, at: Date | null, now: Date): StepState {
  if (run?.state === "done") return "done";
  if (run?.state === "done_with_errors") return "errors";
  if (run?.state === "missed") return "missed";
  if (run && !atOrAfter(now, run.leaseUntil)) return "running";
  if (run) return "late";
  if (at === null || !atOrAfter(now, at)) return "ahead";
  return atOrAfter(now, addMs(at, LATE_AFTER_MS)) ? "late" : "due";
}

/**
 * Sheets can be made when the cutoff has run, and are due again when an order was cancelled or came short since. When the
 * day is over they are no longer needed.
 */
function sheetsOf({ hubSince, snapshot, cutoffAt, closesAt, runs }: WeekDay, now: Date): WeekLineItem {
  const base = { step: "sheets", at: cutoffAt, doneAt: snapshot?.frozenAt ?? null, errors: [] } as const;
  const isOver = atOrAfter(now, closesAt);
  if (snapshot) return { ...base, state: snapshot.isStale && !isOver ? "due" : "done" };
  const hasRun = runs.some(({ step, state }) => step === "cutoff" && state !== "running");
  if (isOver && atOrAfter(hubSince, cutoffAt)) return { ...base, state: "before" };
  return { ...base, state: !hasRun ? "ahead" : isOver ? "missed" : "due" };
}

/** Every step of a day with its state at `now`. */
export function planWeek(day: WeekDay, now: Date): WeekLineItem[] {
  const times: Record<Exclude<WeekStep, "sheets">, Date | null> = {
    open: day.opensAt,
    remind_auto_checkout: addMs(day.autoCheckoutAt, -REMIND_LEAD_MS),
    auto_checkout: day.autoCheckoutAt,
    remind_order_by: addMs(day.cutoffAt, -REMIND_LEAD_MS),
    cutoff: day.cutoffAt,
    close: day.closesAt,
  };
  return WEEK_STEPS.map((step): WeekLineItem => {
    if (step === "sheets") return sheetsOf(day, now);
    const run = day.runs.find((each) => each.step === step);
    const end = step === "remind_auto_checkout" ? day.autoCheckoutAt : step === "close" ? null : day.cutoffAt;
    const isOver = step !== "cutoff" && end !== null && atOrAfter(now, end);
    const planned = !run && isOver ? "missed" : stateOf(run, times[step], now);
    const at = times[step];
    const state = planned === "missed" && at !== null && atOrAfter(day.hubSince, at) ? "before" : planned;
    return { step, at, state, doneAt: run?.doneAt ?? null, errors: run?.errors ?? [] };
  });
}
