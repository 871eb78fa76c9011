import type { NextBox } from "@marketday/contracts/subscriptions";
import { calendarDate, formatLong } from "@marketday/domain/calendar-date";
import { formatChangeBy, formatOrderBy } from "@marketday/domain/order";
import { z } from "zod";

import type { MailContent } from "../../lib/mail-template.ts";
import { asCustomerId } from "../identity/context.ts";
import { fromData, type MailTemplates } from "../mail/template.ts";
import { NO_AUTO_ORDER } from "../orders/day-box-store.ts";
import { sampleOrder } from "../orders/find-order-for-mail.ts";
import { sampleAbout } from "../week/mails.ts";
import { findAbout, type ReminderAbout } from "../week/remind-store.ts";
import { nextBoxes } from "./next-boxes.ts";

const About = z.object({ day: z.string(), market: z.string(), cutoff: z.string(), timeZone: z.string() });
const Lines = z.array(z.object({ title: z.string(), quantity: z.number() }));
const Failed = About.extend({
  reason: z.enum(["nothing", "no_address", "no_card", "declined", "unconfirmed", "failed"]),
});
const Short = About.extend({ orderId: z.number(), ordered: Lines, missing: Lines });
const Missed = About.pick({ day: true, market: true });
const Off = About.pick({ day: true, market: true, timeZone: true }).extend({
  /** The next delivery day and the instant of its automatic checkout; null: none is planned. */
  next: z.object({ day: z.string(), at: z.string() }).nullable(),
});

const dayWords = (day: string) => formatLong(calendarDate(day));
const untilWords = (about: z.infer<typeof About>) => formatOrderBy(new Date(about.cutoff), about.timeZone);
const listed = (lines: z.infer<typeof Lines>) => lines.map((line) => `${line.quantity} × ${line.title}`).join("\n");

const CAUSE = {
  nothing: "there was nothing to order: your cart was empty, or everything in it was sold out",
  no_address: "we have no delivery address for you in this market",
  no_card: "you have no saved card",
  declined: "your card was declined",
  unconfirmed: "your bank needs you to confirm this payment, and it can only do that while you check out",
  failed: "something went wrong on our side",
} as const;
const ACTION = {
  nothing: "Fill your cart",
  no_address: "Check out and enter an address",
  no_card: "Check out and save a card",
  declined: "Check out with another card",
  unconfirmed: "Check out and confirm the payment with your bank",
  failed: "Please check out yourself",
} as const;

/** What happens until the cutoff, where it is not another try every six hours. */
const AGAIN: Partial<Record<z.infer<typeof Failed>["reason"], string>> = {
  unconfirmed:
    "We don't ask your bank again in the meantime. Without your confirmation nothing is ordered. If you make another card your default one, we order with that.",
};

/** Auto-checkout placed no order: the cause, and what to do before the cutoff (docs/product.md §9). */
function autoCheckoutFailed(about: z.infer<typeof Failed>): MailContent {
  return {
    subject: `No order yet for ${dayWords(about.day)}`,
    heading: "Automatic checkout did not order",
    parts: [
      `We wanted to place your order from ${about.market} for ${dayWords(about.day)}, but ${CAUSE[about.reason]}. You have not been charged.`,
      `${ACTION[about.reason]} by ${untilWords(about)}.`,
      ...(about.reason === "failed" ? [] : [AGAIN[about.reason] ?? "Until then we try again every six hours."]),
    ],
    link:
      about.reason === "unconfirmed"
        ? { label: "Check out and confirm", path: "/cart" }
        : { label: "Go to the market", path: "/shop" },
  };
}

/** Some items were sold out: what was ordered and what is missing (failures C15). */
function autoCheckoutShort(about: z.infer<typeof Short>): MailContent {
  return {
    subject: `Part of your order for ${dayWords(about.day)} was sold out`,
    heading: "Not everything was left",
    parts: [
      `We placed order ${about.orderId} from ${about.market} for ${dayWords(about.day)} with what was there:`,
      listed(about.ordered),
      "This was sold out. We watch it for you in your cart:",
      listed(about.missing),
    ],
    link: { label: "See your order", path: `/order-complete/${about.orderId}` },
  };
}

/** The server was down from the auto-checkout to the cutoff (failures C5). */
function autoCheckoutMissed(about: z.infer<typeof Missed>): MailContent {
  return {
    subject: `We missed your order for ${dayWords(about.day)}`,
    heading: "We are sorry",
    parts: [
      `Automatic checkout of ${about.market} did not run in time, so nothing was ordered for ${dayWords(about.day)} and you have not been charged. Your cart is as you left it.`,
    ],
    link: { label: "Go to the market", path: "/shop" },
  };
}

/** The bank's confirmation did not come by the cutoff. */
function autoCheckoutUnconfirmed(about: z.infer<typeof Missed>): MailContent {
  return {
    subject: `No order for ${dayWords(about.day)}: the payment was not confirmed`,
    heading: "Your payment was not confirmed",
    parts: [
      `Your bank needed you to confirm the payment of your automatic order from ${about.market} for ${dayWords(about.day)}, and orders have closed since. Nothing was ordered and you have not been charged. Your cart is as you left it.`,
      "To have the next order placed automatically, save a card that your bank lets us charge while you are away.",
    ],
    link: { label: "See your cards", path: "/embed/payment" },
  };
}

