import { getItem, removeItem, setItem } from "../../lib/storage.ts";
import type { Changes } from "./edit.ts";

/** Changes that are not saved, of all boxes. */
const CHANGES = "order-changes";

const listeners = new Set<() => void>();

/** The storage may be full. */
let kept: Changes | null = null;

/** Quantities that were lowered in this tab and not saved. They outlive their receipt and a reload. */
export const keptChanges = (): Changes => (kept ??= getItem<Changes>("session", CHANGES) ?? {});

/** Keeps them, in place of those before. */
export function keepChanges(changes: Changes): void {
  kept = changes;
  if (Object.keys(changes).length > 0) setItem("session", CHANGES, changes);
  else removeItem("session", CHANGES);
  for (const listener of listeners) listener();
}

/** Runs when they change. Returns what stops it. */
export function onKeptChanges(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
