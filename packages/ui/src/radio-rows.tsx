import { type ReactNode, useId } from "react";

import * as t from "#messages";

import { Radio } from "./radio.tsx";
import { VisuallyHidden } from "./visually-hidden.tsx";

import s from "./radio-rows.module.css";

interface RadioRow<T extends string | number> {
  value: T;
  label: ReactNode;
  /** Under the label, smaller. */
  note?: ReactNode;
  /** At the right end: a price. */
  end?: ReactNode;
  disabled?: boolean;
}

interface RadioRowsProps<T extends string | number> {
  legend: string;
  legendHidden?: boolean;
  rows: RadioRow<T>[];
  value: T | null;
  onChange: (value: T) => void;
  /** Id of its first row, for an error summary. */
  id?: string;
  error?: string | null;
}

/** A choice of up to about six as rows, each with room for a price. Native radios: arrow keys work by themselves. */
export function RadioRows<T extends string | number>({
  legend,
  legendHidden,
  rows,
  value,
  onChange,
  id,
  error,
}: RadioRowsProps<T>) {
  const name = useId();
  const errorId = `${name}-error`;
  return (
    <fieldset className={s.rows} aria-describedby={error ? errorId : undefined}>
      <legend className={legendHidden ? "sr" : s.legend}>{legend}</legend>
      {rows.map((row, place) => (
        <label key={row.value} className={s.row}>
          <Radio
            id={place === 0 ? id : undefined}
            name={name}
            value={row.value}
            checked={row.value === value}
            disabled={row.disabled}
            onChange={() => onChange(row.value)}
          />
          <span className={s.text}>
            {row.label}
            {row.note && <small className={s.note}>{row.note}</small>}
          </span>
          {row.end && <span className={s.end}>{row.end}</span>}
        </label>
      ))}
      {error && (
        <p id={errorId} className={s.error}>
          <VisuallyHidden>{t.errorPrefix}</VisuallyHidden>
          {error}
        </p>
      )}
    </fieldset>
  );
}
