import { createContext, type ReactNode, useContext, useId, useMemo } from "react";

import * as t from "#messages";

import { VisuallyHidden } from "./visually-hidden.tsx";

import s from "./field.module.css";

interface FieldState {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
}
const FieldContext = createContext<FieldState | null>(null);

/** What a control inside a `Field` puts on its element; outside of one, nothing. */
export function useFieldProps() {
  const field = useContext(FieldContext);
  if (!field) return {};
  return { id: field.id, "aria-describedby": field.describedBy, "aria-invalid": field.invalid || undefined };
}

interface FieldProps {
  label: string;
  /** Kept for screen readers where the design has no room for it. */
  labelHidden?: boolean;
  hint?: string;
  /** What to do about it; shown and tied to the control. */
  error?: string | null;
  /** At the right of the label: a counter, a link. */
  aside?: ReactNode;
  /** The control's id, when something else needs to point at it (the error summary). */
  id?: string;
  children: ReactNode;
}

/** Label above, hint, control, error: everything tied together by id. */
export function Field({ label, labelHidden, hint, error, aside, id, children }: FieldProps) {
  const own = useId();
  const control = id ?? own;
  const describedBy = [hint && `${control}-hint`, error && `${control}-error`].filter(Boolean).join(" ") || undefined;
  const invalid = Boolean(error);
  const state = useMemo(() => ({ id: control, describedBy, invalid }), [control, describedBy, invalid]);
  return (
    <div className={s.field}>
      <div className={labelHidden ? "sr" : s.top}>
        <label className={s.label} htmlFor={control}>
          {label}
        </label>
        {aside}
      </div>
      {hint && (
        <p className={s.hint} id={`${control}-hint`}>
          {hint}
        </p>
      )}
      <FieldContext value={state}>{children}</FieldContext>
      {error && (
        <p className={s.error} id={`${control}-error`}>
          <VisuallyHidden>{t.errorPrefix}</VisuallyHidden>
          {error}
        </p>
      )}
    </div>
  );
}
