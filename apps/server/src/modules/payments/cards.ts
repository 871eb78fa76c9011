import type { PaymentMethod } from "@marketday/contracts/payments";
import { transaction } from "@marketday/db";

import type { SavedMethod } from "../../gateways/payments/payments.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { runEach } from "../job-failures/run-each.ts";
import { fulfillmentChanged } from "./fulfillment-handler.ts";
import { insertMethod, type Kept } from "./method-sql.ts";
import { deleteLostMethod, type MethodRow } from "./method-store.ts";

/** Keeps a card. One that is kept already is kept once, here and at the provider, where the second copy is detached. */
export async function keepCard(
  { deps, now }: Pick<Context, "deps" | "now">,
  customerId: CustomerId,
  saved: SavedMethod,
): Promise<Kept> {
  const kept = await transaction(deps.db, async (tx) => {
    const inserted = await insertMethod(tx, customerId, deps.payments.name, saved, now);
    if (inserted.isNewDefault) await fulfillmentChanged({ deps, now }, tx, customerId);
    return inserted;
  });
  await detachCopy({ deps }, kept, saved);
  return kept;
}

/** Forgets a card that the provider no longer has. False: it was gone already. */
export const forgetCard = (
  { deps, now }: Pick<Context, "deps" | "now">,
  provider: string,
  ref: string,
): Promise<boolean> =>
  transaction(deps.db, async (tx) => {
    const lost = await deleteLostMethod(tx, provider, ref, now);
    if (lost?.wasDefault) await fulfillmentChanged({ deps, now }, tx, lost.customerId);
    return lost !== null;
  });

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

/**
 * Deletes from the payment provider the customers who deleted their account here: the provider was unavailable then, or
 * a backup was restored (failures.md L2, L3). A failed one is retried (`runEach`).
 */
export async function deleteProviderCustomers(ctx: Context): Promise<void> {
  const { deps } = ctx;
  const left = await deps.db.customer.findMany({
    where: { deleted_at: { not: null }, stripe_customer_id: { not: null } },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  await runEach(ctx, {
    job: "delete-provider-customers",
    items: left,
    subjectOf: ({ id }) => `former customer ${id}`,
    run: ({ id }) => deps.payments.deleteCustomer(id),
    isComplete: true,
  });
}
