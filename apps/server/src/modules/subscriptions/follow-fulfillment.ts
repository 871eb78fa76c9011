import type { AnyTx } from "@marketday/db";

import type { Context, CustomerId } from "../identity/context.ts";
import { insertCorrections, retryElsewhere } from "./auto-run-sql.ts";

/**
 * A customer receives elsewhere, or pays with another card, from now on: automatic orders that had no place are tried again, and
 * an email that named another place or card is corrected (docs/product.md §9).
 */
export async function followFulfillment(
  { deps, now }: Pick<Context, "deps" | "now">,
  tx: AnyTx,
  customerId: CustomerId,
): Promise<void> {
  await insertCorrections(tx, customerId, now);
  await retryElsewhere(tx, customerId, now, deps.clock.now());
}
