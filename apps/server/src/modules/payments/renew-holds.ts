import { transaction } from "@marketday/db";
import { CARD_MINIMUM } from "@marketday/domain/limits";

import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { retryOf } from "../../gateways/payments/refusals.ts";
import type { Context } from "../identity/context.ts";
import { runEach } from "../job-failures/run-each.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { findDueHolds, type DueHold } from "./hold-sql.ts";
import { beginRenewal, dropRenewal, isPresentCharge, markHoldLost, swapHold, type SeenHold } from "./hold-store.ts";

/**
 * The authorization lapsed, its renewal was declined, or the bank wants the shopper to confirm it (`unconfirmed`): the shopper is
 * mailed, the order stays open and is charged at its cutoff. False, and nothing is lost, when the hold is being renewed or was renewed since it was read.
 */
export async function loseHold(
  ctx: Context,
  paymentId: string,
  hold: SeenHold,
  reason: "lost" | "unconfirmed" = "lost",
): Promise<boolean> {
  return transaction(ctx.deps.db, async (tx) => {
    const lost = await markHoldLost(tx, paymentId, hold, reason === "unconfirmed", ctx.now);
    if (!lost) return false;
    if (lost.orderId === null || lost.customerId === null) return true;
    await enqueueMail(tx, {
      key: `hold-${reason}:${paymentId}`,
      template: `hold-${reason}`,
      customerId: lost.customerId,
      data: { orderId: lost.orderId },
      now: ctx.now,
    });
    return true;
  });
}

/** Voids the refused charge of a renewal whose result is written. */
async function voidRefused({ deps }: Context, hold: DueHold, charge: { key: string; customerId: number }) {
  try {
    await deps.payments.void(charge);
  } catch (error) {
    deps.log.warn({ err: error, payment: hold.payment_id }, "a refused renewal was not voided");
  }
}

async function renew(ctx: Context, hold: DueHold): Promise<"renewed" | "lost" | "waiting"> {
  const { deps, now } = ctx;
  await deps.failpoint("hold:due");
  const key = await beginRenewal(deps.db, hold);
  if (key === null) return "waiting";
  const next = { key, customerId: hold.customer_id };
  // The charge of a renewal that was interrupted is fetched first: its state may have changed, or its key may have expired.
  const before = hold.next_key === null ? null : await deps.payments.find(next);
  // Its request may still arrive: the key is kept, and looked up until the cutoff.
  if (before === null && (hold.method_ref === null || hold.due_cents < CARD_MINIMUM)) return "waiting";
  const renewal =
    before ??
    (await deps.payments.authorize({
      ...next,
      amountCents: hold.due_cents,
      means: { savedRef: hold.method_ref, save: false, offSession: true },
    }));
  await deps.failpoint("hold:authorized");
  if (renewal.state !== "authorized" && renewal.state !== "captured") {
    if (renewal.state === "declined" && retryOf(renewal.code) === "soon") {
      // Voided last: a voided charge has no reason, and the next run would take it for a hold that is lost.
      const isDropped = await dropRenewal(deps.db, hold.payment_id, key);
      await deps.failpoint("hold:dropped");
      if (isDropped) await voidRefused(ctx, hold, next);
      throw new ProviderUnavailable(renewal.detail ?? renewal.reason);
    }
    await deps.failpoint("hold:refused");
    const isUnconfirmed =
      renewal.state === "challenge" || (renewal.state === "declined" && renewal.code === "challenge");
    const isLost = await loseHold(
      ctx,
      hold.payment_id,
      { chargeKey: hold.charge_key, nextKey: next.key },
      isUnconfirmed ? "unconfirmed" : "lost",
    );
    // Voided last: a voided charge has no reason, which the next run needs after a kill before `loseHold`. A refused charge that
    // is never voided holds nothing.
    if (isLost) await voidRefused(ctx, hold, next);
    return isLost ? "lost" : "waiting";
  }
  // The old charge is voided before the row changes: after a kill here, the next run finds the new charge by its key.
  await deps.payments.void({ key: hold.charge_key, customerId: hold.customer_id, ref: hold.provider_ref });
  await deps.failpoint("hold:swapping");
  const renewed = { key, ref: renewal.ref, amountCents: renewal.amountCents ?? hold.due_cents };
  if (await swapHold(deps.db, hold.payment_id, renewed, now)) return "renewed";
  // Canceled meanwhile, or swapped by another server; in the second case the key is the current one and stays.
  if (!(await isPresentCharge(deps.db, hold.payment_id, key))) await deps.payments.void({ ...next, ref: renewal.ref });
  return "waiting";
}

/**
 * Renews every authorization that would lapse before its cutoff, off-session, on the same card (docs/product.md §7). A failure does
 * not stop the others (`runEach`).
 */
export async function renewHolds(ctx: Context): Promise<void> {
  const { deps } = ctx;
  if (!deps.payments.takesCards) return;
  await runEach(ctx, {
    job: "holds",
    items: await findDueHolds(deps.db, deps.payments.name, ctx.now),
    subjectOf: (hold) => `hold of order ${hold.order_id}`,
    run: (hold) => renew(ctx, hold),
    isComplete: true,
  });
}
