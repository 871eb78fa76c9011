import { calendarDate, daysBetween, dateInZone, formatDay, weekdayOf, type Weekday } from "./calendar-date.ts";
import { formatClock, formatOrderBy } from "./order.ts";

/** A hub's running cycle, with the words that go beside its Week Line. */
export interface Week {
  zone: string;
  cutoff: Date;
  deliveryDate: string;
  weekday: Weekday;
  isOpen: boolean;
  /** "1AM Wednesday", with the date when it is more than six days off. */
  orderBy: string;
  /** "1AM Wed", for the hub chip. */
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
  const day = dateInZone(cutoff, zone);
  const far = daysBetween(dateInZone(now, zone), day) > 6;
  return {
    zone,
    cutoff,
    deliveryDate: hub.nextDeliveryDate,
    weekday: weekdayOf(calendarDate(hub.nextDeliveryDate)),
    isOpen: now < cutoff,
    orderBy: formatOrderBy(cutoff, zone) + (far ? `, ${formatDay(day)}` : ""),
    orderByShort: `${formatClock(cutoff, zone)} ${far ? formatDay(day) : weekdayOf(day).slice(0, 3)}`,
  };
}

/**
 * The shop's first words: its heading, and a sentence in three parts so that the middle one can be emphasized. The
 * server's first view and the app say the same.
 * @param fee "$8.95"
 */
export function formatShopNote(
  { isOpen, weekday, orderBy }: Week,
  hubName: string,
  fee: string,
): { heading: string; sentence: [before: string, orderBy: string, after: string] } {
  return isOpen
    ? {
        heading: `${weekday}’s market is open`,
        sentence: ["Fill the wagon by ", orderBy, `. It reaches your door ${weekday}, ${fee} flat.`],
      }
    : { heading: hubName, sentence: ["Orders closed at ", orderBy, `. The wagon is on its way for ${weekday}.`] };
}
