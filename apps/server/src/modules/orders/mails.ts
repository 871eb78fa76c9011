import type { Conn } from "@marketday/db";
import { calendarDate, formatLong } from "@marketday/domain/calendar-date";
import { cents, formatUsd } from "@marketday/domain/money";
import { formatChangeBy, formatOrderBy } from "@marketday/domain/order";
import { z } from "zod";

import type { MailContent, MailData } from "../../lib/mail-template.ts";
import { fromData, fromRow, type MailTemplate, type MailTemplates } from "../mail/template.ts";
import { findOrderForMail, type OrderForMail, sampleOrder } from "./find-order-for-mail.ts";

/** "Eastern Time" */
const zoneName = (zone: string, at: Date): string =>
  new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longGeneric" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value ?? "";

const usd = (amount: number) => formatUsd(cents(amount));

/** The items, one table for each day on which items were added. */
function itemParts(order: OrderForMail): MailContent["parts"] {
  const days = [...new Set(order.items.map((item) => item.added_on))];
  return days.flatMap((addedOn) => [
    ...(addedOn === null || addedOn === order.added_on ? [] : [`Added on ${formatLong(calendarDate(addedOn))}:`]),
    {
      rows: order.items
        .filter((item) => item.added_on === addedOn)
        .map((item): [string, string] => [`${item.quantity} × ${item.title} (${item.vendor})`, usd(item.cents)]),
    },
  ]);
}

/** The confirmation of an order or of an add-on: items, day, place and amounts. */
export function orderConfirmation(order: OrderForMail): MailContent {
  const day = formatLong(calendarDate(order.day));
  const place = order.address
    ? [
        order.address.address,
        order.address.address2,
        `${order.address.city}, ${order.address.state} ${order.address.zipCode}`,
        order.address.instructions,
      ]
        .filter(Boolean)
        .join("\n")
    : order.pickup
      ? `${order.pickup.name}\n${order.pickup.address}, ${order.pickup.city}, ${order.pickup.state}\n${order.pickup.hours}`
      : "";
  const until = `${formatOrderBy(order.cutoff_at, order.time_zone)} (${zoneName(order.time_zone, order.cutoff_at)})`;
  const money: [string, string][] = [
    ["Items", usd(order.items_cents)],
    ...(order.discount_cents > 0 ? [["Discount", usd(-order.discount_cents)] as [string, string]] : []),
    ...(order.tip_cents > 0 ? [["Driver tip", usd(order.tip_cents)] as [string, string]] : []),
    ...(order.delivery_fee_cents > 0 ? [["Home delivery", usd(order.delivery_fee_cents)] as [string, string]] : []),
    ...(order.card_fee_cents > 0 ? [["Processing", usd(order.card_fee_cents)] as [string, string]] : []),
    ["Tax", usd(order.tax_cents)],
  ];
  const arrives = order.type === "pickup" ? "is ready to pick up on" : "arrives on";
  return {
    subject:
      order.added_on === null
        ? `Your order ${order.order_id} for ${day}`
        : `Added to your order ${order.order_id} for ${day}`,
    heading: order.first_name ? `Thank you, ${order.first_name}` : "Thank you",
    parts: [
      order.added_on === null
        ? `Order ${order.order_id} from ${order.market} ${arrives} ${day}.`
        : `What you added on ${formatLong(calendarDate(order.added_on))} comes in the same box as order ${order.order_id} from ${order.market}, which ${arrives} ${day}.`,
      place,
      ...(order.notes === "" ? [] : [`Your notes:\n${order.notes}`]),
      ...itemParts(order),
      {
        rows: money,
        total: [order.added_on === null ? "Total" : "Total of what you added", usd(order.order_total_cents)],
      },
      ...(order.credit_cents > 0 ? [`Paid from store credit: ${usd(order.credit_cents)}.`] : []),
      ...(order.authorized_cents > 0
        ? [
            `Your card is authorized for ${usd(order.authorized_cents)}, not charged yet. You’ll be charged when orders close.`,
          ]
        : []),
      ...(order.status === "open" ? [`You can add to this order or change it until ${until}.`] : []),
      ...(order.status === "future"
        ? [`You can change this until ${formatChangeBy(order.cutoff_at, order.time_zone)}.`]
        : []),
    ],
    link: { label: "See your order", path: `/order-complete/${order.order_id}` },
  };
}

/** The customer removed items from a box: the remaining items and amounts. */
function orderChanged(order: OrderForMail): MailContent {
  const { parts, link } = orderConfirmation(order);
  const [arrival, place, ...rest] = parts;
  return {
    subject: `Your order ${order.order_id} has changed`,
    heading: "Your order has changed",
    parts: [
      "You removed items from your order. Here's what's still coming.",
      ...[arrival, place].filter((part) => part !== undefined),
      ...rest,
    ],
    link,
  };
}

