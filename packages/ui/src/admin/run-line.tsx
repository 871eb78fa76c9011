import * as t from "#messages";

import { cx } from "../cx.ts";
import { VisuallyHidden } from "../visually-hidden.tsx";
import { Mark } from "./mark.tsx";

import s from "./run-line.module.css";

export type RunState = "ahead" | "now" | "done" | "due" | "late" | "off";

export interface RunStep {
  key: string;
  /** The step: "Sheets". */
  name: string;
  state: RunState;
  /** When, or how many: "6 PM", "41 of 63". */
  words: string;
}

const stateWords = (state: RunState): string => {
  switch (state) {
    case "ahead":
      return t.stepAhead;
    case "now":
      return t.stepNow;
    case "done":
      return t.stepDone;
    case "due":
      return t.stepDue;
    case "late":
      return t.stepLate;
    case "off":
      return t.stepOff;
  }
};

/** The step at which the work is: the last one that is not ahead of its time or left out. */
const lastReached = (steps: readonly RunStep[]) =>
  steps.findLastIndex(({ state }) => state !== "ahead" && state !== "off");

/**
 * The steps of a delivery day, connected as far as the work has come. Below 1024 px without the words under the marks, which screen
 * readers get at every width.
 */
export function RunLine({ label, steps }: { label: string; steps: readonly RunStep[] }) {
  const reached = lastReached(steps);
  return (
    <ol className={s.line} aria-label={label}>
      {steps.map(({ key, name, state, words }, index) => (
        <li key={key} className={cx(s.step, s[state], index <= reached && s.reached)}>
          <span className={s.mark}>
            <Mark shape={state} size={state === "off" ? "md" : "lg"} />
          </span>
          <VisuallyHidden>{t.runStep(name, stateWords(state))}</VisuallyHidden>
          <span className={s.words}>{words}</span>
        </li>
      ))}
    </ol>
  );
}

/** The names over the columns of run lines. Each step has its name, so it is hidden from screen readers and below 1024 px. */
export const RunLineHead = ({ names }: { names: readonly string[] }) => (
  <div className={s.head} aria-hidden="true">
    {names.map((name) => (
      <span key={name} className={s.name}>
        {name}
      </span>
    ))}
  </div>
);
