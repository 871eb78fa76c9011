import type { Client } from "@marketday/db";
import { cents, formatUsd } from "@marketday/domain/money";
import { formatChangeBy, formatOrderBy } from "@marketday/domain/order";
import { formatTotalRow, totalRows } from "@marketday/domain/total-rows";
import { z } from "zod";

import type { MailContent, MailData } from "../../lib/mail-template.ts";
import { fromData, fromRow, type MailTemplate, type MailTemplates } from "../mail/template.ts";
import { nameOfLine } from "../products/size-sql.ts";
import { explainPacked } from "./explain-packed.ts";
import {
  findOrderForMail,
  formatOrderDay,
  type OrderForMail,
  sampleLines,
  sampleOrder,
} from "./find-order-for-mail.ts";
import { findRefundStates, type RefundState } from "./find-refund-states.ts";
import {
  Cancellation,
  isFree,
  moneyParts,
  orderRefunded,
  Refund,
  refundAsCredit,
  refundFailed,
  Shortage,
} from "./refund-mails.ts";

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
    ...(addedOn === null || addedOn === order.added_on ? [] : [`Added on ${formatOrderDay(order, addedOn)}:`]),
    {
      rows: order.items
        .filter((item) => item.added_on === addedOn)
        .map((item): [string, string] => [`${item.quantity} × ${nameOfLine(item)} (${item.vendor})`, usd(item.cents)]),
    },
  ]);
}

/** The confirmation of an order or of an add-on: items, day, place and amounts. */
export function orderConfirmation(order: OrderForMail): MailContent {
  const day = formatOrderDay(order, order.day);
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
  const until = `${formatOrderBy(order.cutoff_at, order.time_zone, order.now)} (${zoneName(order.time_zone, order.cutoff_at)})`;
  const money = totalRows({
    type: order.type,
    items: order.items_cents,
    discount: order.discount_cents,
    delivery: order.delivery_fee_cents,
    tip: order.tip_cents,
    processing: order.card_fee_cents,
    tax: order.tax_cents,
    waived: order.waived_cents,
  }).map(formatTotalRow);
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
        : `What you added on ${formatOrderDay(order, order.added_on)} comes in the same box as order ${order.order_id} from ${order.market}, which ${arrives} ${day}.`,
      place,
      ...(order.notes === "" ? [] : [`Your notes:\n${order.notes}`]),
      ...(order.market_notes === "" ? [] : [`From the market:\n${order.market_notes}`]),
      ...itemParts(order),
      {
        rows: money,
        total: [order.added_on === null ? "Total" : "Total of what you added", usd(order.order_total_cents)],
      },
      ...(order.credit_cents > 0 ? [`Paid from store credit: ${usd(order.credit_cents)}.`] : []),
      ...(order.authorized_cents > 0
        ? [
            `Your card is authorized for ${usd(order.authorized_cents)}, not charged yet. ${order.order_total_cents - order.credit_cents < order.authorized_cents ? `We’ll charge ${usd(order.order_total_cents - order.credit_cents)} of it` : "You’ll be charged"} when orders close.`,
          ]
        : []),
      ...(order.status === "open" ? [`You can add to this order or change it until ${until}.`] : []),
      ...(order.status === "future"
        ? [`You can change this until ${formatChangeBy(order.cutoff_at, order.time_zone, order.now)}.`]
        : []),
    ],
    link: { label: "See your order", path: `/order-complete/${order.order_id}` },
  };
}

/** An edit of a box: the store credit that it returned, in cents. Missing in mails of an earlier version. */
const Edit = z.object({ creditCents: z.number().default(0) });

const creditBack = ({ creditCents }: z.infer<typeof Edit>): string[] =>
  creditCents > 0 ? [`${usd(creditCents)} of the store credit that you used is yours again, for your next order.`] : [];

/** The customer removed items from a box: the remaining items and amounts. */
function orderChanged(order: OrderForMail, edit: z.infer<typeof Edit>): MailContent {
  const { parts, link } = orderConfirmation(order);
  const [arrival, place, ...rest] = parts;
  return {
    subject: `Your order ${order.order_id} has changed`,
    heading: "Your order has changed",
    parts: [
      "You removed items from your order. Here's what's still coming.",
      ...creditBack(edit),
      ...[arrival, place].filter((part) => part !== undefined),
      ...rest,
    ],
    link,
  };
}

