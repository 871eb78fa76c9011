import s from "./calendar-leaf.module.css";

const weekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/**
 * A torn calendar leaf: red band with the weekday, the day below. It flips once when the date changes. The words
 * beside it say the day, so it is hidden from screen readers.
 */
export function CalendarLeaf({ date }: { date: string }) {
  const weekday = weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()];
  return (
    <span className={s.leaf} aria-hidden="true" key={date}>
      <b className={s.band}>{weekday}</b>
      <span className={s.day}>{Number(date.slice(8))}</span>
    </span>
  );
}
