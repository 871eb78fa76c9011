import { cents, formatUsd } from "@marketday/domain/money";
import { z } from "zod";

import type { MailContent } from "../../lib/mail-template.ts";
import { formatOrderDay, type OrderForMail } from "./find-order-for-mail.ts";
import type { RefundState } from "./find-refund-states.ts";

const usd = (amount: number) => formatUsd(cents(amount));

/** Where the money of a refund, a cancellation or a shortage goes, in cents. `refundIds`: its refunds to the card. */
const MoneyData = z.object({
  to: z.enum(["card", "credit"]).default("credit"),
  backCents: z.number().default(0),
  creditCents: z.number().default(0),
  bankCents: z.number().default(0),
  earlierCents: z.number().default(0),
  refundIds: z.array(z.string()).default([]),
});
type MoneyData = z.infer<typeof MoneyData>;

/** A refund: the amount in cents, its destination and the reason. */
export const Refund = MoneyData.extend({ amountCents: z.number(), reason: z.string().default("") });
/** A cancellation and what it refunded, in cents. */
export const Cancellation = MoneyData.extend({ reason: z.string() });
/** A cancellation of missing items: "2 × Duck Eggs". */
export const Shortage = Cancellation.extend({ missing: z.array(z.string()) });

const sumOf = (refunds: readonly RefundState[]): number =>
  refunds.reduce((sum, refund) => sum + refund.amount_cents, 0);

/** Why the card did not take a refund, and what happens next, for the shopper. */
function failedPart(amountCents: number, failure: string | null): string {
  const amount = usd(amountCents);
  switch (failure) {
    case "charge_disputed":
      return `We couldn't refund ${amount} to your card, because your bank is reviewing this payment. Your bank decides about it and will let you know.`;
    case "charge_already_refunded":
      return `${amount} of this payment was already returned to your card, so we didn't refund it a second time. Questions? Reply to this email.`;
    case "expired_card":
      return `We couldn't refund ${amount} to your card, because it has expired or was closed. We'll contact you about another way to return it.`;
    default:
      return `We couldn't refund ${amount} to your card: your bank didn't accept it. We'll contact you about another way to return it.`;
  }
}

/** What became of the refunds to the card: accepted, still to come, or failed. */
function cardParts({ to, backCents }: MoneyData, refunds: readonly RefundState[]): string[] {
  if (to !== "card" || backCents === 0) return [];
  // A mail of a version that did not name its refunds.
  if (refunds.length === 0)
    return [`${usd(backCents)} goes back to the card you paid with; banks take a few days to show it.`];
  const byHand = sumOf(refunds.filter(({ is_offline: isOffline }) => isOffline));
  const done = sumOf(refunds.filter(({ state, is_offline: isOffline }) => state === "done" && !isOffline));
  const waiting = sumOf(refunds.filter(({ state }) => state === "created"));
  const failed = refunds.filter(({ state }) => state === "failed");
  return [
    ...(byHand > 0 ? [`We will give you back the ${usd(byHand)} that you paid at pickup or at the door.`] : []),
    ...(done > 0 ? [`We refunded ${usd(done)} to the card you paid with; banks take a few days to show it.`] : []),
    ...(waiting > 0
      ? [`We will refund ${usd(waiting)} to the card you paid with. This can take a few days longer than usual.`]
      : []),
    ...failed.map(({ amount_cents: amountCents, failure }) => failedPart(amountCents, failure)),
  ];
}

/** Where the money of a lowered or canceled order goes. */
export function moneyParts(data: MoneyData, refunds: readonly RefundState[]): string[] {
  const { creditCents, bankCents, earlierCents } = data;
  return [
    ...cardParts(data, refunds),
    ...(creditCents > 0 ? [`${usd(creditCents)} was added to your store credit, for your next order.`] : []),
    ...(bankCents > 0
      ? [
          `Your bank has taken back ${usd(bankCents)} of this payment while it reviews it, so we don't refund that amount a second time.`,
        ]
      : []),
    ...(earlierCents > 0 ? [`${usd(earlierCents)} was already returned to you.`] : []),
  ];
}

/** Whether no money of the order moves or has moved. */
export const isFree = ({ backCents, creditCents, bankCents, earlierCents }: MoneyData): boolean =>
  backCents + creditCents + bankCents + earlierCents === 0;

/** The subject of a mail about a refund, which says no more than what became of it. */
function headline(amountCents: number, refunds: readonly RefundState[]): string {
  if (refunds.some(({ state }) => state === "failed")) return `We couldn't refund ${usd(amountCents)} to your card`;
  return `${usd(amountCents)} back`;
}

/** A refund for an order that is not changed. */
export function orderRefunded(
  order: OrderForMail,
  data: z.infer<typeof Refund>,
  refunds: readonly RefundState[],
): MailContent {
  const { amountCents, to, reason } = data;
  const heading = headline(amountCents, refunds);
  return {
    subject: `${heading} for order ${order.order_id}`,
    heading,
    parts: [
      `This is about order ${order.order_id} of ${formatOrderDay(order, order.day)}.`,
      ...moneyParts({ ...data, backCents: amountCents, creditCents: to === "credit" ? amountCents : 0 }, refunds),
      ...(reason ? [reason] : []),
    ],
    link: { label: "See your order", path: `/order-complete/${order.order_id}` },
  };
}

/** A refund to the card failed, and the market gives store credit instead. */
export const refundAsCredit = (order: OrderForMail, { amountCents }: z.infer<typeof Refund>): MailContent => ({
  subject: `${usd(amountCents)} of store credit for order ${order.order_id}`,
  heading: `${usd(amountCents)} of store credit`,
  parts: [
    `We couldn't refund ${usd(amountCents)} for order ${order.order_id} to your card, so it is store credit now, for your next order. Reply to this email if you need it another way.`,
  ],
  link: { label: "Go to the market", path: "/shop" },
});

/** A refund that an earlier mail announced did not go back to the card. */
export function refundFailed(order: OrderForMail, _data: unknown, refunds: readonly RefundState[]): MailContent {
  const failed = refunds.filter(({ state }) => state === "failed");
  const heading = headline(sumOf(failed), failed);
  return {
    subject: `${heading} for order ${order.order_id}`,
    heading,
    parts: [
      `This is about order ${order.order_id} of ${formatOrderDay(order, order.day)}.`,
      ...failed.map(({ amount_cents: amountCents, failure }) => failedPart(amountCents, failure)),
    ],
    link: { label: "See your order", path: `/order-complete/${order.order_id}` },
  };
}
