import { transaction } from "@marketday/db";

import type { ProviderEvent } from "../../gateways/payments/stripe/webhook.ts";
import type { Context } from "../identity/context.ts";
import { clearFailure, noteFailure } from "../job-failures/store.ts";
import { claimEvent, finishEvent } from "./charge-store.ts";
import { turnIntoCredit } from "./finish-refund.ts";
import { loseMethod } from "./method-store.ts";
import { reconcileCharge } from "./reconcile-charge.ts";

async function handle(ctx: Context, { subject }: ProviderEvent): Promise<string> {
  switch (subject.kind) {
    case "charge":
      return reconcileCharge(ctx, subject.charge);
    case "refund-failed":
      await turnIntoCredit(ctx, subject.refundId);
      return "refund failed";
    case "card-detached": {
      const { ref } = subject;
      const isGone = await transaction(ctx.deps.db, (tx) => loseMethod(tx, "stripe", ref, ctx.now));
      return isGone ? "card forgotten" : "nothing to do";
    }
    case "refund-moved":
      return "nothing to do";
    case "unknown":
      return "not ours";
    case "other":
      return "ignored";
  }
}

/**
 * Processes an event of the provider once. An event is only a hint: however often, late or out of order it arrives, the
 * present state decides (failures.md B6). An event that fails is sent again by the provider; until it is processed its
 * reason is kept for `market doctor`.
 */
export async function takeWebhook(ctx: Context, event: ProviderEvent): Promise<string> {
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
