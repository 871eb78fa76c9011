import type { Conn } from "@marketday/db";

import { isDueOn } from "./due.ts";
import {
  type FillScope,
  findSubscribedLines,
  type OmittedLine,
  touchSubscribedCarts,
  writeDueLines,
} from "./fill-sql.ts";

/**
 * Sets the carts' subscribed lines to those that are due for the day (docs/product.md §9): adds due ones, marked with their
 * interval, and removes the others. Lines that the shopper added stay; the larger quantity wins, unless it was chosen in another
 * market. A cart has at most
 * `CART_LINES_MAX` lines (docs/product.md §17): due lines are added while there is room.
 * @returns the due lines that did not fit
 */
export async function fillCarts(tx: Conn, scope: FillScope): Promise<OmittedLine[]> {
  const { hubId, customerIds, only, day } = scope;
  const variantId = only && "variantId" in only ? only.variantId : null;
  const bundleId = only && "bundleId" in only ? only.bundleId : null;
  const due = (await findSubscribedLines(tx, hubId, customerIds)).filter(
    (row) =>
      (variantId === null || (row.variant_id === variantId && row.bundle_id === null)) &&
      (bundleId === null || row.bundle_id === bundleId) &&
      isDueOn(day, row),
  );
  // Counts carts that only lose lines; the next statement counts the others.
  await touchSubscribedCarts(tx, customerIds);
  return writeDueLines(tx, scope, due);
}
