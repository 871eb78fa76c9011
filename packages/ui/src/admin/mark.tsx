import { cx } from "../cx.ts";

import s from "./mark.module.css";

/**
 * The eight marks of the back office. `ahead`: not begun, open; `now`: it runs; `ok`: fine, in a list; `done`: a finished step; `due`: a
 * person should act; `late`: late, declined or wrong; `back`: money that goes back; `off`: cancelled, missed, away.
 */
export type MarkShape = "ahead" | "now" | "ok" | "done" | "due" | "late" | "back" | "off";

/** A state as a shape with its color. Words beside it name the state: it is never read out. `md` 14 px, `lg` 17 px. */
export const Mark = ({ shape, size = "md" }: { shape: MarkShape; size?: "md" | "lg" }) => (
  <svg className={cx(s.mark, s[shape], size === "lg" && s.lg)} aria-hidden="true" focusable="false">
    <use href={`#s-${shape}`} />
  </svg>
);
