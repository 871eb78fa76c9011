import { transaction } from "@marketday/db";
import { captureEntries, refundEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";

import type { Charge, ChargeState } from "../../gateways/payments/payments.ts";
import type { ReportedCharge } from "../../gateways/payments/stripe/webhook.ts";
import { newUuid } from "../../lib/tokens.ts";
import type { Context } from "../identity/context.ts";
import { bookPurchase } from "../ledger/booking-sql.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { resumePurchase } from "./buy.ts";
import { recordOrphanedCharge } from "./charge-sql.ts";
import { finishRefund } from "./finish-refund.ts";
import { chargeHandlers } from "./handlers.ts";
import { noteAlert } from "./note-alert.ts";
import { findCharge, type OurCharge } from "./payment-store.ts";
import { loseHold } from "./renew-holds.ts";
import { tryVoidCharge } from "./void-charge.ts";

const isOpen = (ours: OurCharge) => ["created", "challenge", "authorized"].includes(ours.state);

/** Refunds captured money that pays for nothing, once, and writes an alert for the operator (failures.md B8). */
async function refundOrphanedCharge(
  ctx: Context,
  ours: OurCharge,
  reported: ReportedCharge,
  reason: string,
): Promise<string> {
  const { deps, now } = ctx;
  const refundId = newUuid();
  const isRecorded = await transaction(deps.db, async (tx) => {
    const orphaned = await recordOrphanedCharge(tx, ours.payment_id, refundId, reported.takenCents, reason, now);
    if (!orphaned) return false;
    if (orphaned.customer_id !== null) {
      const amount = cents(orphaned.captured_cents);
      const booking = { paymentId: orphaned.id, note: reason, now };
      await bookPurchase(tx, { kind: "capture", ...booking }, captureEntries(orphaned.customer_id, amount));
      await bookPurchase(
        tx,
        { kind: "refund", ...booking },
        refundEntries(orphaned.customer_id, "card", { backCents: amount, owedCents: amount }),
      );
      await enqueueMail(tx, {
        key: `charge-returned:${orphaned.id}`,
        template: "charge-returned",
        customerId: orphaned.customer_id,
        data: { amountCents: orphaned.captured_cents },
        now,
      });
    }
    await noteAlert(tx, { actor: deps.payments.name, subject: `payment:${orphaned.id}`, reason, data: reported, now });
    return true;
  });
  if (isRecorded) await finishRefund(ctx, refundId);
  return isRecorded ? "refunded" : "refunded before";
}

/**
 * Reconciles one charge after a webhook or a sweep: fetches its present state from the provider, so that the order in which
 * events arrive does not matter, and brings our rows in line. States only move forward; a charge that is in line already is
 * left alone. Returns the outcome as text for the log of events.
 */
export async function reconcileCharge(ctx: Context, reported: ReportedCharge): Promise<string> {
  const { deps, now } = ctx;
  const ours = await findCharge(deps.db, reported.key);
  // Another market may share the provider's account: unknown charges are not touched.
  if (!ours || ours.customer_id === null) return "not ours";
  const charge: Charge = { key: reported.key, customerId: ours.customer_id, ref: reported.ref };
  if (reported.currency !== "usd" || (reported.amountCents !== ours.amount_cents && !ours.is_next)) {
    const reason = `The provider has ${reported.amountCents} ${reported.currency}, we requested ${ours.amount_cents} usd.`;
    if (reported.takenCents > 0) return refundOrphanedCharge(ctx, ours, reported, reason);
    await noteAlert(deps.db, {
      actor: deps.payments.name,
      subject: `payment:${ours.payment_id}`,
      reason,
      data: reported,
      now,
    });
    await deps.payments.void(charge);
    return "mismatch, voided";
  }
  const found = await deps.payments.find(charge);
  if (!found) return "not there";
  if (ours.is_next) return "a hold being renewed";
  if (ours.is_purchase) return reconcilePurchase(ctx, ours, reported, found);
  return reconcileAttempt(ctx, ours, reported, found);
}

async function reconcilePurchase(
  ctx: Context,
  ours: OurCharge,
  reported: ReportedCharge,
  found: ChargeState,
): Promise<string> {
  if (ours.state === "challenge" && (found.state === "authorized" || found.state === "captured")) {
    await resumePurchase(ctx, ours.payment_id, found);
    return "purchase finished";
  }
  if (isOpen(ours) || ours.state === "captured") return "nothing to do";
  if (found.state === "captured")
    return refundOrphanedCharge(ctx, ours, reported, "Paid for a purchase that had failed.");
  if (found.state === "authorized") {
    await ctx.deps.payments.void({ key: reported.key, customerId: ours.customer_id!, ref: reported.ref });
    return "voided";
  }
  return "nothing to do";
}

async function reconcileAttempt(
  ctx: Context,
  ours: OurCharge,
  reported: ReportedCharge,
  found: ChargeState,
): Promise<string> {
  const attemptId = ours.attempt_id;
  if (attemptId !== null && ours.attempt_state === "challenge") {
    if (found.state !== "authorized" && found.state !== "captured") return "challenge still open";
    return (await chargeHandlers().challengeAnswered(ctx, attemptId, found)) ?? "taken";
  }
  const isOrphaned = ours.live_orders === 0 && ours.attempt_state !== "held";
  if (isOrphaned && found.state === "captured" && ours.state !== "captured")
    return refundOrphanedCharge(ctx, ours, reported, "Paid for an order that was canceled or never placed.");
  if (isOrphaned && found.state === "authorized" && attemptId !== null)
    return (await tryVoidCharge(ctx, ours.payment_id)) ? "voided" : "nothing to do";
  if (ours.state !== "authorized" || found.state !== "voided" || ours.live_orders === 0) return "nothing to do";
  // A renewal voids the old charge before it stores the new one.
  const isLost = await loseHold(ctx, ours.payment_id, { chargeKey: reported.key, nextKey: null });
  return isLost ? "hold lost" : "nothing to do";
}