/** The market closed the day before the automatic checkout: nothing is ordered for it. */
function autoCheckoutOff(about: z.infer<typeof Off>): MailContent {
  const { next } = about;
  return {
    subject: `No delivery on ${dayWords(about.day)}`,
    heading: "No delivery this time",
    parts: [
      `${about.market} does not deliver on ${dayWords(about.day)}, so automatic checkout orders nothing for that day and you won’t be charged.`,
      next
        ? `What you put into your cart stays there, and your subscriptions go on: what was due comes with the next delivery, on ${dayWords(next.day)}. Automatic checkout orders it at ${formatChangeBy(new Date(next.at), about.timeZone)}, and there is nothing you need to do.`
        : "What you put into your cart stays there, and your subscriptions go on: what was due comes with the next delivery. There is nothing you need to do.",
      ...(next ? ["Until then you can change it, skip that delivery, or turn automatic checkout off."] : []),
    ],
    link: { label: "See and change your next boxes", path: "/subscription" },
  };
}

const dollars = (amount: number) => `$${amount.toFixed(2)}`;

/** A day before auto-checkout: what it will order, the total, and how to change it. */
function autoCheckoutSoon(about: ReminderAbout, box: NextBox): MailContent {
  const when = formatOrderBy(about.auto_checkout_at, about.time_zone);
  const head = { subject: `We order for you ${when}`, heading: "Your next box" };
  const link = { label: "See and change your next boxes", path: "/subscription" };
  if (box.lines.length === 0)
    return {
      ...head,
      parts: [
        `Automatic checkout of ${about.market} runs ${when}, for ${dayWords(about.day)}. So far there is nothing to order: your cart has nothing that is in stock.`,
      ],
      link,
    };
  return {
    ...head,
    parts: [
      `${when} automatic checkout of ${about.market} orders this for ${dayWords(about.day)}, as long as it is in stock:`,
      {
        rows: box.lines.map((line) => [
          `${line.quantity} × ${line.title} (${line.vendor})`,
          dollars(line.price * line.quantity),
        ]),
        total: ["Total with fees and tax", dollars(box.orderTotal)],
      },
      `Until then you can change it, skip this delivery, or turn automatic checkout off. After it you can still take things off until ${formatOrderBy(about.cutoff_at, about.time_zone)}.`,
    ],
    link,
  };
}

const sampleDelivery = {
  day: sampleOrder.day,
  market: sampleOrder.market,
  cutoff: sampleOrder.cutoff_at.toISOString(),
  timeZone: sampleOrder.time_zone,
};

const sampleBox: NextBox = {
  deliveryDate: sampleOrder.day,
  cutoff: sampleOrder.cutoff_at.toISOString(),
  autoCheckoutAt: sampleAbout.auto_checkout_at.toISOString(),
  timeZone: sampleOrder.time_zone,
  state: "planned",
  isSkipped: false,
  orderIds: [],
  lines: sampleOrder.items.map((item, index) => ({
    productId: index + 1,
    variantId: index + 1,
    slug: "",
    image: null,
    inventory: 12,
    fromBundleId: null,
    bundleTitle: null,
    title: item.title,
    vendor: item.vendor,
    quantity: item.quantity,
    price: item.cents / item.quantity / 100,
    reason: "subscription",
    subscription_interval: 1,
  })),
  subtotal: 19.75,
  tip: 2.18,
  fees: 9.9,
  tax: 1.38,
  waived: 0,
  orderTotal: 33.21,
};

/** Mails about automatic checkout. */
export const subscriptionMails: MailTemplates = {
  "auto-checkout-failed": fromData("Automatic checkout placed no order", Failed, autoCheckoutFailed, {
    ...sampleDelivery,
    reason: "declined",
  }),
  "auto-checkout-short": fromData("Automatic checkout could not order everything", Short, autoCheckoutShort, {
    ...sampleDelivery,
    orderId: sampleOrder.order_id,
    ordered: [{ title: "Free-range eggs, dozen", quantity: 2 }],
    missing: [{ title: "Sourdough, large loaf", quantity: 1 }],
  }),
  "auto-checkout-missed": fromData(
    "The server was down from the automatic checkout to the cutoff",
    Missed,
    autoCheckoutMissed,
    sampleDelivery,
  ),
  "auto-checkout-unconfirmed": fromData(
    "The bank's confirmation of an automatic order did not come by the cutoff",
    Missed,
    autoCheckoutUnconfirmed,
    sampleDelivery,
  ),
  [NO_AUTO_ORDER]: fromData("The market closed a day before its automatic checkout", Off, autoCheckoutOff, {
    ...sampleDelivery,
    next: { day: "2026-12-03", at: "2026-11-30T18:00:00Z" },
  }),
  "auto-checkout-soon": {
    about: "A day before automatic checkout: what it will order",
    sort: "reminder",
    content: async (deps, { deliveryId, customerId }, now) => {
      const about = await findAbout(deps.db, Number(deliveryId), Number(customerId));
      if (!about?.is_automatic || now >= about.auto_checkout_at) return null;
      const ctx = { deps, now, actor: { type: "system" as const, job: "mail" } };
      const [box] = await nextBoxes(ctx, asCustomerId(Number(customerId)), about.hub_id);
      return box && box.deliveryDate === about.day && !box.isSkipped ? autoCheckoutSoon(about, box) : null;
    },
    sample: () => autoCheckoutSoon(sampleAbout, sampleBox),
  },
};
