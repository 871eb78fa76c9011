import { problemsOf } from "@marketday/client/forms/problems.ts";
import { addDays, calendarDate } from "@marketday/domain/calendar-date";
import { GIFT_CARD_DAYS_MAX, GIFT_CARD_MAX, GIFT_CARD_MIN } from "@marketday/domain/limits";
import { cleanCode, isEmail } from "@marketday/domain/text";
import type { FormProblem } from "@marketday/ui/form.tsx";

/** A gift card as typed. */
export interface Gift {
  amount: string;
  recipientEmail: string;
  message: string;
  /** `YYYY-MM-DD` */
  deliverOn: string;
}

/** The ids of the controls, for the error summary. */
export const giftControls = {
  amount: "gift-amount",
  recipientEmail: "gift-recipient",
  message: "gift-message",
  deliverOn: "gift-date",
} as const;
export const MESSAGE_MAX = 250;
/** What most people give, dollars. */
export const AMOUNTS = [25, 50, 100, 200] as const;

/** Cents of an amount as typed ("25", "$25.50"), or null. */
export function amountCents(text: string): number | null {
  const match = /^\$?\s*(\d{1,4})(?:\.(\d{1,2}))?$/.exec(cleanCode(text));
  return match ? Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0")) : null;
}

/** The last day a gift can be sent on (docs/product.md §17). */
export const lastGiftDay = (today: string): string => addDays(calendarDate(today), GIFT_CARD_DAYS_MAX);

function dayProblem(deliverOn: string, today: string): string | null {
  if (deliverOn < today) return "Choose today or a later day.";
  return deliverOn > lastGiftDay(today) ? "Choose a day within the next year." : null;
}

/** What is wrong with a gift, in the order of the form. `today`: the first day it can be sent on. */
export function giftProblems({ amount, recipientEmail, deliverOn }: Gift, today: string): FormProblem[] {
  const cents = amountCents(amount);
  const fits = cents !== null && cents >= GIFT_CARD_MIN && cents <= GIFT_CARD_MAX;
  return problemsOf(giftControls, {
    amount: !fits && `Enter an amount from $${GIFT_CARD_MIN / 100} to $${GIFT_CARD_MAX / 100}`,
    recipientEmail: !isEmail(recipientEmail) && "Enter the recipient's email address",
    deliverOn: dayProblem(deliverOn, today),
  });
}
