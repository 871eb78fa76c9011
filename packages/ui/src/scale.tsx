import { type Ref, useId } from "react";

import * as t from "#messages";

import { VisuallyHidden } from "./visually-hidden.tsx";

import s from "./scale.module.css";

interface ScaleProps {
  legend: string;
  /** The words of each step, the lowest first. Their places count from `from`. */
  labels: readonly string[];
  from?: number;
  value: number | null;
  onChange: (value: number) => void;
  /** Id of its first step, for an error summary. */
  id?: string;
  error?: string | null;
  /** Its first step. */
  ref?: Ref<HTMLInputElement>;
}

/** How much, on a scale of numbers with words under them: one step each, in one line. Native radios. */
export function Scale({ legend, labels, from = 1, value, onChange, id, error, ref }: ScaleProps) {
  const name = useId();
  const errorId = `${name}-error`;
  return (
    <fieldset className={s.scale} aria-describedby={error ? errorId : undefined}>
      <legend className={s.legend}>{legend}</legend>
      <div className={s.steps}>
        {labels.map((label, place) => (
          <label key={label} className={s.step}>
            <input
              ref={place === 0 ? ref : undefined}
              id={place === 0 ? id : undefined}
              type="radio"
              name={name}
              value={from + place}
              checked={value === from + place}
              onChange={() => onChange(from + place)}
            />
            <b className={s.number}>{from + place}</b>
            <span className={s.words}>{label}</span>
          </label>
        ))}
      </div>
      {error && (
        <p id={errorId} className={s.error}>
          <VisuallyHidden>{t.errorPrefix}</VisuallyHidden>
          {error}
        </p>
      )}
    </fieldset>
  );
}
