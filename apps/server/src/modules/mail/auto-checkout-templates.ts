import { calendarDate, formatLong } from "@marketday/domain/calendar-date";
import { orderByWords } from "@marketday/domain/order";
import { z } from "zod";

import type { MailContent } from "./layout.ts";

const About = z.object({ day: z.string(), market: z.string(), cutoff: z.string(), timeZone: z.string() });
const Lines = z.array(z.object({ title: z.string(), quantity: z.number() }));
const Failed = About.extend({ reason: z.enum(["nothing", "no_address", "no_card", "declined", "failed"]) });
const Short = About.extend({ orderId: z.number(), ordered: Lines, missing: Lines });
const Missed = About.pick({ day: true, market: true });

const dayWords = (day: string) => formatLong(calendarDate(day));
const untilWords = (about: z.infer<typeof About>) => orderByWords(new Date(about.cutoff), about.timeZone);
const listed = (lines: z.infer<typeof Lines>) => lines.map((line) => `${line.quantity} × ${line.title}`).join("\n");

const WHY = {
  nothing: "there was nothing to order: your cart was empty, or everything in it was sold out",
  no_address: "we have no delivery address for you in this market",
  no_card: "you have no saved card",
  declined: "your card was declined",
  failed: "something went wrong on our side",
} as const;
const DO = {
  nothing: "Fill your cart",
  no_address: "Check out and enter an address",
  no_card: "Check out and save a card",
  declined: "Check out with another card",
  failed: "Please check out yourself",
} as const;

/** Auto-checkout ordered nothing: why, and what to do until the cutoff (docs/product.md §9). Bad data throws. */
export function autoCheckoutFailed(data: unknown): MailContent {
  const about = Failed.parse(data);
  return {
    subject: `No order yet for ${dayWords(about.day)}`,
    heading: "Automatic checkout did not order",
    parts: [
      `We wanted to place your order from ${about.market} for ${dayWords(about.day)}, but ${WHY[about.reason]}. You have not been charged.`,
      `${DO[about.reason]} by ${untilWords(about)}.`,
      ...(about.reason === "failed" ? [] : ["Until then we try again every six hours."]),
    ],
    link: { label: "Go to the market", path: "/shop" },
  };
}

/** Not all of it was left: what is ordered, and what is missing (failures C15). */
export function autoCheckoutShort(data: unknown): MailContent {
  const about = Short.parse(data);
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

/** The market was down when it should have ordered, and the cutoff has passed (failures C5). */
export function autoCheckoutMissed(data: unknown): MailContent {
  const about = Missed.parse(data);
  return {
    subject: `We missed your order for ${dayWords(about.day)}`,
    heading: "We are sorry",
    parts: [
      `Automatic checkout of ${about.market} did not run in time, so nothing was ordered for ${dayWords(about.day)} and you have not been charged. Your cart is as you left it.`,
    ],
    link: { label: "Go to the market", path: "/shop" },
  };
}
