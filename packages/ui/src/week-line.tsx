import { calendarDate } from "@marketday/domain/calendar-date";
import { weekLine } from "@marketday/domain/week-line";

import * as t from "#messages";

import { cx } from "./cx.ts";

import s from "./week-line.module.css";

interface WeekLineProps {
  now: Date;
  /** The hub's IANA zone. */
  zone: string;
  cutoff: Date;
  /** `YYYY-MM-DD` */
  deliveryDate: string;
}

/**
 * Seven dots: what is past, today, order by, delivery. The same on every screen; the words beside it say the same, so
 * it is hidden from screen readers.
 */
export function WeekLine({ now, zone, cutoff, deliveryDate }: WeekLineProps) {
  const dots = weekLine({ now, zone, cutoff, deliveryDate: calendarDate(deliveryDate) });
  const today = dots.findIndex(({ isToday }) => isToday);
  return (
    <ol className={s.line} aria-hidden="true">
      {dots.map(({ date, name, kind, isToday, afterGap }, index) => (
        <li key={date} className={cx(s.dot, s[kind], isToday && s.now, index <= today && s.done, afterGap && s.gap)}>
          <i className={s.mark} />
          {name === "orderBy" ? t.orderBy : name === "today" ? t.today : t.weekday(date)}
        </li>
      ))}
    </ol>
  );
}
