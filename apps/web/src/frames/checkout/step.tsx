import { Button } from "@marketday/ui/button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { type ReactNode, useEffect, useId, useRef } from "react";

import s from "./step.module.css";

interface StepProps {
  number: number;
  title: string;
  state: "open" | "done" | "ahead";
  /** Shown in one row when it is done. */
  summary?: ReactNode;
  onChange?: () => void;
  /** Takes the focus when it opens: not for the first one of a page. */
  focuses: boolean;
  children: ReactNode;
}

/** One step of the page: open, folded to a row with Change, or still ahead. */
export function Step({ number, title, state, summary, onChange, focuses, children }: StepProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const wasOpen = useRef(state === "open" && !focuses);
  useEffect(() => {
    const opened = state === "open" && !wasOpen.current;
    wasOpen.current = state === "open";
    if (!opened) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: "start" });
  }, [state]);
  return (
    <section className={s.step} data-state={state} aria-labelledby={id}>
      <div className={s.head}>
        <span className={s.mark} aria-hidden="true">
          {state === "done" ? <Icon name="check" size="sm" /> : number}
        </span>
        <h2 id={id} ref={heading} tabIndex={-1} className={s.title}>
          {title}
        </h2>
        {state === "done" && onChange && (
          <Button kind="link" aria-label={`Change ${title.toLowerCase()}`} onClick={onChange}>
            Change
          </Button>
        )}
      </div>
      {state === "open" && <div className={s.body}>{children}</div>}
      {state === "done" && summary && <p className={s.summary}>{summary}</p>}
    </section>
  );
}