/** The last item of an order was removed. */
const orderCancelled = (order: OrderForMail, edit: z.infer<typeof Edit>): MailContent => ({
  subject: `Your order ${order.order_id} was deleted`,
  heading: "Your order was deleted",
  parts: [
    `Nothing was left of order ${order.order_id} for ${formatOrderDay(order, order.day)}, so it was deleted. You will not be charged for it.`,
    ...creditBack(edit),
  ],
  link: { label: "Back to the market", path: "/shop" },
});

const placeToPay = ({ type }: OrderForMail): string =>
  type === "pickup" ? "when you pick up your order" : "at the door";

/** What becomes of a closed order that is not paid. */
const payLater = (order: OrderForMail): string =>
  order.packs_unpaid ? `You can also pay ${placeToPay(order)}.` : "Your order is not packed until it is paid.";

/** The order could not be charged at the cutoff: no saved card, or the card was declined. */
const paymentFailed = (order: OrderForMail): MailContent => ({
  subject: `We could not charge order ${order.order_id}`,
  heading: "We could not charge your card",
  parts: [
    `Order ${order.order_id} for ${formatOrderDay(order, order.day)} has closed, but we could not charge ${usd(order.order_total_cents - order.credit_cents)}: your card was declined, or there is no card in your account.`,
    "Please add another card to your account, or make one that works your default card. We'll charge it right away.",
    `${payLater(order)} Questions? Reply to this email or call us and we'll sort it out.`,
  ],
  link: { label: "Update your card", path: "/embed/payment" },
});

/** An order that could not be charged at first was charged: the amount in cents. */
const Charged = z.object({ amountCents: z.number() });
const orderCharged = (order: OrderForMail, { amountCents }: z.infer<typeof Charged>): MailContent => ({
  subject: `We charged ${usd(amountCents)} for order ${order.order_id}`,
  heading: "Your order is paid",
  parts: [
    `We have now charged ${usd(amountCents)} to your card for order ${order.order_id} of ${formatOrderDay(order, order.day)}. There is nothing left to pay.`,
    ...explainPacked(order),
  ],
  link: { label: "See your order", path: `/order-complete/${order.order_id}` },
});

/** The bank needs the shopper to confirm the charge of a closed order, which it can only do with the shopper. */
const paymentUnconfirmed = (order: OrderForMail): MailContent => ({
  subject: `Your bank needs to confirm the payment of order ${order.order_id}`,
  heading: "Your bank needs to confirm this payment",
  parts: [
    `Order ${order.order_id} for ${formatOrderDay(order, order.day)} has closed, but your bank lets us charge ${usd(order.order_total_cents - order.credit_cents)} only when you confirm it. You have not been charged, and we don't ask your bank again.`,
    "Please add another card to your account and confirm it with your bank there, or make another one your default card. We'll charge it right away.",
    `${payLater(order)} Questions? Reply to this email or call us and we'll sort it out.`,
  ],
  link: { label: "Update your card", path: "/embed/payment" },
});

