import { calendarDate, formatLongWithYear } from "@marketday/domain/calendar-date";
import { cents, formatUsd } from "@marketday/domain/money";
import { z } from "zod";

import type { MailContent } from "../../lib/mail-template.ts";
import { fromData, type MailTemplates } from "../mail/template.ts";
import { giftCodeHash } from "./gift-code.ts";
import { hasCode } from "./store.ts";

const GiftCard = z.object({ code: z.string(), amountCents: z.number(), message: z.string() });
const Bought = z.object({
  amountCents: z.number(),
  recipientEmail: z.string(),
  message: z.string(),
  deliverOn: z.string(),
});
/** Whether its mail waits for the delivery day. */
const Resent = Bought.extend({ isWaiting: z.boolean() });
const Credit = z.object({ amountCents: z.number(), creditCents: z.number() });

const usd = (amount: number) => formatUsd(cents(amount));
const dayOf = (day: string) => formatLongWithYear(calendarDate(day));
const seeCards = { label: "See your gift cards", path: "/gift-card#sent" };

/** A gift card for its recipient. The code is stored nowhere else in plain text. */
function giftCard(data: z.infer<typeof GiftCard>, marketName: string): MailContent {
  return {
    subject: `A gift card for ${marketName}`,
    heading: `${usd(data.amountCents)} for the market`,
    parts: [
      ...(data.message ? [`“${data.message}”`] : []),
      `Someone sent you a gift card for ${marketName}. Enter this code under Gift Cards or at checkout; it turns into store credit.`,
      { rows: [], total: ["Your code", data.code] },
    ],
    link: { label: "Redeem it", path: "/gift-card#redeem" },
  };
}

const rowsOf = ({ recipientEmail, deliverOn }: z.infer<typeof Bought>): [string, string][] => [
  ["For", recipientEmail],
  ["Emailed on", dayOf(deliverOn)],
];

/** The buyer's receipt. The code is only in the recipient's mail. */
const receipt = (data: z.infer<typeof Bought>): MailContent => ({
  subject: `Your gift card: receipt for ${usd(data.amountCents)}`,
  heading: "Thank you for your gift",
  parts: [
    `We'll email the gift card with its code to ${data.recipientEmail} on ${dayOf(data.deliverOn)}.`,
    { rows: rowsOf(data), total: ["Paid", usd(data.amountCents)] },
    ...(data.message ? [`Your message: “${data.message}”`] : []),
    "Is the address wrong, or did the email get lost? You can send the gift card again until it is redeemed, also to another address. Its earlier code stops working then.",
  ],
  link: seeCards,
});

/** The buyer or the market sent the card again. */
const resent = (data: z.infer<typeof Resent>): MailContent => ({
  subject: `Your gift card is sent to ${data.recipientEmail}`,
  heading: data.isWaiting ? "Your gift card has another address" : "Your gift card was sent again",
  parts: [
    data.isWaiting
      ? `Your gift card of ${usd(data.amountCents)} is emailed to ${data.recipientEmail} on ${dayOf(data.deliverOn)}, with a new code.`
      : `We emailed your gift card of ${usd(data.amountCents)} to ${data.recipientEmail}, with a new code.`,
    "Its earlier code no longer works. If this wasn't you, please change your password and let us know.",
  ],
  link: seeCards,
});

/** Store credit that was added, and what there is with it. */
const creditRows = ({ amountCents, creditCents }: z.infer<typeof Credit>): MailContent["parts"][number] => ({
  rows: [["Added", usd(amountCents)]],
  total: ["Your store credit", usd(creditCents)],
});

/** A customer redeemed a code. */
const redeemed = (data: z.infer<typeof Credit>): MailContent => ({
  subject: `Your gift card: ${usd(data.amountCents)} of store credit`,
  heading: `${usd(data.amountCents)} of store credit`,
  parts: [
    "You redeemed a gift card. It is store credit now, and its code is used up. Apply your credit at checkout.",
    creditRows(data),
  ],
  link: { label: "Go to the market", path: "/shop" },
});

/** The market gave store credit that belongs to no order. */
const granted = (data: z.infer<typeof Credit>, market: string): MailContent => ({
  subject: `${usd(data.amountCents)} of store credit from ${market}`,
  heading: `${usd(data.amountCents)} of store credit`,
  parts: [`You have ${usd(data.amountCents)} of store credit from ${market}. Apply it at checkout.`, creditRows(data)],
  link: { label: "Go to the market", path: "/shop" },
});

/** Credit that the market gave by mistake was taken back, after its email. */
const takenBack = (data: z.infer<typeof Credit>): MailContent => ({
  subject: `${usd(data.amountCents)} of store credit was added by mistake`,
  heading: `We took back ${usd(data.amountCents)}`,
  parts: [
    `We emailed you about ${usd(data.amountCents)} of store credit. It was added by mistake, so we took it back. We're sorry for the mix-up.`,
    { rows: [["Taken back", usd(data.amountCents)]], total: ["Your store credit", usd(data.creditCents)] },
  ],
  link: { label: "Go to the market", path: "/shop" },
});

const sampleCard = {
  code: "K7QD-29FM-XW4T-8HRC",
  amountCents: 5000,
  message: "For your first week in the new kitchen.",
};
const sampleBought = {
  amountCents: 5000,
  recipientEmail: "fay@example.com",
  message: sampleCard.message,
  deliverOn: "2026-12-24",
};

/** Mails about gift cards and store credit. */
export const giftCardMails: MailTemplates = {
  "gift-card": {
    about: "Someone bought a gift card for this address",
    sort: "always",
    async content({ db, env }, data) {
      const card = GiftCard.parse(data);
      // It was sent again with another code since.
      return (await hasCode(db, giftCodeHash(card.code))) ? giftCard(card, env.marketName) : null;
    },
    sample: (market) => giftCard(sampleCard, market),
  },
  "gift-card-receipt": fromData("A customer bought a gift card", Bought, receipt, sampleBought),
  "gift-card-resent": fromData("A gift card was sent again: to its buyer", Resent, resent, {
    ...sampleBought,
    isWaiting: false,
  }),
  "gift-card-redeemed": fromData("A customer redeemed a gift card", Credit, redeemed, {
    amountCents: 5000,
    creditCents: 6250,
  }),
  "credit-granted": fromData("The market gave a customer store credit", Credit, granted, {
    amountCents: 1000,
    creditCents: 2250,
  }),
  "credit-taken-back": fromData("The market took back store credit that it gave by mistake", Credit, takenBack, {
    amountCents: 1000,
    creditCents: 1250,
  }),
};
