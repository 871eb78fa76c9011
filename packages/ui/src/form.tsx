import { type FormEvent, type ReactNode, useEffect, useRef } from "react";

import * as t from "#messages";

import s from "./form.module.css";

export interface FormProblem {
  /** The control's id. */
  field: string;
  message: string;
}

interface FormProps {
  onSubmit: () => void;
  /** What the last submit found. More than one: the summary takes the focus; one: its field does. */
  problems?: FormProblem[];
  /** For a button outside of it, such as in a dialog's foot. */
  id?: string;
  children: ReactNode;
}

/** A form with our own rules (native ones off): errors come after a submit and name the field. */
export function Form({ onSubmit, problems = [], id, children }: FormProps) {
  const summary = useRef<HTMLDivElement>(null);
  const before = useRef<readonly FormProblem[]>([]);
  useEffect(() => {
    const [first, second] = problems;
    // The rest of the same ones, while the others are corrected: the focus stays where one types.
    const isRest = problems.every((problem) => before.current.includes(problem));
    before.current = problems;
    if (isRest) return;
    if (second) summary.current?.focus();
    else if (first) document.getElementById(first.field)?.focus();
  }, [problems]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form id={id} noValidate className={s.form} onSubmit={submit}>
      {problems.length > 1 && (
        <div ref={summary} tabIndex={-1} className={s.summary} role="alert">
          <h3>{t.problemSummary}</h3>
          <ul>
            {problems.map(({ field, message }) => (
              <li key={field}>
                <a
                  href={`#${field}`}
                  onClick={(event) => {
                    event.preventDefault();
                    const control = document.getElementById(field);
                    // The label too must come into view, not only its control.
                    document.querySelector(`label[for="${CSS.escape(field)}"]`)?.scrollIntoView({ block: "start" });
                    control?.focus({ preventScroll: true });
                  }}
                >
                  {message}
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
      {children}
    </form>
  );
}
