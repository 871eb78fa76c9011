import type { NextBox } from "@marketday/contracts/subscriptions";
import { calendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";
import { explainFulfillment, FULFILLMENT_PROBLEMS, type FulfillmentProblem } from "@marketday/domain/fulfillment";
import { addDollars, formatUsd, fromDollars, subtractDollars, timesDollars } from "@marketday/domain/money";
import { formatChangeBy, formatOrderBy } from "@marketday/domain/order";
import { formatTotalRow, totalRows } from "@marketday/domain/total-rows";
import { z } from "zod";

import type { Deps } from "../../deps.ts";
import type { MailContent, MailData } from "../../lib/mail-template.ts";
import { asCustomerId } from "../identity/context.ts";
import { fromData, type MailTemplates, SAMPLE_NOW } from "../mail/template.ts";
import { NO_AUTO_ORDER } from "../orders/day-box-store.ts";
import { sampleLines, sampleOrder } from "../orders/find-order-for-mail.ts";
import { nameOfLine } from "../products/size-sql.ts";
import { sampleAbout } from "../week/mails.ts";
import { findAbout, type ReminderAbout } from "../week/remind-store.ts";
import { nextBoxes } from "./next-boxes.ts";

const About = z.object({ day: z.string(), market: z.string(), cutoff: z.string(), timeZone: z.string() });
const Lines = z.array(z.object({ title: z.string(), quantity: z.number() }));
const Failed = About.extend({
  reason: z.enum(["nothing", "choose_market", ...FULFILLMENT_PROBLEMS, "no_card", "declined", "unconfirmed", "failed"]),
  /** For `explainFulfillment`; for `choose_market` the other market. */
  place: z.string().default(""),
});
const Short = About.extend({ orderId: z.number(), ordered: Lines, missing: Lines });
const Missed = About.pick({ day: true, market: true }).extend({
  /** Missing in mails of an earlier version. */
  timeZone: z.string().default("UTC"),
});
const Off = About.pick({ day: true, market: true, timeZone: true }).extend({
  /** The next delivery day and the instant of its automatic checkout; null: none is planned. */
  next: z.object({ day: z.string(), at: z.string() }).nullable(),
});

const dayWords = ({ day, timeZone }: { day: string; timeZone: string }, now: Date) =>
  formatLong(calendarDate(day), dateInZone(now, timeZone));
const reminderDay = ({ day, time_zone: timeZone }: ReminderAbout, now: Date) => dayWords({ day, timeZone }, now);
const untilWords = (about: z.infer<typeof About>, now: Date) =>
  formatOrderBy(new Date(about.cutoff), about.timeZone, now);
const listed = (lines: z.infer<typeof Lines>) => lines.map((line) => `${line.quantity} × ${line.title}`).join("\n");

const CAUSE = {
  nothing: "there was nothing to order: your cart was empty, or everything in it was sold out",
  no_card: "you have no saved card",
  declined: "your card was declined",
  unconfirmed: "your bank needs you to confirm this payment, and it can only do that while you check out",
  failed: "something went wrong on our side",
} as const;
const ACTION = {
  nothing: "Fill your cart",
  no_card: "Check out and save a card",
  declined: "Check out with another card",
  unconfirmed: "Check out and confirm the payment with your bank",
  failed: "Please check out yourself",
} as const;

/** Auto-checkout placed no order: the cause, and what to do before the cutoff (docs/product.md §9). */
function autoCheckoutFailed(about: z.infer<typeof Failed>, _market: string, now: Date): MailContent {
  const { reason, place, market } = about;
  if (reason === "unconfirmed")
    return failedMail(
      about,
      now,
      { cause: CAUSE[reason], action: ACTION[reason] },
      {
        retry:
          "We don't ask your bank again in the meantime. Without your confirmation nothing is ordered. If you make another card your default one, we order with that.",
        link: { label: "Check out and confirm", path: "/cart" },
      },
    );
  if (reason === "choose_market")
    return failedMail(
      about,
      now,
      {
        cause: `items in your cart are from ${place}, and ${market} sells them too, so we don’t know where you want to order`,
        action: "Choose the market you want to order from",
      },
      { link: { label: "Choose your market", path: "/cart" } },
    );
  if (reason in CAUSE)
    return failedMail(about, now, {
      cause: CAUSE[reason as keyof typeof CAUSE],
      action: ACTION[reason as keyof typeof ACTION],
    });
  return failedMail(about, now, explainFulfillment(reason as FulfillmentProblem, { place, market }), {
    retry: "We order it as soon as you have chosen.",
    link: { label: "Choose where your boxes go", path: "/subscription" },
  });
}

function failedMail(
  about: z.infer<typeof Failed>,
  now: Date,
  { cause, action }: { cause: string; action: string },
  {
    retry = about.reason === "failed" ? null : "Until then we try again every six hours.",
    link = { label: "Go to the market", path: "/shop" },
  }: { retry?: string | null; link?: NonNullable<MailContent["link"]> } = {},
): MailContent {
  return {
    subject: `No order yet for ${dayWords(about, now)}`,
    heading: "Automatic checkout did not order",
    parts: [
      `We wanted to place your order from ${about.market} for ${dayWords(about, now)}, but ${cause}. You have not been charged.`,
      `${action} by ${untilWords(about, now)}.`,
      ...(retry === null ? [] : [retry]),
    ],
    link,
  };
}

/** Some items were sold out: what was ordered and what is missing (failures C15). */
function autoCheckoutShort(about: z.infer<typeof Short>, _market: string, now: Date): MailContent {
  return {
    subject: `Part of your order for ${dayWords(about, now)} was sold out`,
    heading: "Not everything was left",
    parts: [
      `We placed order ${about.orderId} from ${about.market} for ${dayWords(about, now)} with what was there:`,
      listed(about.ordered),
      "This was sold out. We watch it for you in your cart:",
      listed(about.missing),
    ],
    link: { label: "See your order", path: `/order-complete/${about.orderId}` },
  };
}

/** The server was down from the auto-checkout to the cutoff (failures C5). */
function autoCheckoutMissed(about: z.infer<typeof Missed>, _market: string, now: Date): MailContent {
  return {
    subject: `We missed your order for ${dayWords(about, now)}`,
    heading: "We are sorry",
    parts: [
      `Automatic checkout of ${about.market} did not run in time, so nothing was ordered for ${dayWords(about, now)} and you have not been charged. Your cart is as you left it.`,
    ],
    link: { label: "Go to the market", path: "/shop" },
  };
}

/** The bank's confirmation did not come by the cutoff. */
function autoCheckoutUnconfirmed(about: z.infer<typeof Missed>, _market: string, now: Date): MailContent {
  return {
    subject: `No order for ${dayWords(about, now)}: the payment was not confirmed`,
    heading: "Your payment was not confirmed",
    parts: [
      `Your bank needed you to confirm the payment of your automatic order from ${about.market} for ${dayWords(about, now)}, and orders have closed since. Nothing was ordered and you have not been charged. Your cart is as you left it.`,
      "To have the next order placed automatically, save a card that your bank lets us charge while you are away.",
    ],
    link: { label: "See your cards", path: "/embed/payment" },
  };
}

/** The market closed the day before the automatic checkout: nothing is ordered for it. */
function autoCheckoutOff(about: z.infer<typeof Off>, _market: string, now: Date): MailContent {
  const { next } = about;
  return {
    subject: `No delivery on ${dayWords(about, now)}`,
    heading: "No delivery this time",
    parts: [
      `${about.market} does not deliver on ${dayWords(about, now)}, so automatic checkout orders nothing for that day and you won’t be charged.`,
      next
        ? `What you put into your cart stays there, and your subscriptions go on: what was due comes with the next delivery, on ${dayWords({ day: next.day, timeZone: about.timeZone }, now)}. Automatic checkout orders it at ${formatChangeBy(new Date(next.at), about.timeZone, now)}, and there is nothing you need to do.`
        : "What you put into your cart stays there, and your subscriptions go on: what was due comes with the next delivery. There is nothing you need to do.",
      ...(next ? ["Until then you can change it, skip that delivery, or turn automatic checkout off."] : []),
    ],
    link: { label: "See and change your next boxes", path: "/subscription" },
  };
}

const dollars = (amount: number) => formatUsd(fromDollars(amount));

/** Where a box goes, one line each. */
function placeLines({ type, pickupPoint, deliveryAddress }: NonNullable<NextBox["fulfillment"]>): string {
  const lines =
    type === "pickup" && pickupPoint
      ? [
          `Pickup at ${pickupPoint.name}:`,
          pickupPoint.address,
          `${pickupPoint.city}, ${pickupPoint.state} ${pickupPoint.zipCode}`,
          pickupPoint.hours,
        ]
      : deliveryAddress
        ? [
            "Home delivery to:",
            deliveryAddress.address,
            deliveryAddress.address2,
            `${deliveryAddress.city}, ${deliveryAddress.state} ${deliveryAddress.zipCode}`,
            deliveryAddress.instructions,
          ]
        : [];
  return lines.filter(Boolean).join("\n");
}

/** Where it goes, or why it waits and what to do; and how it is paid. */
function placeAndCard({ fulfillment, card }: NextBox, takesCards: boolean): string[] {
  const unknown = explainFulfillment("no_address", { place: "", market: "" });
  const problem = fulfillment ? fulfillment.problem?.message : `But ${unknown.cause}. ${unknown.action}.`;
  const payment = card
    ? `It’s charged to your ${card.brand.charAt(0).toUpperCase()}${card.brand.slice(1)} ending in ${card.last4}.`
    : takesCards
      ? "You have no saved card yet. Save one, or nothing is ordered."
      : fulfillment?.type === "pickup"
        ? "You pay when you pick it up."
        : "You pay at the door.";
  return [
    ...(fulfillment ? [placeLines(fulfillment)] : []),
    ...(problem ? [`${problem} Until then nothing is ordered.`] : []),
    payment,
  ];
}

/** The amounts of a box, as rows. */
function moneyRows({ lines, subtotal, deliveryFee, fees, tip, tax, waived, fulfillment }: NextBox): [string, string][] {
  const items = addDollars(...lines.map(({ price, quantity }) => timesDollars(price, quantity)));
  return totalRows({
    type: fulfillment?.type ?? "delivery",
    items: fromDollars(items),
    discount: fromDollars(subtractDollars(items, subtotal)),
    delivery: fromDollars(deliveryFee),
    tip: fromDollars(tip),
    processing: fromDollars(subtractDollars(fees, deliveryFee)),
    tax: fromDollars(tax),
    waived: fromDollars(waived),
  }).map(formatTotalRow);
}

/** A day before auto-checkout: what it will order, where it goes, what it costs on which card, and how to change it. */
function autoCheckoutSoon(about: ReminderAbout, box: NextBox, takesCards: boolean, now: Date): MailContent {
  const when = formatOrderBy(about.auto_checkout_at, about.time_zone, now);
  const head = { subject: `We order for you ${when}`, heading: "Your next box" };
  const link = { label: "See and change your next boxes", path: "/subscription" };
  if (box.lines.length === 0)
    return {
      ...head,
      parts: [
        `Automatic checkout of ${about.market} runs ${when}, for ${reminderDay(about, now)}. So far there is nothing to order: your cart has nothing that is in stock.`,
      ],
      link,
    };
  return {
    ...head,
    parts: [
      `${when} automatic checkout of ${about.market} orders this for ${reminderDay(about, now)}, as long as it is in stock:`,
      {
        rows: box.lines.map((line) => [
          `${line.quantity} × ${line.title} (${line.vendor})`,
          dollars(line.price * line.quantity),
        ]),
      },
      { rows: moneyRows(box), total: ["Total with fees and tax", dollars(box.orderTotal)] },
      ...placeAndCard(box, takesCards),
      `Until then you can change it, skip this delivery, or turn automatic checkout off. After it you can still take things off until ${formatOrderBy(about.cutoff_at, about.time_zone, now)}.`,
    ],
    link,
  };
}

/** The customer changed the place or card after they were sent `autoCheckoutSoon`. */
function autoCheckoutChanged(about: ReminderAbout, box: NextBox, takesCards: boolean, now: Date): MailContent {
  const soon = autoCheckoutSoon(about, box, takesCards, now);
  return {
    ...soon,
    subject: `Changed: your next box on ${reminderDay(about, now)}`,
    parts: ["You changed where your boxes go, or how you pay. This replaces our earlier email.", ...soon.parts],
  };
}

/** The box that automatic checkout will order for the delivery of a reminder; null: none, or it is skipped, or it ran. */
async function findSoon(deps: Deps, { deliveryId, customerId }: MailData, now: Date) {
  const about = await findAbout(deps.db, Number(deliveryId), Number(customerId));
  if (!about?.is_automatic || now >= about.auto_checkout_at) return null;
  const ctx = { deps, now, actor: { type: "system" as const, job: "mail" } };
  const [box] = await nextBoxes(ctx, asCustomerId(Number(customerId)), about.hub_id);
  return box && box.deliveryDate === about.day && !box.isSkipped ? { about, box } : null;
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
    title: nameOfLine(item),
    vendor: item.vendor,
    quantity: item.quantity,
    price: item.cents / item.quantity / 100,
    reason: "subscription",
    subscription_interval: 1,
  })),
  subtotal: 19.75,
  tip: 2.18,
  fees: 9.9,
  deliveryFee: 8.95,
  tax: 1.38,
  waived: 0,
  orderTotal: 33.21,
  fulfillment: {
    type: "delivery",
    deliveryAddress: { ...sampleOrder.address!, instructions: "Side door" },
    pickupPoint: null,
    deliveryFee: 8.95,
    problem: null,
  },
  card: { brand: "visa", last4: "4242" },
};

