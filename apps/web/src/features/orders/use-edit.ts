import { useAction } from "@marketday/client/forms/use-action.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import { useUnsaved } from "@marketday/client/unsaved-work.ts";
import type { Order } from "@marketday/contracts/orders";
import { TOAST_MS } from "@marketday/domain/limits";
import { toast } from "@marketday/ui/toast-store.ts";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { attemptKeys } from "../../lib/attempt-keys.ts";
import { screenMessages } from "../../lib/screen-messages.ts";
import { refreshOrders, submitEdit } from "./api.ts";
import { changedOrders, editLines, isEmptied, lineKeys, withoutSaved } from "./edit.ts";
import { keepChanges, keptChanges } from "./kept-edits.ts";
import { allItems } from "./reorder.ts";

/** Sends one order's part of an edit. */
async function send(client: QueryClient, openedBy: number, { id, lines }: ReturnType<typeof changedOrders>[number]) {
  const name = `order-edit:${JSON.stringify({ id, lines })}`;
  try {
    const order = await submitEdit(client, openedBy, id, lines, attemptKeys.keyOf(name));
    attemptKeys.end(name);
    return order;
  } catch (failure) {
    const isOpen = failure instanceof ApiError && (failure.isOffline || failure.code === "still_running");
    if (!isOpen) attemptKeys.end(name);
    throw failure;
  }
}

/**
 * The lines of a box while they are lowered, and one save for all of it. Only what was changed is kept, in this tab: everything
 * else follows the order as it is read again. `id` is the number the order was opened by. `editable`: otherwise what was kept
 * came too late.
 */
export function useEdit(order: Order, id: number, editable: boolean) {
  const client = useQueryClient();
  const [changes, setChanges] = useState(() => (editable ? keptChanges() : {}));
  const { running, error, attempt, clearError } = useAction();
  const items = allItems(order);
  const keys = lineKeys(items);
  const lines = editLines(order, changes);
  const pending = changedOrders(order, lines);
  const saving = running !== null;
  useUnsaved(pending.length > 0);
  useWarning(pending.length > 0 || saving);
  // A save goes on after the receipt is closed; its failure is then a toast.
  const isClosed = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    return () => void (isClosed.current = true);
  }, []);

  const keep = (next: typeof changes) => {
    keepChanges(next);
    setChanges(next);
  };
  const set = (place: number, quantity: number) => {
    const key = keys[place];
    const bought = items[place]?.quantity;
    if (key === undefined || bought === undefined) return;
    const { [key]: _before, ...others } = keptChanges();
    keep(quantity >= bought ? others : { ...others, [key]: quantity });
  };
  const discard = () => {
    clearError();
    keep(Object.fromEntries(Object.entries(keptChanges()).filter(([key]) => !keys.includes(key))));
  };
  /** One request for each changed order, until the first that is refused. Saved changes stay saved. */
  const save = async (): Promise<"changed" | "deleted" | "failed"> => {
    let saved = 0;
    const run = async () => {
      let after: Order | null = order;
      for (const part of pending) {
        after = await send(client, id, part);
        saved += 1;
        keep(withoutSaved(keptChanges(), order, lines, part.id));
      }
      toast({ text: after ? screenMessages.orderSubmitted : screenMessages.orderDeleted, duration: TOAST_MS });
      return after ? "changed" : "deleted";
    };
    const wording = (failure: unknown) =>
      saved > 0 ? `${messageOf(failure)} ${screenMessages.orderPartlySaved}` : messageOf(failure);
    const save = () =>
      run().catch((failure: unknown) => {
        // Refused, or saved without a response: what is shown may be out of date.
        void refreshOrders(client);
        if (isClosed.current) toast({ text: wording(failure), tone: "error" });
        throw failure;
      });
    return (await attempt("save", save, wording)) ?? "failed";
  };
  return { lines, changed: pending.length > 0, emptied: isEmptied(lines), saving, error, set, discard, save };
}

/** Leaving the page or closing the tab confirms first: a closed tab loses what is not saved. */
function useWarning(when: boolean): void {
  useEffect(() => {
    if (!when) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [when]);
}
