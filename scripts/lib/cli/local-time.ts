import { dateInZone } from "@marketday/domain/calendar-date";
import { clockWords } from "@marketday/domain/order";

/** "2026-11-25 1:01AM", as clocks in the zone show it. */
export const localTime = (at: Date | string, zone: string): string => {
  const instant = new Date(at);
  return `${dateInZone(instant, zone)} ${clockWords(instant, zone)}`;
};
