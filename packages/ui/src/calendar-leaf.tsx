import { calendarDate } from "@marketday/domain/calendar-date";

import * as t from "#messages";

import s from "./calendar-leaf.module.css";

/**
 * A torn calendar leaf: red band with the weekday, the day below. It flips once when the date changes. The words
 * beside it say the day, so it is hidden from screen readers.
 */
export function CalendarLeaf({ date }: { date: string }) {
  return (
    <span className={s.leaf} aria-hidden="true" key={date}>
      <b className={s.band}>{t.weekday(calendarDate(date)).toUpperCase()}</b>
      <span className={s.day}>{Number(date.slice(8))}</span>
    </span>
  );
}
