import { useSyncExternalStore } from "react";
import { createPortal } from "react-dom";

import { useReachable } from "./dialog-stack.ts";

/** How long a sentence stays for screen readers, ms. */
const KEPT = 5000;

let lines: readonly { id: number; text: string; urgent: boolean }[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const change = (next: typeof lines) => {
  lines = next;
  for (const listener of listeners) listener();
};

/** Says a sentence through the page's one live region; `urgent` interrupts. */
export function announce(text: string, urgent = false): void {
  const id = ++lastId;
  change([...lines, { id, text, urgent }]);
  setTimeout(() => change(lines.filter((line) => line.id !== id)), KEPT);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/**
 * The page's live regions, rendered once: always there, so that what appears in them is read, and inside the top dialog
 * when there is one, for the rest of the page is inert then.
 */
export function LiveRegion() {
  const all = useSyncExternalStore(subscribe, () => lines);
  return createPortal(
    <>
      <div className="sr" role="status">
        {all.map((line) => !line.urgent && <p key={line.id}>{line.text}</p>)}
      </div>
      <div className="sr" role="alert">
        {all.map((line) => line.urgent && <p key={line.id}>{line.text}</p>)}
      </div>
    </>,
    useReachable(),
  );
}
