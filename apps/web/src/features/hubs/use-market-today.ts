import { useMarketNow } from "@marketday/client/clock.ts";
import { type CalendarDate, dateInZone } from "@marketday/domain/calendar-date";

import { useHub } from "./api.ts";

/** The date in the zone of the shopper's market. */
export function useMarketToday(): CalendarDate {
  const hub = useHub();
  return dateInZone(useMarketNow(), hub?.timeZone ?? "UTC");
}
