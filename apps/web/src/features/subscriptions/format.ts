import type { NextBox } from "@marketday/contracts/subscriptions";
import { calendarDate, type CalendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";
import { formatClock, formatOrderBy, formatTimeLeft } from "@marketday/domain/order";

/** "Every week", "Every 3 weeks". */
export const formatInterval = (weeks: number): string => (weeks === 1 ? "Every week" : `Every ${weeks} weeks`);

/** "Thursday, November 26", of `YYYY-MM-DD`; with the year when that is not `today`'s. */
export const formatDay = (day: string, today: CalendarDate): string => formatLong(calendarDate(day), today);

/** "Monday, November 23, at 1PM": an instant as the market's clock shows it. */
export const formatMoment = (instant: Date, zone: string, now: Date): string =>
  `${formatLong(dateInZone(instant, zone), dateInZone(now, zone))}, at ${formatClock(instant, zone)}`;

/** Why a line is in a box. */
export function formatReason(line: {
  reason: "subscription" | "cart";
  subscription_interval: number | null;
  bundleTitle: string | null;
}): string {
  const { reason, subscription_interval: weeks, bundleTitle } = line;
  if (reason === "cart") return bundleTitle ? `In your cart, from ${bundleTitle}` : "In your cart";
  const often = formatInterval(weeks ?? 1);
  return bundleTitle ? `${often}, from ${bundleTitle}` : often;
}

/** What happens to a box, and until when it can be changed; `isOff`: automatic checkout is off. */
export function formatBox(box: NextBox, isOff: boolean, now: Date): string {
  const { state, lines, orderIds, timeZone } = box;
  const until = formatOrderBy(new Date(box.cutoff), timeZone, now);
  if (state === "skipped") return "Skipped. Your subscriptions move to the next delivery.";
  if (state === "ordered") return `Ordered. You can remove items until ${until}.`;
  if (state === "closed") return `Automatic checkout has already run for this day. Check out yourself by ${until}.`;
  if (lines.length === 0)
    return orderIds.length > 0
      ? "Your order is coming. Nothing else is scheduled."
      : "Nothing is scheduled for this delivery.";
  if (isOff) return `We'll add it to your cart. Check out by ${until}.`;
  const joins = orderIds.length > 0 ? " It joins the order you already placed." : "";
  return `Ordered automatically ${formatMoment(new Date(box.autoCheckoutAt), timeZone, now)}.${joins}`;
}

/**
 * How long a box can be changed, as "2 days left to change"; null when it can't be. A box that was ordered already changes
 * until the cutoff, like its order; one that automatic checkout still has to order, until that runs.
 */
export function formatChange(box: NextBox, isOff: boolean, now: Date): string | null {
  const { state, orderIds, cutoff, autoCheckoutAt, timeZone } = box;
  if (state !== "planned" && state !== "ordered") return null;
  const until = isOff || orderIds.length > 0 ? cutoff : autoCheckoutAt;
  return formatTimeLeft(now, new Date(until), timeZone)?.replace(" to add", " to change") ?? null;
}
