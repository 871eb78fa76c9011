import Stripe from "stripe";

import type { ProviderDispute, ProviderRefund } from "../payments.ts";
import { chargeIdOf, disputeOf, refundOf, warningOf } from "./moved-money.ts";
import { KEY } from "./stripe-payments.ts";

/** A charge as the provider reports it. Cents; `currency` in lower case. */
export interface ReportedCharge {
  key: string;
  ref: string;
  amountCents: number;
  takenCents: number;
  currency: string;
}

/** How an event names its charge: as the market knows it, or in another way (`MovedMoney.findChargeRef`). */
interface NamedCharge {
  chargeRef: string | null;
  chargeId: string | null;
}

/** Subject of a provider's event. `unknown`: another market's object on the same account. `other`: an unused event type. */
type ProviderSubject =
  | { kind: "charge"; charge: ReportedCharge }
  /** Refunds of a charge, by the market or in the dashboard; `refund`: the one that the event is about, if it names one. */
  | { kind: "refund"; refund: ProviderRefund | null; named: NamedCharge }
  | { kind: "dispute"; dispute: ProviderDispute; named: NamedCharge; at: Date }
  | { kind: "card-detached"; ref: string }
  | { kind: "unknown" }
  | { kind: "other" };

/** An event of the provider. `id` is the same each time it is sent. */
export interface ProviderEvent {
  id: string;
  type: string;
  subject: ProviderSubject;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function subjectOf({ type, data, created }: Stripe.Event): ProviderSubject {
  if (type.startsWith("payment_intent.")) {
    const intent = data.object as Stripe.PaymentIntent;
    const key = intent.metadata?.[KEY] ?? "";
    if (!UUID.test(key)) return { kind: "unknown" };
    const { id: ref, amount: amountCents, currency } = intent;
    return { kind: "charge", charge: { key, ref, amountCents, takenCents: intent.amount_received ?? 0, currency } };
  }
  if (type.startsWith("refund.") || type === "charge.refund.updated") {
    const object = data.object as Stripe.Refund;
    const refund = refundOf(object);
    return { kind: "refund", refund, named: { chargeRef: refund.chargeRef, chargeId: chargeIdOf(object) } };
  }
  if (type === "charge.refunded") {
    const { id: chargeId, payment_intent: intent } = data.object;
    const chargeRef = typeof intent === "string" ? intent : (intent?.id ?? null);
    return { kind: "refund", refund: null, named: { chargeRef, chargeId } };
  }
  if (type.startsWith("charge.dispute.") || type.startsWith("radar.early_fraud_warning.")) {
    const object = data.object as Stripe.Dispute | Stripe.Radar.EarlyFraudWarning;
    const dispute = object.object === "dispute" ? disputeOf(object) : warningOf(object);
    const named = { chargeRef: dispute.chargeRef, chargeId: chargeIdOf(object) };
    return { kind: "dispute", dispute, named, at: new Date(created * 1000) };
  }
  if (type === "payment_method.detached") return { kind: "card-detached", ref: data.object.id };
  return { kind: "other" };
}

/** Seconds that a signature stays valid. */
const TOLERANCE = 300;

/** Parses an event. @throws Stripe's error when the body was not signed with `secret` in the last five minutes */
export function parseWebhook(body: Buffer, signature: unknown, secret: string, now: Date): ProviderEvent {
  const event = Stripe.webhooks.constructEvent(
    body,
    typeof signature === "string" ? signature : "",
    secret,
    TOLERANCE,
    undefined,
    now.getTime(),
  );
  return { id: event.id, type: event.type, subject: subjectOf(event) };
}
