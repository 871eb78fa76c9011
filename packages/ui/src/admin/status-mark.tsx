import type { ReactNode } from "react";

import { cx } from "../cx.ts";
import { Mark, type MarkShape } from "./mark.tsx";

import s from "./status-mark.module.css";

interface StatusMarkProps {
  shape: MarkShape;
  /** In a table: only what is due, late or goes back colors the word. */
  quiet?: boolean;
  /** On a ground of its color: the state of a page or a panel. */
  pill?: boolean;
  /** The word, with the amount when it is about money. */
  children: ReactNode;
}

/** A status: the word first, a shape second, a color third. */
export const StatusMark = ({ shape, quiet, pill, children }: StatusMarkProps) => (
  <span className={cx(s.status, s[shape], quiet && s.quiet, pill && s.pill)}>
    <Mark shape={shape} />
    <span className={s.word}>{children}</span>
  </span>
);
