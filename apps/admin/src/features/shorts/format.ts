import { dateInZone, formatDay } from "@marketday/domain/calendar-date";
import { formatClock } from "@marketday/domain/order";

const clockOf = (at: Date, zone: string): string => formatClock(at, zone).replace(/[AP]M$/, "\u00A0$&");

/** "Nov 18, 7:02 AM": when an order was placed, where the market is. */
export function formatPlaced(instant: string, zone: string, now: Date): string {
  const at = new Date(instant);
  return `${formatDay(dateInZone(at, zone), dateInZone(now, zone))}, ${clockOf(at, zone)}`;
}

/** "1:20 PM" on the same day, else with the day. */
export function formatTime(instant: string, zone: string, now: Date): string {
  const at = new Date(instant);
  return dateInZone(at, zone) === dateInZone(now, zone) ? clockOf(at, zone) : formatPlaced(instant, zone, now);
}
