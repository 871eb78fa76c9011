import type { PaymentMethod } from "@marketday/contracts/payments";
import { sqlTransaction } from "@marketday/db";

import type { SavedMethod } from "../../gateways/payments/payments.ts";
import type { Context, CustomerId } from "../../lib/context.ts";
import { insertMethod, type Kept, type MethodRow } from "./method-store.ts";

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
  await deps.payments.deleteCard(saved.ref).catch((error: unknown) => {
    deps.log.warn({ err: error, method: saved.ref }, "the second copy of a card was not detached at the provider");
  });
}

/** Row → contract: never the provider's reference. */
export const serializeMethod = (row: MethodRow): PaymentMethod => ({
  id: row.id,
  brand: row.brand,
  last4: row.last4,
  expMonth: row.exp_month,
  expYear: row.exp_year,
  isDefault: row.is_default,
});
