import { type CalendarDate, dateInZone } from "@marketday/domain/calendar-date";

import { boot } from "./boot.ts";
import { marketNow } from "./clock.ts";

/** The date in the market's zone. */
export const marketToday = (): CalendarDate => dateInZone(marketNow(), boot.hub?.timeZone ?? "UTC");
