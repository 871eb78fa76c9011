/** What remains of an order after an edit (docs/product.md §8); its amounts are in `edit.ts`. */

import { getOrThrow } from "./get-or-throw.ts";
import { withQuantity } from "./stock.ts";

/** The messages a refused edit is answered with (docs/product.md §8). */
export const EDIT_MESSAGES = {
  raised: "To add an additional item, create a new order.",
  added: "To add an additional item, create a new order.",
  unpublished: "This product is currently unpublished. To add an additional item, create a new order.",
  closed: "This order can no longer be changed.",
} as const;

/** A line of an order as it stands. One variant may stand in several lines: alone and from bundles. */
export type OrderLine = { variantId: number; quantity: number; isPublished: boolean };
/** The requested quantity of a variant. */
export type WantedLine = { variantId: number; quantity: number };
/** `lines` remain, with their new quantities; `removed` are the lines that lost units, with the units lost. */
export type EditPlan<L extends OrderLine> =
  | { ok: true; lines: L[]; removed: L[] }
  | { ok: false; reason: "raised" | "added" | "unpublished"; variantId: number };

/**
 * Plans an edit: `wanted` is the whole order as it shall be, what is left out is removed (docs/product.md §8). A variant may
 * only be lowered; of several lines of one variant each takes the wanted quantity in its own place when that fits, else
 * the earlier lines are filled first. With no line left the order is to be deleted.
 * Throws RangeError for a quantity that is negative or no integer.
 */
export function planEdit<L extends OrderLine>(current: readonly L[], wanted: readonly WantedLine[]): EditPlan<L> {
  const wantedOf = new Map<number, number[]>();
  for (const { variantId, quantity } of wanted) {
    if (!Number.isSafeInteger(quantity) || quantity < 0) throw new RangeError(`Not a quantity: ${quantity}`);
    wantedOf.set(variantId, [...(wantedOf.get(variantId) ?? []), quantity]);
  }
  const kept = new Map<L, number>();
  for (const [variantId, quantities] of wantedOf) {
    const lines = current.filter((line) => line.variantId === variantId);
    const total = sum(quantities);
    if (lines.length === 0 && total > 0) return { ok: false, reason: "added", variantId };
    if (total > sum(lines.map((line) => line.quantity))) {
      const reason = lines.some((line) => !line.isPublished) ? "unpublished" : "raised";
      return { ok: false, reason, variantId };
    }
    const inPlace =
      quantities.length === lines.length &&
      lines.every((line, place) => getOrThrow(quantities, place) <= line.quantity);
    let left = total;
    for (const [place, line] of lines.entries()) {
      const quantity = inPlace ? getOrThrow(quantities, place) : Math.min(line.quantity, left);
      left -= quantity;
      kept.set(line, quantity);
    }
  }
  const resized = current.map((line) => ({ line, quantity: kept.get(line) ?? 0 }));
  return {
    ok: true,
    lines: resized.filter(({ quantity }) => quantity > 0).map(({ line, quantity }) => withQuantity(line, quantity)),
    removed: resized
      .filter(({ line, quantity }) => quantity < line.quantity)
      .map(({ line, quantity }) => withQuantity(line, line.quantity - quantity)),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
