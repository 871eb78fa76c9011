import type { Order, OrderItem } from "@marketday/contracts/orders";

/** A line of an order while it is edited; lines keep their places. */
export interface EditLine {
  variantId: number;
  quantity: number;
}

/** The order as it stands, to be lowered. */
export const editLines = (order: Order): EditLine[] =>
  order.items.map(({ quantity, product }) => ({ variantId: product.variant.id, quantity }));

/** The line at a place set to a quantity: never below none, never above what was bought (spec §4 Order status). */
export const lowered = (lines: readonly EditLine[], items: readonly OrderItem[], place: number, quantity: number) =>
  lines.map((line, at) =>
    at === place ? { ...line, quantity: Math.max(0, Math.min(quantity, items[at]?.quantity ?? 0)) } : line,
  );

/** Whether anything would change. */
export const isChanged = (lines: readonly EditLine[], items: readonly OrderItem[]): boolean =>
  lines.some(({ quantity }, place) => quantity !== items[place]?.quantity);

/** Whether saving deletes the order: no line is left, and no add-on rides in its box. */
export const isEmptied = (lines: readonly EditLine[], { addOns }: Pick<Order, "addOns">): boolean =>
  addOns === null && lines.every(({ quantity }) => quantity === 0);
