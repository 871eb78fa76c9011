import type { ProviderEvent } from "../../gateways/payments/stripe/webhook.ts";
import type { Context } from "../identity/context.ts";
import { noteFailure } from "../job-failures/failure-sql.ts";
import { clearFailure } from "../job-failures/failure-store.ts";
import { forgetCard } from "./cards.ts";
import { presentOr } from "./fetch-moved-money.ts";
import { findPaymentByRef, findPaymentOfRefund } from "./moved-store.ts";
import { reconcileCharge } from "./reconcile-charge.ts";
import { recordDispute } from "./record-dispute.ts";
import { recordRefunds } from "./record-refunds.ts";
import { claimEvent, finishEvent } from "./webhook-store.ts";

/** Records refunds and disputes of a charge of this market. */
async function handleMoved(
  ctx: Context,
  { subject }: { subject: Extract<ProviderEvent["subject"], { kind: "refund" | "dispute" }> },
): Promise<string> {
  const { db, payments } = ctx.deps;
  const { chargeRef: named, chargeId } = subject.named;
  const chargeRef =
    named ?? (chargeId === null ? null : await presentOr(ctx, (moved) => moved.findChargeRef(chargeId), null));
  if (subject.kind === "dispute") {
    const { dispute, at } = subject;
    const present = await presentOr(ctx, (moved) => moved.findDispute(dispute.ref), null);
    return recordDispute(
      ctx,
      { ...(present ?? dispute), chargeRef: chargeRef ?? present?.chargeRef ?? null },
      { at, isPresent: present !== null },
    );
  }
  const { refund } = subject;
  const payment =
    (chargeRef === null ? null : await findPaymentByRef(db, payments.name, chargeRef)) ??
    (refund === null || refund.refundKey === null
      ? null
      : await findPaymentOfRefund(db, payments.name, refund.refundKey));
  if (!payment) return "not ours";
  const of = { chargeRef: payment.provider_ref ?? "" };
  const present = await presentOr(ctx, (moved) => moved.listRefunds(of), []);
  const isListed = refund === null || present.some(({ ref }) => ref === refund.ref);
  return recordRefunds(ctx, payment.id, isListed ? present : [...present, refund]);
}

async function handle(ctx: Context, { subject }: ProviderEvent): Promise<string> {
  switch (subject.kind) {
    case "charge":
      return reconcileCharge(ctx, subject.charge);
    case "refund":
    case "dispute":
      return handleMoved(ctx, { subject });
    case "card-detached": {
      return (await forgetCard(ctx, "stripe", subject.ref)) ? "card forgotten" : "nothing to do";
    }
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
  await ctx.deps.failpoint("webhook:claimed");
  const subject = `${event.type} ${event.id}`;
  let outcome: string;
  try {
    outcome = await handle(ctx, event);
  } catch (error) {
    await noteFailure(ctx, "webhook", subject, error);
    throw error;
  }
  if (outcome === "not ours")
    ctx.deps.log.warn(
      { event: event.id, type: event.type },
      "an event about a charge that is not this market's was left alone",
    );
  await ctx.deps.failpoint("webhook:handled");
  await finishEvent(db, "stripe", event.id, outcome, ctx.now);
  await clearFailure(db, "webhook", subject);
  return outcome;
}
