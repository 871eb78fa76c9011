import { dateInZone, formatWeekday } from "@marketday/domain/calendar-date";
import { formatClock } from "@marketday/domain/order";

/** "Wednesday at 5:04PM", more than six days ago "Wednesday, November 18 at 5:04PM": when a kept page was rendered. */
export const formatKept = (at: Date, now: Date, zone: string): string =>
  `${formatWeekday(dateInZone(at, zone), dateInZone(now, zone))} at ${formatClock(at, zone)}`;