/** Mails about automatic checkout. */
export const subscriptionMails: MailTemplates = {
  "auto-checkout-failed": fromData("Automatic checkout placed no order", Failed, autoCheckoutFailed, {
    ...sampleDelivery,
    reason: "declined",
    place: "",
  }),
  "auto-checkout-short": fromData("Automatic checkout could not order everything", Short, autoCheckoutShort, {
    ...sampleDelivery,
    orderId: sampleOrder.order_id,
    ordered: [{ title: nameOfLine(sampleLines[0]), quantity: 2 }],
    missing: [{ title: nameOfLine(sampleLines[1]), quantity: 1 }],
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
    about: "A day before automatic checkout: what it will order, and where it goes",
    sort: "reminder",
    content: async (deps, data, now) => {
      const found = await findSoon(deps, data, now);
      return found && autoCheckoutSoon(found.about, found.box, deps.payments.takesCards, now);
    },
    sample: () => autoCheckoutSoon(sampleAbout, sampleBox, true, SAMPLE_NOW),
  },
  "auto-checkout-changed": {
    about: "The place or card changed after the email about the next automatic checkout",
    sort: "reminder",
    content: async (deps, data, now) => {
      const found = await findSoon(deps, data, now);
      return found && found.box.lines.length > 0
        ? autoCheckoutChanged(found.about, found.box, deps.payments.takesCards, now)
        : null;
    },
    sample: () => autoCheckoutChanged(sampleAbout, sampleBox, true, SAMPLE_NOW),
  },
};
