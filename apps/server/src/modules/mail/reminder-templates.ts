import type { NextBox } from "@marketday/contracts/subscriptions";
import { calendarDate, formatLong } from "@marketday/domain/calendar-date";
import { orderByWords } from "@marketday/domain/order";

import type { BackInStock, ReminderAbout } from "../week/remind-store.ts";
import type { MailContent } from "./layout.ts";

const dollars = (amount: number) => `$${amount.toFixed(2)}`;
const dayOf = (about: ReminderAbout) => formatLong(calendarDate(about.day));

/** A day before auto-checkout: what it will order, for how much, and how to change it. */
export function autoCheckoutSoon(about: ReminderAbout, box: NextBox): MailContent {
  const when = orderByWords(about.auto_checkout_at, about.time_zone);
  const head = { subject: `We order for you ${when}`, heading: "Your next box" };
  const link = { label: "See and change your next boxes", path: "/subscription" };
  if (box.lines.length === 0)
    return {
      ...head,
      parts: [
        `Automatic checkout of ${about.market} runs ${when}, for ${dayOf(about)}. So far there is nothing to order: your cart has nothing that is in stock.`,
      ],
      link,
    };
  return {
    ...head,
    parts: [
      `${when} automatic checkout of ${about.market} orders this for ${dayOf(about)}, as long as it is in stock:`,
      {
        rows: box.lines.map((line) => [
          `${line.quantity} × ${line.title} (${line.vendor})`,
          dollars(line.price * line.quantity),
        ]),
        total: ["Total with fees and tax", dollars(box.orderTotal)],
      },
      `Until then you can change it, skip this delivery, or turn automatic checkout off. After it you can still take things off until ${orderByWords(about.cutoff_at, about.time_zone)}.`,
    ],
    link,
  };
}

/** A day before orders close: something is in the cart and nothing is ordered. */
export const orderBySoon = (about: ReminderAbout): MailContent => ({
  subject: `Order by ${orderByWords(about.cutoff_at, about.time_zone)}`,
  heading: "Your cart is waiting",
  parts: [
    `Orders of ${about.market} for ${dayOf(about)} close at ${orderByWords(about.cutoff_at, about.time_zone)}. What is in your cart is not ordered yet.`,
  ],
  link: { label: "Open your cart", path: "/cart" },
});

/** A sold-out line is back in the cart. */
export const backInStock = (back: BackInStock): MailContent => ({
  subject: `${back.title} is back`,
  heading: "Back in stock",
  parts: [
    `${back.title} from ${back.vendor} is in stock again at ${back.market}. It is back in your cart.`,
    ...(back.inventory <= 5 ? [`There ${back.inventory === 1 ? "is 1" : `are ${back.inventory}`} left.`] : []),
    ...(back.cutoff_at ? [`Order by ${orderByWords(back.cutoff_at, back.time_zone)}.`] : []),
  ],
  link: { label: "Open your cart", path: "/cart" },
});
