import { calendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";
import { clockWords } from "@marketday/domain/order";

/** "Every week", "Every 3 weeks". */
export const intervalWords = (weeks: number): string => (weeks === 1 ? "Every week" : `Every ${weeks} weeks`);

/** "Thursday, November 26", of `YYYY-MM-DD`. */
export const dayWords = (day: string): string => formatLong(calendarDate(day));

/** "Monday, November 23, at 1PM": an instant as the market's clock shows it. */
export const momentWords = (instant: Date, zone: string): string =>
  `${formatLong(dateInZone(instant, zone))}, at ${clockWords(instant, zone)}`;

/** Why a line is in a box. */
export function reasonWords(line: {
  reason: "subscription" | "cart";
  subscription_interval: number | null;
  bundleTitle: string | null;
}): string {
  const { reason, subscription_interval: weeks, bundleTitle } = line;
  if (reason === "cart") return bundleTitle ? `In your cart, from ${bundleTitle}` : "In your cart";
  const often = intervalWords(weeks ?? 1);
  return bundleTitle ? `${often}, from ${bundleTitle}` : often;
}

/** Dollars, to the cent. */
export const dollars = (amount: number): number => Math.round(amount * 100) / 100;
