import { useState } from "react";

import { useUnsaved } from "./busy.ts";
import { forget, keep, recall } from "./storage.ts";

const nameOf = (key: string) => `draft:${key}`;

/** It was sent, or it is not wanted any more. */
export const forgetDraft = (key: string): void => forget("session", nameOf(key));

/** Text that is being written, kept in this tab until it is sent: a reload or an ended session loses nothing. */
export function useDraft(key: string) {
  const name = nameOf(key);
  const [text, setText] = useState(() => recall<string>("session", name) ?? "");
  useUnsaved(text !== "");
  return {
    text,
    write: (next: string) => {
      setText(next);
      if (next === "") forget("session", name);
      else keep("session", name, next);
    },
    clear: () => {
      setText("");
      forget("session", name);
    },
  };
}
