import { cents, formatUsd } from "@marketday/domain/money";
import { z } from "zod";

import type { MailContent } from "../../lib/mail-template.ts";
import { fromData, type MailTemplates } from "../mail/template.ts";

const CardRemoved = z.object({ last4: z.string(), nextLast4: z.string().nullable(), orderId: z.number() });
const PaymentLimit = z.object({ by: z.enum(["customer", "address"]) });
const Amount = z.object({ amountCents: z.number() });

const usd = (amount: number) => formatUsd(cents(amount));

/** The provider removed the default card while an order needs one. */
const cardRemoved = (data: z.infer<typeof CardRemoved>): MailContent => ({
  subject: "A card was removed from your account",
  heading: "A card was removed from your account",
  parts: [
    `Your card ending in ${data.last4} is no longer in your account: your bank or our payment provider removed it.`,
    data.nextLast4 === null
      ? `Order ${data.orderId} still needs a card. Please add one before your order closes, so that we can charge it.`
      : `We'll charge order ${data.orderId} to your card ending in ${data.nextLast4}. You can choose another one in your account.`,
  ],
  link: { label: "See your cards", path: "/embed/payment" },
});

/** Too many payment attempts in an hour; `address`: of everyone on the same internet connection. */
const paymentLimit = ({ by }: z.infer<typeof PaymentLimit>): MailContent => ({
  subject: "We paused card payments for up to an hour",
  heading: "Too many payments didn't go through",
  parts: [
    by === "customer"
      ? "Several payments from your account were declined or not finished within an hour. To protect your card, we're not accepting new ones for up to an hour. Orders that are already placed are not affected."
      : "Several payments from the internet connection you use were declined or not finished within an hour. To protect everyone's cards, we're not accepting new ones from it for up to an hour. Orders that are already placed are not affected.",
    "If this wasn't you, please change your password and let us know.",
  ],
  link: { label: "Go to the market", path: "/shop" },
});

/** A referred friend's first order has closed: the credit for it. */
function referralCredit({ amountCents }: z.infer<typeof Amount>, marketName: string): MailContent {
  return {
    subject: `${usd(amountCents)} for you: your friend has ordered`,
    heading: `${usd(amountCents)} of store credit`,
    parts: [
      `A friend you invited to ${marketName} placed a first order. Thanks for spreading the word.`,
      `${usd(amountCents)} has been added to your store credit. Apply it at checkout.`,
    ],
    link: { label: "Go to the market", path: "/shop" },
  };
}

/** The friend's order turned out to be unpaid: the credit for it is taken back. */
const referralCreditUndone = ({ amountCents }: z.infer<typeof Amount>): MailContent => ({
  subject: `${usd(amountCents)} of store credit was taken back`,
  heading: `${usd(amountCents)} was taken back`,
  parts: [
    `We gave you ${usd(amountCents)} of store credit for a friend's first order. That order was marked as paid by mistake, so we took the credit back. You get it again when the order is paid.`,
  ],
  link: { label: "Go to the market", path: "/shop" },
});

/** Money was taken for something that was not sold, and is on its way back. */
const chargeReturned = ({ amountCents }: z.infer<typeof Amount>): MailContent => ({
  subject: `${usd(amountCents)} goes back to your card`,
  heading: `${usd(amountCents)} goes back to your card`,
  parts: [
    `Your card was charged ${usd(amountCents)} although nothing was sold: the payment had been given up when your bank confirmed it. We're returning all of it to that card; banks take a few days to show it.`,
    "There is nothing you need to do. If you still want what you were paying for, please order it again.",
  ],
  link: { label: "Go to the market", path: "/shop" },
});

/** Mails about saved cards, payment limits and referral credit. */
export const paymentMails: MailTemplates = {
  "card-removed": fromData("The provider removed the default card while an order needs one", CardRemoved, cardRemoved, {
    last4: "4242",
    nextLast4: null,
    orderId: 123456789,
  }),
  "payment-limit": fromData(
    "Too many payments of this account were declined or not finished, and no more are accepted for up to an hour",
    PaymentLimit,
    paymentLimit,
    { by: "customer" },
  ),
  "referral-credit": fromData("The first order of a referred friend has closed", Amount, referralCredit, {
    amountCents: 2000,
  }),
  "referral-credit-undone": fromData("The order of a referred friend is unpaid again", Amount, referralCreditUndone, {
    amountCents: 2000,
  }),
  "charge-returned": fromData("Money that pays for nothing goes back to the card", Amount, chargeReturned, {
    amountCents: 3895,
  }),
};
