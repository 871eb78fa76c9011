/** Stock of a hub's offers: what may be put into a cart, and what a checkout holds (docs/product.md §6, §7). */

import { CART_QUANTITY_MAX, HOLD_MS } from "./limits.ts";

export { HOLD_MS };

/** So many units of a variant. */
export type Units = { variantId: number; quantity: number };

/** The quantity a line may have: never above the stock or 999, never below 0. */
export function capQuantity(wanted: number, inventory: number): number {
  return Math.max(0, Math.min(wanted, inventory, CART_QUANTITY_MAX));
}

/** Variant ids, each once, ascending: the order in which every transaction locks its rows (failures A3). */
export function lockOrder(lines: readonly { variantId: number }[]): number[] {
  return [...new Set(lines.map(({ variantId }) => variantId))].toSorted((a, b) => a - b);
}

/** Units per variant, in lock order: a variant in several lines is summed (failures A2), empty ones are left out. */
export function unitsByVariant(lines: readonly Units[]): Units[] {
  const totals = new Map<number, number>();
  for (const { variantId, quantity } of lines) totals.set(variantId, (totals.get(variantId) ?? 0) + quantity);
  return lockOrder(lines)
    .map((variantId) => ({ variantId, quantity: totals.get(variantId) ?? 0 }))
    .filter(({ quantity }) => quantity > 0);
}

/** The same line with another quantity. */
export function withQuantity<L extends { quantity: number }>(line: L, quantity: number): L {
  return { ...line, quantity };
}

/** What a variant lacks. */
export type Shortfall = { variantId: number; wanted: number; left: number };

/**
 * Plans the holds of a checkout: all lines or none. `inventories` is what can still be sold per variant; a variant that
 * is not in it has none. Holds come in lock order.
 */
export function planHolds(
  lines: readonly Units[],
  inventories: ReadonlyMap<number, number>,
): { ok: true; holds: Units[] } | { ok: false; reason: "sold_out"; short: Shortfall[] } {
  const holds = unitsByVariant(lines);
  const short = holds.flatMap(({ variantId, quantity }) => {
    const left = Math.max(0, inventories.get(variantId) ?? 0);
    return quantity > left ? [{ variantId, wanted: quantity, left }] : [];
  });
  return short.length === 0 ? { ok: true, holds } : { ok: false, reason: "sold_out", short };
}

/**
 * What auto-checkout takes of short stock: for each line, in order, what is left (docs/product.md §9). `short` are the lines
 * that got less than they wanted, with the units missing.
 */
export function takeWhatIsLeft<L extends Units>(
  lines: readonly L[],
  inventories: ReadonlyMap<number, number>,
): { taken: L[]; short: L[] } {
  const left = new Map(inventories);
  const parts = lines.map((line) => {
    const quantity = capQuantity(line.quantity, left.get(line.variantId) ?? 0);
    left.set(line.variantId, (left.get(line.variantId) ?? 0) - quantity);
    return { line, quantity };
  });
  return {
    taken: parts.filter(({ quantity }) => quantity > 0).map(({ line, quantity }) => withQuantity(line, quantity)),
    short: parts
      .filter(({ line, quantity }) => quantity < line.quantity)
      .map(({ line, quantity }) => withQuantity(line, line.quantity - quantity)),
  };
}

/**
 * Shares out what came of an item that came short (docs/product.md §14 `short`): every box gets one before any box gets a
 * second one, the oldest box first. Sharing out again after some boxes were lowered to their share gives the same shares.
 * @param came units that came, at least 0
 * @param ordered units ordered by box, the oldest box first
 * @returns units each box gets, at most what it ordered; their sum is `came`, or all that was ordered if that is less
 */
export function shareOut(came: number, ordered: readonly number[]): number[] {
  const shares = ordered.map(() => 0);
  let left = came;
  for (let round = 1; left > 0; round += 1) {
    const waiting = ordered.flatMap((units, place) => (units >= round ? [place] : []));
    if (waiting.length === 0) break;
    for (const place of waiting.slice(0, left)) shares[place] = round;
    left -= Math.min(left, waiting.length);
  }
  return shares;
}
