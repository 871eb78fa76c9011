import type { Order } from "@marketday/contracts/orders";
import { TOAST_MS } from "@marketday/domain/limits";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { ApiError } from "../../lib/api.ts";
import { messageOf, messages } from "../../lib/messages.ts";
import { useUnsaved } from "../../lib/unsaved-work.ts";
import { useAction } from "../../lib/use-action.ts";
import { refreshOrders, submitEdit } from "./api.ts";
import { type Changes, changedOrders, editLines, isEmptied, lineKeys } from "./edit.ts";
import { allItems } from "./reorder.ts";

/** Changes that were left without saving or discarding: closing the receipt loses nothing. Keys name the order. */
const unsaved = new Map<string, number>();

/**
 * The lines of a box while they are lowered, and one save for all of it. Only what was changed is kept: everything else
 * follows the order as it is read again. `id` is the number the order was opened by.
 */
export function useEdit(order: Order, id: number) {
  const client = useQueryClient();
  const [changes, setChanges] = useState<Changes>(() => Object.fromEntries(unsaved));
  const { running, error, attempt, clearError } = useAction();
  const items = allItems(order);
  const keys = lineKeys(items);
  const lines = editLines(order, changes);
  const pending = changedOrders(order, lines);
  useUnsaved(pending.length > 0);

  const set = (place: number, quantity: number) => {
    const key = keys[place];
    const bought = items[place]?.quantity;
    if (key === undefined || bought === undefined) return;
    const { [key]: _before, ...others } = changes;
    if (quantity >= bought) unsaved.delete(key);
    else unsaved.set(key, quantity);
    setChanges(quantity >= bought ? others : { ...others, [key]: quantity });
  };
  const discard = () => {
    clearError();
    for (const key of keys) unsaved.delete(key);
    setChanges({});
  };
  /** One request for each changed order, until the first that is refused. Saved changes stay saved. */
  const save = async (): Promise<"changed" | "deleted" | "failed"> => {
    let saved = 0;
    const run = async () => {
      let after: Order | null = order;
      for (const part of pending) {
        after = await submitEdit(client, id, part.id, part.lines);
        saved += 1;
        for (const key of keys) if (key.startsWith(`${part.id} `)) unsaved.delete(key);
        setChanges(Object.fromEntries(unsaved));
      }
      toast({ text: after ? messages.orderSubmitted : messages.orderDeleted, duration: TOAST_MS });
      return after ? "changed" : "deleted";
    };
    const save = () =>
      run().catch((failure: unknown) => {
        // Refused: what is shown may be out of date.
        if (failure instanceof ApiError && failure.status !== undefined) void refreshOrders(client);
        throw failure;
      });
    const wording = (failure: unknown) =>
      saved > 0 ? `${messageOf(failure)} ${messages.orderPartlySaved}` : messageOf(failure);
    return (await attempt("save", save, wording)) ?? "failed";
  };
  const saving = running !== null;
  return { lines, changed: pending.length > 0, emptied: isEmptied(lines), saving, error, set, discard, save };
}
