import type { SavedView } from "@marketday/contracts/admin/order-list";
import type { Today } from "@marketday/contracts/admin/today";
import { addDays, calendarDate, type CalendarDate, weekdayOf } from "@marketday/domain/calendar-date";
import { ORDER_VOCABULARY } from "@marketday/domain/order-query";

import * as t from "#messages/order-list";

import { canonical as canonicalIn } from "../list/filter-text.ts";
import { type NamedView, savedKey, viewOf as viewIn } from "../list/saved-views.ts";
import { DEFAULT_SORT, isSort, type ListAddress, type Sort } from "./list-address.ts";

const canonical = (q: string): string => canonicalIn({ vocabulary: ORDER_VOCABULARY }, q);

/** A tab: a filter with its order and columns. */
export interface ListView extends NamedView {
  sort: Sort;
  /** Empty: the usual ones. */
  columns: readonly string[];
}

const builtIn = (key: string, name: string, q: string): ListView => ({
  key,
  name,
  q,
  sort: DEFAULT_SORT,
  columns: [],
  saved: null,
});

/** The days of the coming week on which the markets deliver, the soonest first. */
export function nextDays(rows: Today["rows"], hub: string | null, today: CalendarDate): CalendarDate[] {
  const last = addDays(today, 6);
  const days = rows
    .filter((row) => hub === null || row.hub.slug === hub)
    .map(({ day }) => calendarDate(day))
    .filter((day) => day >= today)
    .toSorted();
  const near = days.filter((day) => day <= last);
  return [...new Set(near.length > 0 ? near : days.slice(0, 1))];
}

/** The market's own views. `days`: the next deliveries. */
export const builtInViews = (days: readonly CalendarDate[]): ListView[] => [
  builtIn("all", t.viewNames.all, ""),
  ...(days.length > 0
    ? [
        builtIn(
          "next",
          days.length === 1 ? t.boxesOf(weekdayOf(days[0]!)) : t.viewNames.week,
          days.map((day) => `day:${day}`).join(" "),
        ),
      ]
    : []),
  builtIn("due", t.viewNames.due, "owes:yes"),
  builtIn("declined", t.viewNames.declined, "money:declined"),
  builtIn("note", t.viewNames.note, "has:note"),
  builtIn("first", t.viewNames.first, "has:first"),
];

export const savedViewOf = (saved: SavedView): ListView => ({
  key: savedKey(saved),
  name: saved.name,
  q: saved.query,
  sort: isSort(saved.sort) ? saved.sort : DEFAULT_SORT,
  columns: saved.columns,
  saved,
});

/** The view of an address. */
export const viewOf = (views: readonly ListView[], address: Pick<ListAddress, "view" | "q">): ListView =>
  viewIn(views, address, canonical);

/** Whether the address shows something else than its view holds. The columns of the market's own views are everyone's own. */
export function isChanged(view: ListView, { q, sort, columns }: Pick<ListAddress, "q" | "sort" | "columns">): boolean {
  if (canonical(q) !== canonical(view.q) || sort !== view.sort) return true;
  return view.saved !== null && columns !== null && columns.join() !== view.columns.join();
}
