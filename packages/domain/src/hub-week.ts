import type { Hub } from "@marketday/contracts/hubs";
import {
  calendarDate,
  daysBetween,
  dateInZone,
  formatDay,
  weekdayOf,
  type Weekday,
} from "@marketday/domain/calendar-date";
import { clockWords, orderByWords } from "@marketday/domain/order";

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

/** Null for a hub without a delivery day ahead. */
export function weekOf(hub: Pick<Hub, "timeZone" | "nextDeliveryDate" | "cutoff">, now: Date): Week | null {
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
    orderBy: orderByWords(cutoff, zone) + (far ? `, ${formatDay(day)}` : ""),
    orderByShort: `${clockWords(cutoff, zone)} ${far ? formatDay(day) : weekdayOf(day).slice(0, 3)}`,
  };
}
