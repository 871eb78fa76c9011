import { useState } from "react";

import { forget, keep, recall } from "./storage.ts";

/**
 * A form somebody is filling in, kept in this tab until it is sent: a reload, a way out and back, or an ended session loses
 * nothing. `first`: what stands there before anything was typed. No passwords.
 */
export function useFormDraft<T extends Record<string, unknown>>(key: string, first: T) {
  const name = `draft:${key}`;
  const [values, setValues] = useState<T>(() => ({ ...first, ...recall<Partial<T>>("session", name) }));
  return {
    values,
    put: (change: Partial<T>) => {
      const next = { ...values, ...change };
      setValues(next);
      keep("session", name, next);
    },
    clear: (to: T = first) => {
      setValues(to);
      forget("session", name);
    },
  };
}
