import type { TodayRow } from "@marketday/contracts/admin/today";
import type { RunStep } from "@marketday/ui/admin/run-line.tsx";

import * as t from "#messages/today";

type Step = TodayRow["steps"][number];

/** How far a step is: null without numbers. */
function progress({ step, state, count, total }: Step): string | null {
  if (count === null || total === null) return null;
  if (step === "vendors_in") return t.someOf(count, total);
  if (step === "paid_out") return count === 0 || count === total ? t.farms(total) : t.farmsOf(count, total);
  return state === "done" && count >= total ? t.number(total) : t.someOf(count, total);
}

/** When a step is due or was done; the cutoff to the minute, because people wait for it. */
function formatAt({ step, state, at }: Step, zone: string, now: Date): string | null {
  if (at === null) return null;
  const date = new Date(at);
  if (state === "late") return t.dueAt(t.when(date, zone, now));
  return step === "cutoff" ? t.whenExactly(date, zone, now) : t.when(date, zone, now);
}

/** The words under a step's mark: when, or how many. */
function wordsOf(step: Step, zone: string, now: Date): string {
  const at = formatAt(step, zone, now);
  switch (step.state) {
    case "off":
      // Not recorded by the market: it is ticked off on the sheets.
      if (step.total !== null && step.count === null) return t.onPaper;
      return progress(step) ?? (at === null ? t.noWords : t.missed);
    case "done":
      return (step.version === null ? progress(step) : t.version(step.version)) ?? at ?? "";
    case "due":
      return progress(step) ?? (at === null ? "" : t.dueAt(at));
    case "now":
      return progress(step) ?? at ?? "";
    case "late":
      return at ?? progress(step) ?? "";
    case "ahead":
      return at ?? (step.step === "vendors_in" && step.total !== null ? t.farms(step.total) : "");
  }
}

/** The steps of a row as the run line shows them. */
export const runSteps = ({ steps, hub }: TodayRow, now: Date): RunStep[] =>
  steps.map((step) => ({
    key: step.step,
    name: t.stepNames[step.step],
    state: step.state,
    words: wordsOf(step, hub.timeZone, now),
  }));

/** The step that a row is about: the first that is late or due, else the one that runs, else the next one. */
export function currentStep(steps: readonly RunStep[]): RunStep | undefined {
  const of = (...states: RunStep["state"][]) => steps.find(({ state }) => states.includes(state));
  return of("late", "due") ?? of("now") ?? of("ahead");
}