/** The last item of an order was removed. */
const orderCancelled = (order: OrderForMail): MailContent => ({
  subject: `Your order ${order.order_id} was deleted`,
  heading: "Your order was deleted",
  parts: [
    `Nothing was left of order ${order.order_id} for ${formatLong(calendarDate(order.day))}, so it was deleted. You will not be charged for it.`,
  ],
  link: { label: "Back to the market", path: "/shop" },
});

/** The order could not be charged at the cutoff: no saved card, or the card was declined. */
const paymentFailed = (order: OrderForMail): MailContent => ({
  subject: `We could not charge order ${order.order_id}`,
  heading: "We could not charge your card",
  parts: [
    `Order ${order.order_id} for ${formatLong(calendarDate(order.day))} has closed, but we could not charge ${usd(order.order_total_cents - order.credit_cents)}: your card was declined, or there is no card in your account.`,
    "Please add another card to your account, or make one that works your default card. We'll charge it right away.",
    `You can also pay ${order.type === "pickup" ? "when you pick up your order" : "at the door"}. Questions? Reply to this email or call us and we'll sort it out.`,
  ],
  link: { label: "Update your card", path: "/embed/payment" },
});

/** A refund: the amount in cents, its destination and the reason. */
const Refund = z.object({
  amountCents: z.number(),
  to: z.enum(["card", "credit"]).default("credit"),
  reason: z.string().default(""),
});
/** A cancellation and what it refunded, in cents. */
const Cancellation = z.object({
  reason: z.string(),
  to: z.enum(["card", "credit"]),
  backCents: z.number(),
  creditCents: z.number(),
});
/** A cancellation of missing items: "2 × Duck Eggs". */
const Shortage = Cancellation.extend({ missing: z.array(z.string()) });

const whereTo = (to: "card" | "credit") =>
  to === "card"
    ? "to the card you paid with; banks take a few days to show it"
    : "into your store credit, for your next order";

/** A refund for an order that is not changed. */
const orderRefunded = (order: OrderForMail, { amountCents, to, reason }: z.infer<typeof Refund>): MailContent => ({
  subject: `${usd(amountCents)} back for order ${order.order_id}`,
  heading: `${usd(amountCents)} back`,
  parts: [
    `We have returned ${usd(amountCents)} for order ${order.order_id} of ${formatLong(calendarDate(order.day))} ${whereTo(to)}.`,
    ...(reason ? [reason] : []),
  ],
  link: { label: "See your order", path: `/order-complete/${order.order_id}` },
});

/** The card rejected a refund. */
const refundAsCredit = (
  order: OrderForMail,
  { amountCents }: Pick<z.infer<typeof Refund>, "amountCents">,
): MailContent => ({
  subject: `${usd(amountCents)} of store credit for order ${order.order_id}`,
  heading: `${usd(amountCents)} of store credit`,
  parts: [
    `Your card didn't accept the ${usd(amountCents)} we refunded for order ${order.order_id}, so it is store credit now, for your next order. Write to us if you need it another way.`,
  ],
  link: { label: "Go to the market", path: "/shop" },
});

