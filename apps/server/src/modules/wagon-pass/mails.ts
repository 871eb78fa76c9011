import { calendarDate, formatLongWithYear } from "@marketday/domain/calendar-date";
import { cents, formatUsd } from "@marketday/domain/money";
import { chargeDay, WAGON_PASS_REMINDER_DAYS, wagonPassPrice } from "@marketday/domain/wagon-pass";
import { z } from "zod";

import type { MailContent } from "../../lib/mail-template.ts";
import { fromData, type MailTemplates } from "../mail/template.ts";
import { findRenewal, type RenewalRow } from "./pass-sql.ts";

const Plan = z.enum(["monthly", "yearly"]);
const Receipt = z.object({
  plan: Plan,
  amountCents: z.number(),
  paidOn: z.string(),
  /** Null: it was canceled while it was paid for. */
  renewsOn: z.string().nullable(),
  endsOn: z.string().nullable(),
  isRenewal: z.boolean(),
});
const Ended = z.object({ endsOn: z.string(), today: z.string(), reason: z.string().nullable() });
/** All missing: the mail was enqueued by an earlier version. */
const Failed = z
  .object({ amountCents: z.number(), renewsOn: z.string(), today: z.string(), isUnconfirmed: z.boolean() })
  .partial();

const usd = (amount: number) => formatUsd(cents(amount));
const dayOf = (day: string) => formatLongWithYear(calendarDate(day));
const PLAN = { monthly: "Monthly", yearly: "Yearly" } as const;
const PERIOD = { monthly: "month", yearly: "year" } as const;

const manage = { label: "See or end your pass", path: "/wagon-pass" };
const buyAgain = { label: "See the wagon pass", path: "/wagon-pass" };

/** A pass was bought or renewed: the amount, the next renewal, and how to end it. */
function receipt({ plan, amountCents, paidOn, renewsOn, endsOn, isRenewal }: z.infer<typeof Receipt>): MailContent {
  const price = usd(wagonPassPrice(plan));
  const rows: [string, string][] = [
    ["Plan", PLAN[plan]],
    ["Paid on", dayOf(paidOn)],
    ...(renewsOn ? [["Next renewal", dayOf(renewsOn)] as [string, string]] : []),
    ...(!renewsOn && endsOn ? [["Last day", dayOf(endsOn)] as [string, string]] : []),
  ];
  return {
    subject: isRenewal
      ? `Your wagon pass was renewed: ${usd(amountCents)}`
      : `Your wagon pass: receipt for ${usd(amountCents)}`,
    heading: isRenewal ? "Your wagon pass was renewed" : "Your wagon pass is active",
    parts: [
      "Thank you. Home delivery is free while your pass is active.",
      { rows, total: ["Paid", usd(amountCents)] },
      ...(renewsOn
        ? [
            `It renews automatically on ${dayOf(renewsOn)} for ${price}, on your default card, and then each ${PERIOD[plan]} until you end it.${plan === "yearly" ? ` We'll email you ${WAGON_PASS_REMINDER_DAYS} days before.` : ""}`,
            "You can end it at any time with the link below. It then stays active until the day on which it would have renewed, and you won't be charged again.",
          ]
        : ["You ended this pass while the payment was being made, so it won't renew."]),
    ],
    link: manage,
  };
}

/** The reminder before a renewal, with the amount and the day on which it is charged when this mail is sent today. */
function reminder({ plan, renews_on, today, last_paid_cents: before }: Omit<RenewalRow, "key">): MailContent {
  const price = wagonPassPrice(plan);
  const day = chargeDay(plan, calendarDate(renews_on), calendarDate(today));
  const isOtherPrice = before !== null && before !== price;
  return {
    subject: `Your wagon pass renews on ${dayOf(day)} for ${usd(price)}`,
    heading: isOtherPrice ? "Your wagon pass renews at a new price" : "Your wagon pass renews soon",
    parts: [
      `Your ${plan} wagon pass renews on ${dayOf(day)}. We'll charge ${usd(price)} to your default card then.`,
      ...(isOtherPrice ? [`This is a new price: last time you paid ${usd(before)}.`] : []),
      {
        rows: [
          ["Plan", PLAN[plan]],
          ["Renews on", dayOf(day)],
          ...(isOtherPrice ? [["Last time", usd(before)] as [string, string]] : []),
        ],
        total: ["To be charged", usd(price)],
      },
      "To keep your pass, there is nothing you need to do. If you don't want it anymore, end it before that day with the link below, and you won't be charged.",
      ...(day === renews_on ? ["Your free delivery lasts until that day."] : []),
    ],
    link: manage,
  };
}

