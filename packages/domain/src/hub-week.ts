import {
  calendarDate,
  dateInZone,
  formatDay,
  formatWeekday,
  isNear,
  keepDates,
  weekdayOf,
  weekdayShort,
  type Weekday,
} from "./calendar-date.ts";
import { formatClock, formatOrderBy } from "./order.ts";

/** A hub's running cycle, with the words that go beside its Week Line. */
export interface Week {
  zone: string;
  cutoff: Date;
  deliveryDate: string;
  weekday: Weekday;
  /** "Thursday", with the date when it is more than six days away. */
  arrival: string;
  isOpen: boolean;
  /** "1AM Wednesday", with the date when it is more than six days away. */
  orderBy: string;
  /** "1AM Wed" or "1AM Dec 2", for the hub chip. */
  orderByShort: string;
}

interface HubCycle {
  /** IANA zone. */
  timeZone: string;
  /** `YYYY-MM-DD` */
  nextDeliveryDate: string | null;
  /** ISO 8601 */
  cutoff: string | null;
}

/** Null for a hub without a delivery day ahead. */
export function weekOf(hub: HubCycle, now: Date): Week | null {
  if (!hub.nextDeliveryDate || !hub.cutoff) return null;
  const cutoff = new Date(hub.cutoff);
  const zone = hub.timeZone;
  const today = dateInZone(now, zone);
  const day = dateInZone(cutoff, zone);
  const delivery = calendarDate(hub.nextDeliveryDate);
  return {
    zone,
    cutoff,
    deliveryDate: hub.nextDeliveryDate,
    weekday: weekdayOf(delivery),
    arrival: formatWeekday(delivery, today),
    isOpen: now < cutoff,
    orderBy: formatOrderBy(cutoff, zone, now),
    orderByShort: `${formatClock(cutoff, zone)} ${isNear(day, today) ? weekdayShort(day) : formatDay(day, today)}`,
  };
}

/**
 * The shop's first words: its heading, and a sentence in three parts so that the middle one can be emphasized. The
 * server's first view and the app say the same.
 * @param fee "$8.95"
 */
export function formatShopNote(
  { isOpen, arrival, orderBy }: Week,
  hubName: string,
  fee: string,
): { heading: string; sentence: [before: string, orderBy: string, after: string] } {
  // "Thursday", or of "Thursday, December 3" the date.
  const [weekday, marketDay = weekday] = arrival.split(", ");
  const by = keepDates(orderBy);
  const at = keepDates(arrival);
  return isOpen
    ? {
        heading: `${marketDay}’s market is open`,
        sentence: ["Fill the wagon by ", by, `. It reaches your door ${at}, ${fee} flat.`],
      }
    : { heading: hubName, sentence: ["Orders closed at ", by, `. The wagon is on its way for ${at}.`] };
}
