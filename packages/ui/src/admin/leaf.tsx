import { calendarDate } from "@marketday/domain/calendar-date";

import * as t from "#messages";

import { cx } from "../cx.ts";

import s from "./leaf.module.css";

interface LeafProps {
  /** `YYYY-MM-DD` */
  date: string;
  /** `sm` 28 px, `md` 34 px, `lg` 52 px. */
  size?: "sm" | "md" | "lg";
}

/** A delivery day as a torn calendar leaf. Words beside it name the day, so it is hidden from screen readers. */
export const Leaf = ({ date, size = "md" }: LeafProps) => (
  <span className={cx(s.leaf, s[size])} aria-hidden="true">
    <b className={s.band}>{t.weekday(calendarDate(date)).toUpperCase()}</b>
    <span className={s.day}>{Number(date.slice(8))}</span>
  </span>
);
