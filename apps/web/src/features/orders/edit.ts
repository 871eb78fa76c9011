import type { Order, OrderItem } from "@marketday/contracts/orders";

import { allItems } from "./reorder.ts";

/** A line of a box while it is edited: which order it belongs to, and how many are kept. */
export interface EditLine {
  orderId: number;
  variantId: number;
  quantity: number;
}

/** Quantities that were lowered and not saved, by `lineKeys`. */
export type Changes = Readonly<Record<string, number>>;

/** A key for each item of a box. It stays the same when the order behind it becomes the first of its box. */
export function lineKeys(items: readonly OrderItem[]): string[] {
  const seen = new Map<string, number>();
  return items.map(({ orderId, fromBundleId, product }) => {
    const key = `${orderId} ${product.variant.id} ${fromBundleId ?? ""}`;
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return `${key} ${count}`;
  });
}

/** The box as it would be: what was lowered, and never more than the order has now (another device may have lowered it). */
export function editLines(order: Pick<Order, "items" | "addOns">, changes: Changes): EditLine[] {
  const items = allItems(order);
  const keys = lineKeys(items);
  return items.map(({ orderId, quantity, product }, place) => ({
    orderId,
    variantId: product.variant.id,
    quantity: Math.max(0, Math.min(changes[keys[place]!] ?? quantity, quantity)),
  }));
}

/** The lines of each order that would change, the add-ons before the first order of the box. */
export function changedOrders(
  order: Pick<Order, "id" | "items" | "addOns">,
  lines: readonly EditLine[],
): { id: number; lines: EditLine[] }[] {
  const items = allItems(order);
  const ids = new Set(
    lines.flatMap(({ orderId, quantity }, place) => (quantity === items[place]?.quantity ? [] : [orderId])),
  );
  return [...ids]
    .toSorted((a, b) => Number(a === order.id) - Number(b === order.id))
    .map((id) => ({ id, lines: lines.filter(({ orderId }) => orderId === id) }));
}

/** The changes that are left once `lines` of the order of that id are saved: what was changed again since stays. */
export function withoutSaved(
  changes: Changes,
  box: Pick<Order, "items" | "addOns">,
  lines: readonly EditLine[],
  id: number,
): Changes {
  const sent = new Map(lineKeys(allItems(box)).map((key, place) => [key, lines[place]]));
  const isSaved = ([key, quantity]: [string, number]) =>
    sent.get(key)?.orderId === id && sent.get(key)?.quantity === quantity;
  return Object.fromEntries(Object.entries(changes).filter((change) => !isSaved(change)));
}

/** Whether saving deletes the order: nothing is left in its box. */
export const isEmptied = (lines: readonly EditLine[]): boolean => lines.every(({ quantity }) => quantity === 0);
