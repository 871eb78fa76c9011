import { calendarDate, formatLong } from "@marketday/domain/calendar-date";
import { cents, formatUsd } from "@marketday/domain/money";
import { changeByWords, orderByWords } from "@marketday/domain/order";

import type { MailContent } from "./layout.ts";
import type { OrderForMail } from "./store.ts";

/** "Eastern Time" */
const zoneName = (zone: string, at: Date): string =>
  new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longGeneric" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value ?? "";

const usd = (amount: number) => formatUsd(cents(amount));

/** What was ordered, under the day it was added where it came later; one table for each day. */
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

/** The confirmation of one order, or of what was added to one: what comes, when, where, and what it costs. */
export function orderConfirmation(order: OrderForMail): MailContent {
  const day = formatLong(calendarDate(order.day));
  const place = order.address
    ? [
        order.address.address,
        order.address.address2,
        `${order.address.city}, ${order.address.state} ${order.address.zipCode}`,
      ]
        .filter(Boolean)
        .join("\n")
    : order.pickup
      ? `${order.pickup.name}\n${order.pickup.address}, ${order.pickup.city}, ${order.pickup.state}\n${order.pickup.hours}`
      : "";
  const until = `${orderByWords(order.cutoff_at, order.time_zone)} (${zoneName(order.time_zone, order.cutoff_at)})`;
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
        ? [`You can change this until ${changeByWords(order.cutoff_at, order.time_zone)}.`]
        : []),
    ],
    link: { label: "See your order", path: `/order-complete/${order.order_id}` },
  };
}

/** Something was removed from a box: everything that still comes in it, and what it costs now. */
export function orderChanged(order: OrderForMail): MailContent {
  const { parts, link } = orderConfirmation(order);
  const [said, place, ...rest] = parts;
  return {
    subject: `Your order ${order.order_id} has changed`,
    heading: "Your order has changed",
    parts: [
      "You removed items from your order. Here's what's still coming.",
      ...[said, place].filter((part) => part !== undefined),
      ...rest,
    ],
    link,
  };
}

/** An order with nothing left was deleted. */
export const orderCancelled = (order: OrderForMail): MailContent => ({
  subject: `Your order ${order.order_id} was deleted`,
  heading: "Your order was deleted",
  parts: [
    `Nothing was left of order ${order.order_id} for ${formatLong(calendarDate(order.day))}, so it was deleted. You will not be charged for it.`,
  ],
  link: { label: "Back to the market", path: "/shop" },
});

/** A gift card for somebody: the code stands here and nowhere else. */
export function giftCard(
  data: { code: string; amountCents: number; message: string },
  marketName: string,
): MailContent {
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

/** The card was declined on the renewal day, or there is none: the pass goes on while the payment is tried again. */
export const wagonPassDeclined = (): MailContent => ({
  subject: "We couldn't renew your wagon pass",
  heading: "We couldn't renew your wagon pass",
  parts: [
    "Your card was declined, or there is none in your account. Your pass stays active and we'll try again over the next six days. Please check your card, so that your free delivery doesn't end.",
  ],
  link: { label: "Check your cards", path: "/embed/payment" },
});

/** There was no card on the renewal day and the days after, or it was declined each time. */
export const wagonPassLapsed = (): MailContent => ({
  subject: "Your wagon pass has ended",
  heading: "Your wagon pass has ended",
  parts: [
    "We could not renew it: your card was declined, or there's no card in your account. Home delivery costs its flat fee again until you buy a new pass.",
  ],
  link: { label: "Go to the market", path: "/shop" },
});

/** There was no saved card when the order closed, or it was refused. */
export const paymentFailed = (order: OrderForMail): MailContent => ({
  subject: `We could not charge order ${order.order_id}`,
  heading: "We could not charge your card",
  parts: [
    `Order ${order.order_id} for ${formatLong(calendarDate(order.day))} has closed, but we could not charge ${usd(order.order_total_cents - order.credit_cents)}: your card was declined, or there is no card in your account.`,
    "Please add another card to your account, or make one that works your default card. We'll charge it right away.",
    `You can also pay ${order.type === "pickup" ? "when you pick up your order" : "at the door"}. Questions? Reply to this email or call us and we'll sort it out.`,
  ],
  link: { label: "Update your card", path: "/embed/payment" },
});

/** The provider removed the default card while an order needs one. */
export const cardRemoved = (data: { last4: string; nextLast4: string | null; orderId: number }): MailContent => ({
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
export const paymentLimit = ({ by }: { by: "customer" | "address" }): MailContent => ({
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

/** A friend's first order has closed: what the invitation earned. */
export function referralCredit({ amountCents }: { amountCents: number }, marketName: string): MailContent {
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