/** The market canceled a box or an add-on. */
const orderCalledOff = (order: OrderForMail, back: z.infer<typeof Cancellation>): MailContent => {
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

/** The market moved a box to another day. */
const Move = z.object({
  /** The day that it was ordered for, YYYY-MM-DD. */
  from: z.string(),
  reason: z.string(),
  needsCard: z.boolean(),
  /** The customer skipped the new day. */
  isSkipped: z.boolean(),
  /** The delivery fee that was dropped, because the box joins another one. */
  feeCents: z.number(),
});

/** The market moved a box: the new day and its cutoff, and what is in it. */
const orderMoved = (
  order: OrderForMail,
  { from, reason, needsCard, isSkipped, feeCents }: z.infer<typeof Move>,
): MailContent => {
  const { parts, link } = orderConfirmation(order);
  const [arrival, place, ...rest] = parts;
  const day = formatLong(calendarDate(order.day));
  const until = formatChangeBy(order.cutoff_at, order.time_zone);
  return {
    subject: `Your order ${order.order_id} now comes on ${day}`,
    heading: "Your order comes on another day",
    parts: [
      `There is no delivery on ${formatLong(calendarDate(from))}, so we moved your order to ${day}.`,
      ...(reason ? [reason] : []),
      ...[arrival, place].filter((part) => part !== undefined),
      ...rest.filter((part) => typeof part !== "string" || !part.startsWith("You can ")),
      ...(feeCents > 0
        ? [
            `It comes in one box with your other order of that day, so you don’t pay the ${usd(feeCents)} for its delivery.`,
          ]
        : []),
      ...(needsCard
        ? [
            `Your bank stops holding the money before this order closes, and your card isn’t saved with us. Please save a card by ${until}; otherwise you can pay ${order.type === "pickup" ? "when you pick up your order" : "at the door"}.`,
          ]
        : []),
      ...(isSkipped ? [`You skipped ${day}, but this order comes on that day unless you cancel it.`] : []),
      `If the new day doesn’t work for you, you can change or cancel your order until ${until}.`,
    ],
    link: needsCard ? { label: "Save a card", path: "/embed/payment" } : link,
  };
};

/** Items could not be picked: the missing items, the remaining items and the refund. */
const orderShort = (order: OrderForMail, data: z.infer<typeof Shortage>): MailContent => {
  const { parts, link } = orderConfirmation(order);
  const [arrival, place, ...rest] = parts;
  return {
    subject: `Something is missing from your order ${order.order_id}`,
    heading: "Something is missing",
    parts: [
      `We are sorry: ${data.missing.join(", ")} did not come, so you do not pay for ${data.missing.length === 1 && data.missing[0]?.startsWith("1 ×") ? "it" : "them"}.`,
      ...(data.reason ? [data.reason] : []),
      ...(data.to === "card" && data.backCents > 0 ? [`${usd(data.backCents)} goes back ${whereTo("card")}.`] : []),
      ...(data.creditCents > 0 ? [`${usd(data.creditCents)} goes ${whereTo("credit")}.`] : []),
      ...[arrival, place].filter((part) => part !== undefined),
      ...rest.filter((part) => typeof part !== "string" || !part.startsWith("You can ")),
    ],
    link,
  };
};

/** The authorization of an open order could not be renewed. */
const holdLost = (order: OrderForMail): MailContent => ({
  subject: `Please check your card for order ${order.order_id}`,
  heading: "Your card was declined",
  parts: [
    `Order ${order.order_id} for ${formatLong(calendarDate(order.day))} stays open, but your bank no longer holds ${usd(order.order_total_cents - order.credit_cents)} for it. We charge your default card when the order closes: please make sure that it works until then.`,
  ],
  link: { label: "Check your cards", path: "/embed/payment" },
});

/** The cart sold out while the customer confirmed the payment with the bank. */
const notCharged = (): MailContent => ({
  subject: "You have not been charged",
  heading: "You have not been charged",
  parts: [
    "Something in your cart sold out while you were confirming the payment with your bank, so nothing was ordered and nothing was charged. The rest is still in your cart.",
  ],
  link: { label: "Back to your cart", path: "/cart" },
});

/** The lines and amounts that a mail shows: those of one order, or of its whole box. */
type Scope = "order" | "box";

const findOrder =
  (scope: Scope) =>
  (db: Conn, { orderId }: MailData) =>
    findOrderForMail(db, Number(orderId), scope === "box");

/** A mail about an order: its data is `{ orderId }`. */
const ofOrder = (about: string, render: (order: OrderForMail) => MailContent, scope: Scope = "order"): MailTemplate =>
  fromRow(about, findOrder(scope), render, sampleOrder);

/** A mail about an event of an order: its data is `{ orderId, … }`. */
const ofOrderEvent = <T>(
  about: string,
  Data: z.ZodType<T>,
  render: (order: OrderForMail, data: T) => MailContent,
  sample: T,
  scope: Scope = "order",
): MailTemplate => ({
  ...fromRow(about, findOrder(scope), (order, data) => render(order, Data.parse(data)), sampleOrder),
  sample: () => render(sampleOrder, sample),
});

const sampleRefund = { amountCents: 450, to: "card" as const, reason: "A jar of honey broke on the way." };
const sampleCancellation = {
  reason: "The road to you is flooded.",
  to: "card" as const,
  backCents: 4210,
  creditCents: 500,
};

/** Mails about orders, to their customers. */
export const orderMails: MailTemplates = {
  "order-confirmation": ofOrder("An order was placed", orderConfirmation),
  "order-changed": ofOrder("The customer removed items from an order", orderChanged, "box"),
  "order-cancelled": ofOrder("The last item of an order was removed", orderCancelled),
  "payment-failed": ofOrder("An order could not be charged at the cutoff: what to do now", paymentFailed),
  "not-charged": fromData("The cart sold out while the bank confirmed the payment", z.unknown(), notCharged, {}),
  "hold-lost": ofOrder("The authorization of an open order could not be renewed", holdLost),
  "order-refunded": ofOrderEvent("The market refunded part of an order", Refund, orderRefunded, sampleRefund),
  "refund-as-credit": ofOrderEvent("The card rejected a refund", Refund, refundAsCredit, sampleRefund),
  "order-called-off": ofOrderEvent("The market canceled an order", Cancellation, orderCalledOff, sampleCancellation),
  "order-moved": ofOrderEvent(
    "The market moved an order to another day",
    Move,
    orderMoved,
    { from: "2026-11-19", reason: "The road to you is flooded.", needsCard: false, isSkipped: false, feeCents: 0 },
    "box",
  ),
  "order-short": ofOrderEvent(
    "Items of an order could not be picked",
    Shortage,
    orderShort,
    { ...sampleCancellation, reason: "", missing: ["2 × Free-range eggs, dozen"] },
    "box",
  ),
};