/** The market canceled a box or an add-on. */
const orderCalledOff = (
  order: OrderForMail,
  back: z.infer<typeof Cancellation>,
  refunds: readonly RefundState[],
): MailContent => {
  const day = formatOrderDay(order, order.day);
  const what =
    order.added_on === null
      ? `Order ${order.order_id} for ${day}`
      : `What you added on ${formatOrderDay(order, order.added_on)} to order ${order.order_id} for ${day}`;
  return {
    subject:
      order.added_on === null
        ? `Your order ${order.order_id} was cancelled`
        : `Part of your order ${order.order_id} was cancelled`,
    heading: order.added_on === null ? "Your order was cancelled" : "Part of your order was cancelled",
    parts: [
      `${what} was cancelled. ${isFree(back) ? "You will not be charged for it." : ""}`.trim(),
      ...(back.reason ? [back.reason] : []),
      ...moneyParts(back, refunds),
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
  /** The staff moved this box alone: its day takes place. */
  isSingle: z.boolean().default(false),
});

/** The market moved a box: the new day and its cutoff, and what is in it. */
const orderMoved = (
  order: OrderForMail,
  { from, reason, needsCard, isSkipped, feeCents, isSingle }: z.infer<typeof Move>,
): MailContent => {
  const { parts, link } = orderConfirmation(order);
  const [arrival, place, ...rest] = parts;
  const day = formatOrderDay(order, order.day);
  const until = formatChangeBy(order.cutoff_at, order.time_zone, order.now);
  return {
    subject: `Your order ${order.order_id} now comes on ${day}`,
    heading: "Your order comes on another day",
    parts: [
      isSingle
        ? `We moved your order from ${formatOrderDay(order, from)} to ${day}.`
        : `There is no delivery on ${formatOrderDay(order, from)}, so we moved your order to ${day}.`,
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
            `Your bank stops holding the money before this order closes, and your card isn’t saved with us. Please save a card by ${until}; otherwise ${order.packs_unpaid ? `you can pay ${placeToPay(order)}` : "it is not packed"}.`,
          ]
        : []),
      ...(isSkipped ? [`You skipped ${day}, but this order comes on that day unless you cancel it.`] : []),
      `If the new day doesn’t work for you, you can change or cancel your order until ${until}.`,
    ],
    link: needsCard ? { label: "Save a card", path: "/embed/payment" } : link,
  };
};

/** Items could not be picked: the missing items, the remaining items and the refund. */
const orderShort = (
  order: OrderForMail,
  data: z.infer<typeof Shortage>,
  refunds: readonly RefundState[],
): MailContent => {
  const { parts, link } = orderConfirmation(order);
  const [arrival, place, ...rest] = parts;
  return {
    subject: `Something is missing from your order ${order.order_id}`,
    heading: "Something is missing",
    parts: [
      `We are sorry: ${data.missing.join(", ")} did not come, so you do not pay for ${data.missing.length === 1 && data.missing[0]?.startsWith("1 ×") ? "it" : "them"}.`,
      ...(data.reason ? [data.reason] : []),
      ...moneyParts(data, refunds),
      ...[arrival, place].filter((part) => part !== undefined),
      ...rest.filter((part) => typeof part !== "string" || !part.startsWith("You can ")),
    ],
    link,
  };
};

/** The authorization of an open order could not be renewed. */
const holdLost = (order: OrderForMail): MailContent => ({
  subject: `Please check your card for order ${order.order_id}`,
  heading: "Your bank no longer holds the money",
  parts: [
    `Order ${order.order_id} for ${formatOrderDay(order, order.day)} stays open, but your bank no longer holds ${usd(order.order_total_cents - order.credit_cents)} for it. We charge your default card when the order closes: please make sure that it works until then.`,
  ],
  link: { label: "Check your cards", path: "/embed/payment" },
});

