import { cx } from "../cx.ts";

import s from "./pips.module.css";

/** More than these are drawn as one bar: no eye counts them. */
const PIPS_MAX = 24;

interface PipsProps {
  /** Units ordered. */
  of: number;
  /** Units that came, at most `of`; the others are struck out. */
  came: number;
  size?: "md" | "lg";
}

/** "9 of 12", drawn: nine filled pips and three struck out; above 24 a bar. Words beside it say the numbers: it is never read out. */
export function Pips({ of, came, size = "md" }: PipsProps) {
  if (of > PIPS_MAX)
    return (
      <svg
        className={cx(s.bar, size === "lg" && s.lg)}
        viewBox="0 0 100 10"
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        <rect className={s.missing} width="100" height="10" />
        <rect className={s.filled} width={(100 * came) / of} height="10" />
      </svg>
    );
  return (
    <span className={cx(s.pips, size === "lg" && s.lg)} aria-hidden="true">
      {Array.from({ length: of }, (_, unit) => (
        // A unit has no other name than its place.
        // oxlint-disable-next-line react/no-array-index-key
        <i key={unit} data-struck={unit >= came ? "" : undefined} />
      ))}
    </span>
  );
}
