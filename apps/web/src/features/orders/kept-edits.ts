import { newKey } from "@marketday/client/forms/new-key.ts";

import { getItem, removeItem, setItem } from "../../lib/storage.ts";
import type { Changes } from "./edit.ts";

/** Changes that are not saved, of all boxes. */
const CHANGES = "order-changes";
/** Idempotency keys of edits whose response this tab does not have, by what they send. */
const KEYS = "order-edit-keys";

const listeners = new Set<() => void>();

const put = (name: string, values: Readonly<Record<string, unknown>>): void =>
  Object.keys(values).length > 0 ? setItem("session", name, values) : removeItem("session", name);

/** The storage may be full. */
let kept: Changes | null = null;

/** Quantities that were lowered in this tab and not saved. They outlive their receipt and a reload. */
export const keptChanges = (): Changes => (kept ??= getItem<Changes>("session", CHANGES) ?? {});

/** Keeps them, in place of those before. */
export function keepChanges(changes: Changes): void {
  kept = changes;
  put(CHANGES, changes);
  for (const listener of listeners) listener();
}

/** Runs when they change. Returns what stops it. */
export function onKeptChanges(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const keys = () => getItem<Record<string, string>>("session", KEYS) ?? {};

/** The key for an edit: that of the same one before, if its result is unknown, so that it changes nothing twice. */
export function startSaving(edit: string): string {
  const key = keys()[edit] ?? newKey();
  put(KEYS, { ...keys(), [edit]: key });
  return key;
}

/** Its result is known. */
export function endSaving(edit: string): void {
  const { [edit]: _ended, ...others } = keys();
  put(KEYS, others);
}
