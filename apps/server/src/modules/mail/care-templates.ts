import { calendarDate, formatLong } from "@marketday/domain/calendar-date";
import { cents, formatUsd } from "@marketday/domain/money";
import { z } from "zod";

import type { MailContent } from "./layout.ts";
import type { OrderForMail } from "./store.ts";
import { orderConfirmation } from "./templates.ts";

const usd = (amount: number) => formatUsd(cents(amount));

/** Money that goes back: how much in cents, where to, and why. */
export const BackForMail = z.object({
  amountCents: z.number(),
  to: z.enum(["card", "credit"]).default("credit"),
  reason: z.string().default(""),
});
type Back = z.infer<typeof BackForMail>;
/** What calling an order off gave back, in cents. */
export const OffForMail = z.object({
  reason: z.string(),
  to: z.enum(["card", "credit"]),
  backCents: z.number(),
  creditCents: z.number(),
});
/** The same, and the lines that did not come: "2 × Duck Eggs". */
export const ShortForMail = OffForMail.extend({ missing: z.array(z.string()) });

const whereTo = (to: "card" | "credit") =>
  to === "card"
    ? "to the card you paid with; banks take a few days to show it"
    : "into your store credit, for your next order";

/** Money back for an order that stays as it is. */
export const orderRefunded = (order: OrderForMail, { amountCents, to, reason }: Back): MailContent => ({
  subject: `${usd(amountCents)} back for order ${order.order_id}`,
  heading: `${usd(amountCents)} back`,
  parts: [
    `We have returned ${usd(amountCents)} for order ${order.order_id} of ${formatLong(calendarDate(order.day))} ${whereTo(to)}.`,
    ...(reason ? [reason] : []),
  ],
  link: { label: "See your order", path: `/order-complete/${order.order_id}` },
});

/** The card did not take a refund. */
export const refundAsCredit = (order: OrderForMail, { amountCents }: Pick<Back, "amountCents">): MailContent => ({
  subject: `${usd(amountCents)} of store credit for order ${order.order_id}`,
  heading: `${usd(amountCents)} of store credit`,
  parts: [
    `Your card didn't accept the ${usd(amountCents)} we refunded for order ${order.order_id}, so it is store credit now, for your next order. Write to us if you need it another way.`,
  ],
  link: { label: "Go to the market", path: "/shop" },
});

/** The market canceled a box, or what was added to one. */
export const orderCalledOff = (order: OrderForMail, back: z.infer<typeof OffForMail>): MailContent => {
  const credit = back.creditCents;
  const day = formatLong(calendarDate(order.day));
  const what =
    order.added_on === null
      ? `Order ${order.order_id} for ${day}`
      : `What you added on ${formatLong(calendarDate(order.added_on))} to order ${order.order_id} for ${day}`;
  return {
    subject:
      order.added_on === null
        ? `Your order ${order.order_id} was cancelled`
        : `Part of your order ${order.order_id} was cancelled`,
    heading: order.added_on === null ? "Your order was cancelled" : "Part of your order was cancelled",
    parts: [
      `${what} was cancelled. ${back.backCents + back.creditCents === 0 ? "You will not be charged for it." : ""}`.trim(),
      ...(back.reason ? [back.reason] : []),
      ...(back.to === "card" && back.backCents > 0 ? [`${usd(back.backCents)} goes back ${whereTo("card")}.`] : []),
      ...(credit > 0 ? [`${usd(credit)} goes ${whereTo("credit")}.`] : []),
    ],
    link: { label: "Go to the market", path: "/shop" },
  };
};

/** Something could not be picked: what is missing, what comes, and what goes back. */
export const orderShort = (order: OrderForMail, data: z.infer<typeof ShortForMail>): MailContent => {
  const { parts, link } = orderConfirmation(order);
  const [said, place, ...rest] = parts;
  return {
    subject: `Something is missing from your order ${order.order_id}`,
    heading: "Something is missing",
    parts: [
      `We are sorry: ${data.missing.join(", ")} did not come, so you do not pay for ${data.missing.length === 1 && data.missing[0]?.startsWith("1 ×") ? "it" : "them"}.`,
      ...(data.reason ? [data.reason] : []),
      ...(data.to === "card" && data.backCents > 0 ? [`${usd(data.backCents)} goes back ${whereTo("card")}.`] : []),
      ...(data.creditCents > 0 ? [`${usd(data.creditCents)} goes ${whereTo("credit")}.`] : []),
      ...[said, place].filter((part) => part !== undefined),
      ...rest.filter((part) => typeof part !== "string" || !part.startsWith("You can ")),
    ],
    link,
  };
};

/** The hold on the card could not be renewed while the order still grows. */
export const holdLost = (order: OrderForMail): MailContent => ({
  subject: `Please check your card for order ${order.order_id}`,
  heading: "Your card was declined",
  parts: [
    `Order ${order.order_id} for ${formatLong(calendarDate(order.day))} stays open, but your bank no longer holds ${usd(order.order_total_cents - order.credit_cents)} for it. We charge your default card when the order closes: please make sure that it works until then.`,
  ],
  link: { label: "Check your cards", path: "/embed/payment" },
});

/** The shopper came back from the bank too late: what they wanted is sold out. */
export const notCharged = (): MailContent => ({
  subject: "You have not been charged",
  heading: "You have not been charged",
  parts: [
    "Something in your cart sold out while you were confirming the payment with your bank, so nothing was ordered and nothing was charged. The rest is still in your cart.",
  ],
  link: { label: "Back to your cart", path: "/cart" },
});
