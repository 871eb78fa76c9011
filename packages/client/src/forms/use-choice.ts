import { useEffect, useRef, useState } from "react";

/**
 * A control whose choice is sent at once, or, when arrow keys walk through its choices, once they have rested on one for `waitMs`. One
 * request at a time; what is chosen meanwhile is sent after it, the last one alone. A choice that waits is sent too when the control
 * leaves the screen.
 */
export function useChoice<T>(send: (value: T) => Promise<unknown>, waitMs: number) {
  const [shown, setShown] = useState<{ value: T } | null>(null);
  const next = useRef<{ value: T } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isSending = useRef(false);
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });

  const settle = async (): Promise<void> => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const choice = next.current;
    if (isSending.current || choice === null) return;
    next.current = null;
    isSending.current = true;
    try {
      await latest.current(choice.value);
    } finally {
      isSending.current = false;
      if (next.current === null) setShown(null);
      // Without a timer it was to be sent while this one was on its way.
      else if (timer.current === undefined) void settle();
    }
  };
  const choose = (value: T, waits: boolean): void => {
    next.current = { value };
    setShown(next.current);
    clearTimeout(timer.current);
    timer.current = undefined;
    if (waits) timer.current = setTimeout(() => void settle(), waitMs);
    else void settle();
  };
  const leave = useRef(settle);
  useEffect(() => {
    leave.current = settle;
  });
  useEffect(() => () => void leave.current(), []);
  return {
    /** What was chosen and is not saved yet. */
    shown,
    choose,
    /** Sends what waits: the focus leaves the control, or Enter is pressed. */
    settle: (): void => void settle(),
  };
}