/** The pass was ended by the customer or, with a reason, by the market. */
function ended({ endsOn, today, reason }: z.infer<typeof Ended>): MailContent {
  const isOver = endsOn < today;
  const heading = isOver ? "Your wagon pass has ended" : "Your wagon pass will end";
  return {
    subject: isOver ? "Your wagon pass has ended" : `Your wagon pass ends on ${dayOf(endsOn)}`,
    heading,
    parts: [
      reason === null
        ? "You ended your wagon pass. It won't renew, and you won't be charged for it again."
        : "We ended your wagon pass. It won't renew, and you won't be charged for it again.",
      ...(reason ? [reason] : []),
      { rows: [], total: [isOver ? "Last day was" : "Last day", dayOf(endsOn)] },
      isOver
        ? "Home delivery costs its flat fee again."
        : `Home delivery stays free through ${dayOf(endsOn)}. After that it costs its flat fee again.`,
    ],
    link: buyAgain,
  };
}

/** The card was declined on the renewal day, or there is none: the pass stays active while the payment is retried. */
const declined = ({ amountCents, renewsOn }: z.infer<typeof Failed>): MailContent => ({
  subject: "We couldn't renew your wagon pass",
  heading: "We couldn't renew your wagon pass",
  parts: [
    `${amountCents === undefined || renewsOn === undefined ? "" : `It was due on ${dayOf(renewsOn)} for ${usd(amountCents)}. `}Your card was declined, or there is none in your account. Your pass stays active and we'll try again over the next six days. Please check your card, so that your free delivery doesn't end.`,
  ],
  link: { label: "Check your cards", path: "/embed/payment" },
});

/** The bank wants the shopper to confirm the renewal: the pass stays active meanwhile. */
const unconfirmed = ({ amountCents, renewsOn }: z.infer<typeof Failed>): MailContent => ({
  subject: "Your bank needs to confirm your wagon pass",
  heading: "Your bank needs to confirm this payment",
  parts: [
    `${amountCents === undefined || renewsOn === undefined ? "Your wagon pass is due for renewal" : `Your wagon pass was due for renewal on ${dayOf(renewsOn)} for ${usd(amountCents)}`}, and your bank lets us charge it only when you confirm the payment. You have not been charged, and we don't ask your bank again.`,
    "Please pay and confirm it on your wagon pass's page within six days. Until then your pass stays active; without it, it ends.",
  ],
  link: { label: "Confirm the payment", path: "/embed/wagon-pass" },
});

/** The last renewal attempt failed: no card, the card was declined, or the bank's confirmation did not come. */
const lapsed = ({ renewsOn, today, isUnconfirmed }: z.infer<typeof Failed>): MailContent => ({
  subject: "Your wagon pass has ended",
  heading: "Your wagon pass has ended",
  parts: [
    isUnconfirmed
      ? "We could not renew it: your bank needed you to confirm the payment, and that did not happen. You haven't been charged. Home delivery costs its flat fee again until you buy a new pass."
      : "We could not renew it: your card was declined, or there's no card in your account. You haven't been charged. Home delivery costs its flat fee again until you buy a new pass.",
    ...(renewsOn === undefined || today === undefined
      ? []
      : [
          {
            rows: [["Paid until", dayOf(renewsOn)] as [string, string]],
            total: ["Last day", dayOf(today)] as [string, string],
          },
        ]),
  ],
  link: buyAgain,
});

const failed = { amountCents: 13_995, renewsOn: "2027-11-23", today: "2027-11-29" };

/** Mails about the wagon pass. */
export const wagonPassMails: MailTemplates = {
  "wagon-pass-receipt": fromData("A wagon pass was bought or renewed", Receipt, receipt, {
    plan: "yearly",
    amountCents: 13_995,
    paidOn: "2026-11-23",
    renewsOn: "2027-11-23",
    endsOn: null,
    isRenewal: false,
  }),
  "wagon-pass-reminder": {
    // Not a reminder that can be unsubscribed: nothing is charged without it.
    about: "30 days before a yearly pass renews, and before a renewal at another price",
    sort: "always",
    async content({ db }, data, now) {
      const { passId, key } = z.object({ passId: z.number(), key: z.string() }).parse(data);
      const renewal = await findRenewal(db, passId, now);
      // It was ended or renewed since, or has another price.
      return renewal?.key === key ? reminder(renewal) : null;
    },
    sample: () => reminder({ plan: "yearly", renews_on: "2027-11-23", today: "2027-10-24", last_paid_cents: 12_995 }),
  },
  "wagon-pass-ended": fromData("A wagon pass was ended by the customer or the market", Ended, ended, {
    endsOn: "2027-11-23",
    today: "2027-03-02",
    reason: null,
  }),
  "wagon-pass-declined": fromData(
    "A wagon pass could not be renewed yet: the card was declined",
    Failed,
    declined,
    failed,
  ),
  "wagon-pass-unconfirmed": fromData(
    "The bank wants the renewal of a wagon pass confirmed",
    Failed,
    unconfirmed,
    failed,
  ),
  "wagon-pass-lapsed": fromData("A wagon pass could not be renewed and has ended", Failed, lapsed, failed),
};