/** The bank wants the shopper to confirm the renewal of an authorization. */
const holdUnconfirmed = (order: OrderForMail): MailContent => ({
  subject: `Your bank needs to confirm the payment of order ${order.order_id}`,
  heading: "Your bank needs to confirm this payment",
  parts: [
    `Order ${order.order_id} for ${formatOrderDay(order, order.day)} stays open, but your bank holds ${usd(order.order_total_cents - order.credit_cents)} for it only when you confirm that. You have not been charged, and we don't ask your bank again before your order closes.`,
    `Please add another card to your account and confirm it with your bank there, or make another one your default card, by ${formatOrderBy(order.cutoff_at, order.time_zone, order.now)}. We charge your default card when the order closes.`,
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
  (db: Client, { orderId }: MailData, now: Date) =>
    findOrderForMail(db, Number(orderId), scope === "box", now);

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

/** A mail about money that went back: it has the state that the refunds have when it is sent. */
const ofRefunds = <T>(
  about: string,
  Data: z.ZodType<T>,
  render: (order: OrderForMail, data: T, refunds: readonly RefundState[]) => MailContent,
  sample: T,
  sampleStates: readonly RefundState[],
  scope: Scope = "order",
): MailTemplate => ({
  about,
  sort: "always",
  content: async ({ db }, data, now) => {
    const order = await findOrder(scope)(db, data, now);
    return order && render(order, Data.parse(data), await findRefundStates(db, data));
  },
  sample: () => render(sampleOrder, sample, sampleStates),
});

const sampleMoney = { bankCents: 0, earlierCents: 0, refundIds: [], to: "card" as const };
const sampleRefund = {
  ...sampleMoney,
  amountCents: 450,
  backCents: 450,
  creditCents: 0,
  reason: "A jar of honey broke on the way.",
};
const sampleCancellation = {
  ...sampleMoney,
  reason: "The road to you is flooded.",
  backCents: 4210,
  creditCents: 500,
};
const sampleStates = (amountCents: number): RefundState[] => [
  { state: "done", failure: null, amount_cents: amountCents, is_offline: false },
];

/** The staff wrote a note for the shopper. */
const orderNoted = (order: OrderForMail): MailContent => ({
  subject: `A note on your order ${order.order_id}`,
  heading: "A note on your order",
  parts: [
    `The market wrote you a note on order ${order.order_id} for ${formatOrderDay(order, order.day)}:`,
    order.market_notes,
    "Questions? Reply to this email.",
  ],
  link: { label: "See your order", path: `/order-complete/${order.order_id}` },
});

/** Mails about orders, to their customers. */
export const orderMails: MailTemplates = {
  "order-confirmation": ofOrder("An order was placed", orderConfirmation),
  "order-note": {
    ...fromRow(
      "The market wrote a note for the shopper of an order",
      async (db, data, now) => {
        const order = await findOrder("box")(db, data, now);
        return order === null || order.market_notes === "" ? null : order;
      },
      orderNoted,
      sampleOrder,
    ),
    sample: () =>
      orderNoted({ ...sampleOrder, market_notes: "Your eggs are in a carton of six and a carton of twelve." }),
  },
  "order-changed": ofOrderEvent(
    "The customer removed items from an order",
    Edit,
    orderChanged,
    { creditCents: 500 },
    "box",
  ),
  "order-cancelled": ofOrderEvent("The last item of an order was removed", Edit, orderCancelled, { creditCents: 500 }),
  "order-charged": ofOrderEvent("An order that could not be charged at first was charged", Charged, orderCharged, {
    amountCents: 3895,
  }),
  "payment-failed": ofOrder("An order could not be charged at the cutoff: what to do now", paymentFailed),
  "payment-unconfirmed": ofOrder("The bank wants the charge of a closed order confirmed", paymentUnconfirmed),
  "not-charged": fromData("The cart sold out while the bank confirmed the payment", z.unknown(), notCharged, {}),
  "hold-lost": ofOrder("The authorization of an open order could not be renewed", holdLost),
  "hold-unconfirmed": ofOrder("The bank wants the renewed authorization of an open order confirmed", holdUnconfirmed),
  "order-refunded": ofRefunds(
    "The market refunded part of an order",
    Refund,
    orderRefunded,
    sampleRefund,
    sampleStates(450),
  ),
  "refund-as-credit": ofRefunds(
    "A refund became store credit, because the card did not take it",
    Refund,
    refundAsCredit,
    sampleRefund,
    [],
  ),
  "refund-failed": ofRefunds("A refund did not go back to the card", z.unknown(), refundFailed, {}, [
    { state: "failed", failure: "expired_card", amount_cents: 450, is_offline: false },
  ]),
  "order-called-off": ofRefunds(
    "The market canceled an order",
    Cancellation,
    orderCalledOff,
    sampleCancellation,
    sampleStates(4210),
  ),
  "order-moved": ofOrderEvent(
    "The market moved an order to another day",
    Move,
    orderMoved,
    {
      from: "2026-11-19",
      reason: "The road to you is flooded.",
      needsCard: false,
      isSkipped: false,
      feeCents: 0,
      isSingle: false,
    },
    "box",
  ),
  "order-short": ofRefunds(
    "Items of an order could not be picked",
    Shortage,
    orderShort,
    { ...sampleCancellation, reason: "", missing: [`2 × ${nameOfLine(sampleLines[0])}`] },
    sampleStates(4210),
    "box",
  ),
};
