import type { Order } from "@marketday/contracts/orders";
import { TOAST_MS } from "@marketday/domain/limits";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { ApiError } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { toast } from "../../ui/toast-store.ts";
import { refreshOrders, submitEdit } from "./api.ts";
import { type EditLine, editLines, isChanged, isEmptied, lowered } from "./edit.ts";

/** Edits that were left without saving or discarding, by order: closing the receipt loses nothing. */
const unsaved = new Map<number, EditLine[]>();

/** An order's lines while they are lowered; saved in one call. */
export function useEdit(order: Order) {
  const client = useQueryClient();
  const [lines, setLines] = useState(() => fitting(order) ?? editLines(order));
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<string | null>(null);
  // Another device lowered it meanwhile: its lines count, and ours are for lines that are not there any more.
  const current = lines.length === order.items.length ? lines : editLines(order);
  const changed = isChanged(current, order.items);

  const put = (next: EditLine[]) => {
    setLines(next);
    if (isChanged(next, order.items)) unsaved.set(order.id, next);
    else unsaved.delete(order.id);
  };
  const discard = () => {
    setError(null);
    put(editLines(order));
  };
  const save = async (): Promise<"changed" | "deleted" | "failed"> => {
    if (saving) return "failed";
    setSaving(true);
    setError(null);
    try {
      const after = await submitEdit(client, order.id, current);
      unsaved.delete(order.id);
      if (after) setLines(editLines(after));
      toast({ text: after ? messages.orderSubmitted : messages.orderDeleted, duration: TOAST_MS });
      return after ? "changed" : "deleted";
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : messages.network);
      // Refused: what is shown may be out of date.
      if (failure instanceof ApiError && failure.status !== undefined) void refreshOrders(client);
      return "failed";
    } finally {
      setSaving(false);
    }
  };
  return {
    lines: current,
    changed,
    emptied: isEmptied(current, order),
    saving,
    error,
    set: (place: number, quantity: number) => put(lowered(current, order.items, place, quantity)),
    discard,
    save,
  };
}

/** What was left unsaved, where it is still about the same lines and lowers them. */
function fitting(order: Order): EditLine[] | undefined {
  const kept = unsaved.get(order.id);
  const fits =
    kept?.length === order.items.length &&
    kept.every((line, place) => {
      const item = order.items[place];
      return item?.product.variant.id === line.variantId && line.quantity <= item.quantity;
    });
  return fits ? kept : undefined;
}
