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
  await detachCopy({ deps }, kept, saved);
  return kept;
}

/** Detaches a second copy of a kept card at the provider; after the commit of what kept it. */
export async function detachCopy({ deps }: Pick<Context, "deps">, kept: Kept, saved: SavedMethod): Promise<void> {
  if (kept.how !== "copy") return;
  await deps.payments.forgetCard(saved.ref).catch((error: unknown) => {
    deps.log.warn({ err: error, method: saved.ref }, "the second copy of a card was not detached at the provider");
  });
}
