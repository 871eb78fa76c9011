import { useMarketNow } from "@marketday/client/clock.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { dateInZone } from "@marketday/domain/calendar-date";
import { useQuery } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { hasPermission, useMe } from "../session/api.ts";
import type { Command } from "./commands.ts";
import { useCurrentDay } from "./current-day.ts";
import { orderCommand, parseTyped, shortCommands, toteCommand } from "./typed-commands.ts";
import type { Week } from "./use-week.ts";

/**
 * What a text of the palette names: an order by its number, and of the day that is shown or comes next a tote or an item that is
 * short. The boxes and items of the day are read once one is named, into the cache of the screens.
 */
export function useTypedCommands(text: string, week: Week): Command[] {
  const me = useMe();
  const now = useMarketNow();
  const currentDay = useCurrentDay(week);
  const typed = parseTyped(text);
  const day =
    typed?.kind === "tote"
      ? currentDay("orders.read")
      : typed?.kind === "short"
        ? currentDay("orders.adjust")
        : undefined;
  const params = { hub: day?.hub.slug ?? "", date: day?.day ?? "" };
  const key = ["day", params.hub, params.date];
  const boxes = useQuery({
    queryKey: [...key, "boxes"],
    queryFn: ({ signal }) => call(calls.getDayBoxes, { params }, { signal }),
    enabled: typed?.kind === "tote" && day !== undefined,
  });
  const shorts = useQuery({
    queryKey: [...key, "shorts"],
    queryFn: ({ signal }) => call(calls.getShorts, { params }, { signal }),
    enabled: typed?.kind === "short" && day !== undefined,
  });
  if (typed?.kind === "order") return hasPermission(me, "orders.read") ? [orderCommand(typed.id)] : [];
  if (!typed || !day) return [];
  const today = dateInZone(now, day.hub.timeZone);
  return typed.kind === "tote"
    ? toteCommand(typed.number, day, boxes.data?.boxes, today)
    : shortCommands(typed, day, shorts.data?.items, today);
}
