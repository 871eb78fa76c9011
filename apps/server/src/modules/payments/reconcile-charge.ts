import { sqlTransaction } from "@marketday/db";
import { captureEntries, refundEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";

import type { Charge, Found } from "../../gateways/payments/payments.ts";
import type { Context } from "../../lib/context.ts";
import { newUuid } from "../../lib/tokens.ts";
import { finishChallenge } from "../orders/finish-challenge.ts";
import { tryVoidCharge } from "../orders/settle-attempt.ts";
import { resumePurchase } from "./buy.ts";
import { findCharge, noteAlert, type OurCharge, recordOrphanedCharge } from "./charge-store.ts";
import { finishRefund } from "./finish-refund.ts";
import { loseHold } from "./renew-holds.ts";
import { bookPurchase } from "./store.ts";

/** A charge as the provider told us of it. Cents; `currency` in lower case. */
export interface ProviderCharge {
  key: string;
  ref: string;
  amountCents: number;
  takenCents: number;
  currency: string;
}

const isOpen = (ours: OurCharge) => ["created", "challenge", "authorized"].includes(ours.state);

/** Money that was taken and pays for nothing goes back, once, and an operator is told (failures.md B8). */
async function giveStrayBack(ctx: Context, ours: OurCharge, told: ProviderCharge, reason: string): Promise<string> {
  const { deps, now } = ctx;
  const refundId = newUuid();
  const isMine = await sqlTransaction(deps.db, async (tx) => {
    const stray = await recordOrphanedCharge(tx, ours.payment_id, refundId, told.takenCents, reason, now);
    if (!stray) return false;
    if (stray.customer_id !== null) {
      const amount = cents(stray.captured_cents);
      const booking = { paymentId: stray.id, note: reason, now };
      await bookPurchase(tx, { kind: "capture", ...booking }, captureEntries(stray.customer_id, amount));
      await bookPurchase(
        tx,
        { kind: "refund", ...booking },
        refundEntries(stray.customer_id, "card", { backCents: amount, owedCents: amount }),
      );
    }
    await noteAlert(tx, { actor: deps.payments.name, subject: `payment:${stray.id}`, reason, data: told, now });
    return true;
  });
  if (isMine) await finishRefund(ctx, refundId);
  return isMine ? "given back" : "given back before";
}

/**
 * Looks at one charge after the provider spoke of it (webhook) or a sweep met it: asks what it is now, so that the order in
 * which events arrive does not matter, and brings our side to it. States only move forward; whatever finds its work done
 * does nothing. Returns what it did, in a word.
 */
export async function reconcileCharge(ctx: Context, told: ProviderCharge): Promise<string> {
  const { deps, now } = ctx;
  const ours = await findCharge(deps.db, told.key);
  // Another market may share the account: what we do not know, we do not touch.
  if (!ours || ours.customer_id === null) return "not ours";
  const charge: Charge = { key: told.key, customerId: ours.customer_id, ref: told.ref };
  if (told.currency !== "usd" || (told.amountCents !== ours.amount_cents && !ours.is_next)) {
    const reason = `The provider has ${told.amountCents} ${told.currency}, we asked for ${ours.amount_cents} usd.`;
    if (told.takenCents > 0) return giveStrayBack(ctx, ours, told, reason);
    await noteAlert(deps.db, {
      actor: deps.payments.name,
      subject: `payment:${ours.payment_id}`,
      reason,
      data: told,
      now,
    });
    await deps.payments.void(charge);
    return "mismatch, let go";
  }
  const found = await deps.payments.find(charge);
  if (!found) return "not there";
  if (ours.is_next) return "a hold being renewed";
  if (ours.is_purchase) return reconcilePurchase(ctx, ours, told, found);
  return reconcileAttempt(ctx, ours, told, found);
}

async function reconcilePurchase(ctx: Context, ours: OurCharge, told: ProviderCharge, found: Found): Promise<string> {
  if (ours.state === "challenge" && (found.state === "authorized" || found.state === "captured")) {
    await resumePurchase(ctx, ours.payment_id);
    return "purchase finished";
  }
  if (isOpen(ours) || ours.state === "captured") return "nothing to do";
  if (found.state === "captured") return giveStrayBack(ctx, ours, told, "Paid for a purchase that was given up.");
  if (found.state === "authorized") {
    await ctx.deps.payments.void({ key: told.key, customerId: ours.customer_id!, ref: told.ref });
    return "let go";
  }
  return "nothing to do";
}

async function reconcileAttempt(ctx: Context, ours: OurCharge, told: ProviderCharge, found: Found): Promise<string> {
  const attemptId = ours.attempt_id;
  if (attemptId !== null && ours.attempt_state === "challenge") {
    if (found.state !== "authorized" && found.state !== "captured") return "still asked";
    const settled = await finishChallenge(ctx, attemptId);
    return settled === null ? "taken" : settled.kind;
  }
  const isUseless = ours.live_orders === 0 && ours.attempt_state !== "held" && ours.attempt_state !== "paid";
  if (isUseless && found.state === "captured" && ours.state !== "captured")
    return giveStrayBack(ctx, ours, told, "Paid for an order that is cancelled, or never was.");
  if (isUseless && found.state === "authorized" && attemptId !== null)
    return (await tryVoidCharge(ctx, attemptId)) ? "let go" : "nothing to do";
  if (ours.state === "authorized" && found.state === "voided" && ours.live_orders > 0) {
    await loseHold(ctx, ours.payment_id);
    return "hold lost";
  }
  return "nothing to do";
}
