import type { Order } from "@marketday/contracts/orders";
import { TOAST_MS } from "@marketday/domain/limits";
import { toast } from "@marketday/ui/toast-store.ts";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { ApiError } from "../../lib/api.ts";
import { messageOf, messages } from "../../lib/messages.ts";
import { newKey } from "../../lib/new-key.ts";
import { useUnsaved } from "../../lib/unsaved-work.ts";
import { useAction } from "../../lib/use-action.ts";
import { refreshOrders, submitEdit } from "./api.ts";
import { type Changes, changedOrders, editLines, isEmptied, lineKeys } from "./edit.ts";
import { allItems } from "./reorder.ts";

/** Changes that were left without saving or discarding: closing the receipt loses nothing. Keys name the order. */
const unsaved = new Map<string, number>();

/** Idempotency keys of edits whose response was lost, by what they send: sent again, they change nothing twice. */
const openKeys = new Map<string, string>();

/** Sends one order's part of an edit. */
async function send(client: QueryClient, openedBy: number, { id, lines }: ReturnType<typeof changedOrders>[number]) {
  const name = JSON.stringify({ id, lines });
  const key = openKeys.get(name) ?? newKey();
  openKeys.set(name, key);
  try {
    const order = await submitEdit(client, openedBy, id, lines, key);
    openKeys.delete(name);
    return order;
  } catch (failure) {
    if (failure instanceof ApiError && !failure.isOffline) openKeys.delete(name);
    throw failure;
  }
}

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
  // A save goes on after the receipt is closed; its failure is then a toast.
  const isClosed = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    return () => void (isClosed.current = true);
  }, []);

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
        after = await send(client, id, part);
        saved += 1;
        for (const key of keys) if (key.startsWith(`${part.id} `)) unsaved.delete(key);
        setChanges(Object.fromEntries(unsaved));
      }
      toast({ text: after ? messages.orderSubmitted : messages.orderDeleted, duration: TOAST_MS });
      return after ? "changed" : "deleted";
    };
    const wording = (failure: unknown) =>
      saved > 0 ? `${messageOf(failure)} ${messages.orderPartlySaved}` : messageOf(failure);
    const save = () =>
      run().catch((failure: unknown) => {
        // Refused, or saved without a response: what is shown may be out of date.
        void refreshOrders(client);
        if (isClosed.current) toast({ text: wording(failure), tone: "error" });
        throw failure;
      });
    return (await attempt("save", save, wording)) ?? "failed";
  };
  const saving = running !== null;
  return { lines, changed: pending.length > 0, emptied: isEmptied(lines), saving, error, set, discard, save };
}
