import { useState } from "react";

import { removeItem, setItem, getItem } from "./storage.ts";
import { useUnsaved } from "./unsaved-work.ts";

const nameOf = (key: string) => `draft:${key}`;

/** It was sent, or it is not wanted any more. */
export const forgetDraft = (key: string): void => removeItem("session", nameOf(key));

/** Text that is being written, kept in this tab until it is sent: a reload or an ended session loses nothing. */
export function useDraft(key: string) {
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
}
