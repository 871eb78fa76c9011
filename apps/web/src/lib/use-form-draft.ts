import { useState } from "react";

import { addChanges, type Changes, withChanges } from "./changes.ts";
import { removeItem, setItem, getItem } from "./storage.ts";
import { useUnsaved } from "./unsaved-work.ts";

/**
 * A form being filled in. What was changed is kept in this tab until it is sent, so that a reload or a way out and back
 * loses nothing; the rest follows `first`, the values before anything was typed. No passwords.
 */
export function useFormDraft<T extends object>(key: string, first: T) {
  const name = `draft:${key}`;
  const [changes, setChanges] = useState<Changes<T>>(() => getItem<Changes<T>>("session", name) ?? {});
  const [isKept, setKept] = useState(() => Object.keys(changes).length > 0);
  useUnsaved(isKept);
  const values = withChanges(first, changes);
  return {
    values,
    put: (change: Partial<T>) => {
      const next = addChanges(changes, change, first);
      const isChanged = Object.keys(next).length > 0;
      setChanges(next);
      setKept(isChanged);
      if (isChanged) setItem("session", name, next);
      else removeItem("session", name);
    },
    /** It was sent: nothing is kept. `to`: what the form shows from now on. */
    clear: (to: T = first) => {
      setChanges(addChanges({}, to, first));
      setKept(false);
      removeItem("session", name);
    },
  };
}
