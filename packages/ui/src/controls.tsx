import { type ReactNode, useLayoutEffect, useRef } from "react";

import s from "./controls.module.css";

interface ControlsProps {
  /** What they are, for who does not see it. */
  label: string;
  /** Something of them is being saved: they rest, all of them, and the focus comes back afterwards. */
  saving: boolean;
  children: ReactNode;
}

/** Controls that are saved as soon as they are changed. */
export function Controls({ label, saving, children }: ControlsProps) {
  const focused = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const active = document.activeElement;
    // The focus has not moved meanwhile: it is on `body`, where a disabled control loses it.
    const isLost = active === document.body || active instanceof HTMLDialogElement;
    if (!saving && isLost && focused.current?.isConnected) focused.current.focus({ preventScroll: true });
  }, [saving]);
  return (
    // Only listens to where the focus goes inside of it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset
      disabled={saving}
      aria-busy={saving || undefined}
      className={s.controls}
      onFocus={({ target }) => {
        focused.current = target;
      }}
      onBlur={() => {
        if (!saving) focused.current = null;
      }}
    >
      <legend className="sr">{label}</legend>
      {children}
    </fieldset>
  );
}
