import { marketNow } from "@marketday/client/clock.ts";
import { type CalendarDate, dateInZone } from "@marketday/domain/calendar-date";

import { boot } from "./boot.ts";

/**
 * The date in the zone of the market that the page was loaded for. In the app another one may have been chosen since, so there it is
 * for what says no more than the year by it; `useMarketToday` follows the choice.
 */
export const marketToday = (): CalendarDate => dateInZone(marketNow(), boot.hub?.timeZone ?? "UTC");
