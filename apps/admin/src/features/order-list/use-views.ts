import { useMarketNow } from "@marketday/client/clock.ts";
import { dateInZone } from "@marketday/domain/calendar-date";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { viewsQuery } from "../list/saved-views.ts";
import { useMe } from "../session/api.ts";
import { useWeek } from "../shell/use-week.ts";
import { builtInViews, type ListView, nextDays, savedViewOf } from "./views.ts";

/** The market's own views, then the saved ones. `hub`: slug of the market of the frame. */
export function useListViews(hub: string | null): ListView[] {
  const me = useMe();
  const week = useWeek();
  const zone = (me.hubs.find(({ slug }) => slug === hub) ?? me.hubs[0])?.timeZone ?? "UTC";
  const today = dateInZone(useMarketNow(), zone);
  const { data: saved } = useQuery(viewsQuery("orders"));
  return useMemo(
    () => [...builtInViews(nextDays(week.rows, hub, today)), ...(saved ?? []).map(savedViewOf)],
    [week.rows, hub, today, saved],
  );
}
