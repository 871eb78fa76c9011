import { sqlTransaction } from "@marketday/db";
import type Stripe from "stripe";

import { KEY, REFUND_KEY } from "../../gateways/payments/stripe/stripe-payments.ts";
import type { Context } from "../../lib/context.ts";
import { clearFailure, noteFailure } from "../../lib/job-failures.ts";
import { claimEvent, finishEvent } from "./charge-store.ts";
import { turnIntoCredit } from "./finish-refund.ts";
import { reconcileCharge } from "./reconcile-charge.ts";
import { loseMethod } from "./store.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function handle(ctx: Context, event: Stripe.Event): Promise<string> {
  const { type, data } = event;
  if (type.startsWith("payment_intent.")) {
    const intent = data.object as Stripe.PaymentIntent;
    const key = intent.metadata?.[KEY] ?? "";
    if (!UUID.test(key)) return "not ours";
    return reconcileCharge(ctx, {
      key,
      ref: intent.id,
      amountCents: intent.amount,
      takenCents: intent.amount_received ?? 0,
      currency: intent.currency,
    });
  }
  if (type.startsWith("refund.") || type === "charge.refund.updated") {
    const refund = data.object as Stripe.Refund;
    const id = refund.metadata?.[REFUND_KEY] ?? "";
    if (!UUID.test(id)) return "not ours";
    if (refund.status !== "failed" && refund.status !== "canceled") return "nothing to do";
    await turnIntoCredit(ctx, id);
    return "refund failed";
  }
  if (type === "payment_method.detached") {
    const method = data.object;
    const isGone = await sqlTransaction(ctx.deps.db, (tx) => loseMethod(tx, "stripe", method.id, ctx.now));
    return isGone ? "card forgotten" : "nothing to do";
  }
  return "ignored";
}

/**
 * Takes an event of Stripe's whose signature was checked. An event is only a hint to look: however often, late or out of
 * order it comes, the present state decides, and one that was handled is not handled again (failures.md B6). One that fails
 * is sent again by Stripe, and until it is handled its reason is kept for `market doctor`.
 */
export async function takeWebhook(ctx: Context, event: Stripe.Event): Promise<string> {
  const { db } = ctx.deps;
  if (!(await claimEvent(db, { provider: "stripe", id: event.id, type: event.type, now: ctx.now }))) return "seen";
  const subject = `${event.type} ${event.id}`;
  let outcome: string;
  try {
    outcome = await handle(ctx, event);
  } catch (error) {
    await noteFailure(ctx, "webhook", subject, error);
    throw error;
  }
  await finishEvent(db, "stripe", event.id, outcome, ctx.now);
  await clearFailure(db, "webhook", subject);
  return outcome;
}
