import Stripe from "stripe";

import { KEY, REFUND_KEY } from "./stripe-payments.ts";

/** A charge as the provider reports it. Cents; `currency` in lower case. */
export interface ReportedCharge {
  key: string;
  ref: string;
  amountCents: number;
  takenCents: number;
  currency: string;
}

/** Subject of a provider's event. `unknown`: another market's object on the same account. `other`: an unused event type. */
type ProviderSubject =
  | { kind: "charge"; charge: ReportedCharge }
  | { kind: "refund-failed"; refundId: string }
  | { kind: "refund-moved" }
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

function subjectOf({ type, data }: Stripe.Event): ProviderSubject {
  if (type.startsWith("payment_intent.")) {
    const intent = data.object as Stripe.PaymentIntent;
    const key = intent.metadata?.[KEY] ?? "";
    if (!UUID.test(key)) return { kind: "unknown" };
    const { id: ref, amount: amountCents, currency } = intent;
    return { kind: "charge", charge: { key, ref, amountCents, takenCents: intent.amount_received ?? 0, currency } };
  }
  if (type.startsWith("refund.") || type === "charge.refund.updated") {
    const refund = data.object as Stripe.Refund;
    const refundId = refund.metadata?.[REFUND_KEY] ?? "";
    if (!UUID.test(refundId)) return { kind: "unknown" };
    const hasFailed = refund.status === "failed" || refund.status === "canceled";
    return hasFailed ? { kind: "refund-failed", refundId } : { kind: "refund-moved" };
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
