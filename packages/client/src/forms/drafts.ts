import { useRef, useState } from "react";

import type { AppStorage } from "../storage.ts";
import { useUnsaved } from "../unsaved-work.ts";
import { addChanges, type Changes, isSame, withChanges } from "./changes.ts";

/** What was changed after `sent` was read from the form: over `saved`, the account's values since. */
export function changesSince<T extends object>(changes: Changes<T>, sent: T, saved: T): Changes<T> {
  const later: Changes<T> = {};
  for (const key of Object.keys(changes) as (keyof T)[]) {
    const change = changes[key];
    if (change && !isSame(change.value, sent[key])) later[key] = { value: change.value, over: saved[key] ?? null };
  }
  return later;
}

/** The drafts of an app: what is being typed is kept in its tab until it is sent. */
export function createDrafts({ getItem, removeItem, setItem }: AppStorage) {
  const nameOf = (key: string) => `draft:${key}`;
  return {
    /** It was sent, or it is not wanted any more. */
    forgetDraft: (key: string): void => removeItem("session", nameOf(key)),

    /** Text that is being written, kept in this tab until it is sent: a reload or an ended session loses nothing. */
    useDraft: (key: string) => {
      const name = nameOf(key);
      const [text, setText] = useState(() => getItem<string>("session", name) ?? "");
      useUnsaved(text !== "");
      return {
        text,
        write: (next: string) => {
          setText(next);
          if (next === "") removeItem("session", name);
          else setItem("session", name, next);
        },
        clear: () => {
          setText("");
          removeItem("session", name);
        },
      };
    },

    /**
     * A form being filled in. What was changed is kept in this tab until it is sent, so that a reload or a way out and back
     * loses nothing; the rest follows `first`, the values before anything was typed. No passwords.
     */
    useFormDraft: <T extends object>(key: string, first: T) => {
      const name = nameOf(key);
      const [changes, setChanges] = useState<Changes<T>>(() => getItem<Changes<T>>("session", name) ?? {});
      /** The newest, also for what began before the last change. */
      const latest = useRef(changes);
      const keep = (next: Changes<T>) => {
        latest.current = next;
        setChanges(next);
        if (Object.keys(next).length > 0) setItem("session", name, next);
        else removeItem("session", name);
      };
      useUnsaved(Object.keys(changes).length > 0);
      return {
        values: withChanges(first, changes),
        put: (change: Partial<T>) => keep(addChanges(latest.current, change, first)),
        /** It was sent: nothing is kept. */
        clear: () => keep({}),
        /** `sent` is saved, as `saved`: what was typed since stays. */
        settle: (sent: T, saved: T) => keep(changesSince(latest.current, sent, saved)),
      };
    },
  };
}
