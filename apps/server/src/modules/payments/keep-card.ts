import { sqlTransaction } from "@marketday/db";

import type { SavedMethod } from "../../gateways/payments/payments.ts";
import type { Context, CustomerId } from "../../lib/context.ts";
import { insertMethod, type Kept } from "./store.ts";

/** Keeps a card. One that is kept already is kept once, here and at the provider, where the second copy is detached. */
export async function keepCard(
  { deps, now }: Pick<Context, "deps" | "now">,
  customerId: CustomerId,
  saved: SavedMethod,
): Promise<Kept> {
  const kept = await sqlTransaction(deps.db, (tx) => insertMethod(tx, customerId, deps.payments.name, saved, now));
  if (kept === "copy")
    await deps.payments.forgetCard(saved.ref).catch((error: unknown) => {
      deps.log.warn({ err: error, customer: customerId }, "the second copy of a card was not detached at the provider");
    });
  return kept;
}
