import { sql } from "@marketday/db";
import { PAYMENT_LEASE_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";

import type { Context } from "../identity/context.ts";
import { isNotPaused } from "../job-failures/failure-sql.ts";
import { runEach, SWEEP_PAUSE_MAX_MS } from "../job-failures/run-each.ts";
import { findPaymentsToVoid, markVoided } from "./charge-sql.ts";
import { findUnusedPayment } from "./payment-store.ts";

/**
 * Voids the charge of a payment that no longer pays for an order. A charge that the provider does not know yet is looked up
 * again later (`find-orphaned-charges.ts`). False when it pays for an order. Rejects when the provider fails to void it.
 */
async function voidCharge({ deps }: Context, paymentId: string): Promise<boolean> {
  const unused = await findUnusedPayment(deps.db, paymentId);
  if (!unused) return false;
  // The provider's customer of a deleted account is deleted too, with its charges.
  const isKnown =
    unused.customer_id === null ||
    (await deps.payments.void({ key: unused.charge_key, customerId: unused.customer_id, ref: unused.provider_ref }));
  await markVoided(deps.db, paymentId, isKnown, deps.clock.now());
  return true;
}

/** `voidCharge` that logs an error instead of throwing; the sweep retries the void. Null: there is no payment. */
export async function tryVoidCharge(ctx: Context, paymentId: string | null): Promise<boolean> {
  if (paymentId === null) return false;
  try {
    return await voidCharge(ctx, paymentId);
  } catch (error) {
    ctx.deps.log.error({ err: error, payment: paymentId }, "charge was not voided");
    return false;
  }
}

const BATCH_SIZE = 50;
const VOIDS = "voids";

/** Voids the charges that pay for nothing, oldest first; returns how many. A live worker voids within its lease, so younger ones are left to it. */
export async function voidUnusedCharges(ctx: Context): Promise<number> {
  const { db, clock } = ctx.deps;
  const payments = await findPaymentsToVoid(
    db,
    addMs(clock.now(), -PAYMENT_LEASE_MS),
    isNotPaused(ctx, VOIDS, sql`'payment ' || p.id`),
    BATCH_SIZE,
  );
  let done = 0;
  await runEach(ctx, {
    pauseMaxMs: SWEEP_PAUSE_MAX_MS,
    job: VOIDS,
    items: payments,
    subjectOf: ({ id }) => `payment ${id}`,
    isComplete: payments.length < BATCH_SIZE,
    run: async ({ id }) => {
      if (await voidCharge(ctx, id)) done += 1;
    },
  });
  return done;
}
