import { useState } from "react";

import { forget, keep, recall } from "./storage.ts";

/** Text somebody is writing, kept in this tab until it is sent: a reload or an ended session loses nothing. */
export function useDraft(key: string) {
  const name = `draft:${key}`;
  const [text, setText] = useState(() => recall<string>("session", name) ?? "");
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
