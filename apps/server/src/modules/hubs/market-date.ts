import { type CalendarDate, dateInZone } from "@marketday/domain/calendar-date";

import type { Deps } from "../../deps.ts";
import { hubDirectory } from "./directory.ts";

/** The time zone of a hub. Without one, for what all hubs share (posts, payouts, vendors' mails): of the market's first hub, else UTC. */
export async function marketZone(deps: Deps, hubId: number | null = null): Promise<string> {
  const hubs = await hubDirectory(deps);
  const hub = (hubId === null ? undefined : hubs.byId(hubId)) ?? hubs.all()[0];
  return hub?.time_zone ?? "UTC";
}

/** The date in that time zone. */
export const marketDate = async (deps: Deps, now: Date, hubId: number | null = null): Promise<CalendarDate> =>
  dateInZone(now, await marketZone(deps, hubId));
