import type { DayBoxes } from "@marketday/contracts/admin/orders";
import type { DayShorts } from "@marketday/contracts/admin/shorts";
import type { TodayRow } from "@marketday/contracts/admin/today";
import { calendarDate, type CalendarDate } from "@marketday/domain/calendar-date";

import * as t from "#messages/shell";

import { paths } from "../../lib/paths.ts";
import { findItems, parseAddText } from "../shorts/add-text.ts";
import type { Command } from "./commands.ts";

/** What a text of the palette names: an order, a tote of a day, or an item of which too few came. */
export type Typed =
  | { kind: "order"; id: number }
  | { kind: "tote"; number: number }
  /** `words`: of the item and its vendor. `came` null: no number was typed. */
  | { kind: "short"; words: string; came: number | null };

/** Reads "397 120 862", "tote 14" and "short eggs cluck 9"; null: it names none of them. */
export function parseTyped(text: string): Typed | null {
  const typed = text.trim().replaceAll(/\s+/gu, " ");
  const digits = typed.replaceAll(" ", "").replace(/^#/, "");
  if (/^\d{9}$/.test(digits)) return { kind: "order", id: Number(digits) };
  const tote = /^tote #?(?<number>\d{1,4})$/i.exec(typed)?.groups?.["number"];
  if (tote !== undefined) return { kind: "tote", number: Number(tote) };
  const short = /^shorts? (?<rest>.*\p{L}.*)$/iu.exec(typed)?.groups?.["rest"];
  if (short === undefined) return null;
  return { kind: "short", ...parseAddText(short) };
}

type Day = Pick<TodayRow, "hub" | "day">;
const placeOf = ({ hub, day }: Day, today: CalendarDate): string => t.dayOf(hub.name, calendarDate(day), today);

/** The order of a number, wherever it is. */
export const orderCommand = (id: number): Command => ({
  id: `order:${id}`,
  title: t.openOrder(id),
  icon: "order",
  words: "",
  does: { to: paths.order(id) },
  command: `orders show ${id}`,
});

/** The box of a tote. Until the boxes of the day are known, their list with the tote as its filter; none: there is no such tote. */
export function toteCommand(
  number: number,
  day: Day,
  boxes: DayBoxes["boxes"] | undefined,
  today: CalendarDate,
): Command[] {
  const shared = { icon: "leaf", date: calendarDate(day.day), words: "", detail: placeOf(day, today) } as const;
  const { slug } = day.hub;
  if (!boxes)
    return [
      {
        ...shared,
        id: `tote:${number}`,
        title: t.openTote(number, ""),
        does: { to: `${paths.boxes(slug, day.day)}?q=${number}` },
      },
    ];
  return boxes
    .filter(({ tote }) => tote === number)
    .map(({ orderId, name }) => ({
      ...shared,
      id: `tote:${number}`,
      title: t.openTote(number, name),
      does: { to: paths.boxes(slug, day.day, orderId) },
      command: `orders show ${orderId}`,
    }));
}

/** As many items as are offered for a shortage. */
const ITEMS_MAX = 5;

/**
 * The items of a day that were named, with the number that came: they open among the day's shorts with that number, and nothing is done yet.
 * Until the items are known, the shorts with the words that find them.
 */
export function shortCommands(
  { words, came }: Extract<Typed, { kind: "short" }>,
  day: Day,
  items: DayShorts["items"] | undefined,
  today: CalendarDate,
): Command[] {
  const { slug } = day.hub;
  const shared = { icon: "short", words: "" } as const;
  const count = came === null ? "" : String(came);
  if (!items) {
    const query = new URLSearchParams({ find: words, ...(came !== null && { came: count }) });
    return [
      {
        ...shared,
        id: "short",
        title: t.shortWords(words, came),
        detail: placeOf(day, today),
        does: { to: `${paths.shorts(slug, day.day)}?${query}` },
      },
    ];
  }
  return findItems(items, words)
    .slice(0, ITEMS_MAX)
    .map(({ variantId, title, vendor, ordered }) => ({
      ...shared,
      id: `short:${variantId}`,
      title: t.shortItem(title, came, ordered),
      detail: t.withPlace(vendor.name, placeOf(day, today)),
      does: { to: `${paths.shorts(slug, day.day, variantId)}${came === null ? "" : `?came=${count}`}` },
      ...(came !== null && { command: `short ${slug} ${day.day} ${vendor.slug} ${variantId} ${came}/${ordered}` }),
    }));
}
