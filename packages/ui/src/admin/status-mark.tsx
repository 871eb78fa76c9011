import type { ReactNode } from "react";

import { cx } from "../cx.ts";
import { Mark, type MarkShape } from "./mark.tsx";

import s from "./status-mark.module.css";

interface StatusMarkProps {
  shape: MarkShape;
  /** In a table: only what is due, late or goes back colors the word. */
  quiet?: boolean;
  /** The word, with the amount when it is about money. */
  children: ReactNode;
}

/** A status: the word first, a shape second, a color third. */
export const StatusMark = ({ shape, quiet, children }: StatusMarkProps) => (
  <span className={cx(s.status, s[shape], quiet && s.quiet)}>
    <Mark shape={shape} />
    <span className={s.word}>{children}</span>
  </span>
);
