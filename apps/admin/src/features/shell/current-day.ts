import { useMarketNow } from "@marketday/client/clock.ts";
import type { Me } from "@marketday/contracts/admin/session";
import type { TodayRow } from "@marketday/contracts/admin/today";
import { dateInZone } from "@marketday/domain/calendar-date";
import type { Permission } from "@marketday/domain/staff";
import { useLocation } from "react-router";

import { paths } from "../../lib/paths.ts";
import { hasPermission, useMe } from "../session/api.ts";
import { useHubFilter } from "./hub-filter.ts";
import type { Week } from "./use-week.ts";

interface Where {
  me: Pick<Me, "permissions">;
  rows: readonly TodayRow[];
  /** The market that is shown; null: all. */
  hubId: number | null;
  pathname: string;
  now: Date;
}

/**
 * The delivery day that a screen of a day opens for: the one that is shown, else the next one of the markets in which the person has the
 * permission, else the last one. Of several on the same date the first that has boxes. Undefined: there is none.
 */
export function findCurrentDay(
  { me, rows, hubId, pathname, now }: Where,
  permission: Permission,
): TodayRow | undefined {
  const days = rows.filter(({ hub }) => hasPermission(me, permission, hub.id));
  const isShown = ({ hub, day }: TodayRow) =>
    [hub.slug, hub.id].some((key) => `${pathname}/`.startsWith(`${paths.day(String(key), day)}/`));
  const own = days.filter(({ hub }) => hubId === null || hub.id === hubId);
  const next = own.find(({ hub, day }) => day >= dateInZone(now, hub.timeZone));
  const packed = own.find(({ day, boxes }) => day === next?.day && boxes > 0);
  return days.find(isShown) ?? packed ?? next ?? own.at(-1);
}

/** `findCurrentDay` of the page. */
export function useCurrentDay({ rows }: Pick<Week, "rows">): (permission: Permission) => TodayRow | undefined {
  const me = useMe();
  const { hub } = useHubFilter();
  const { pathname } = useLocation();
  const now = useMarketNow();
  return (permission) => findCurrentDay({ me, rows, hubId: hub?.id ?? null, pathname, now }, permission);
}

/** Shortages that wait to be settled on the day on which their boxes go out. */
export const areShortsOverdue = ({ shorts, hub, day }: Pick<TodayRow, "shorts" | "hub" | "day">, now: Date): boolean =>
  shorts > 0 && day <= dateInZone(now, hub.timeZone);
