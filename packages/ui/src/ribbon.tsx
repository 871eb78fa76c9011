import { cx } from "./cx.ts";

import s from "./ribbon.module.css";

interface RibbonProps {
  /** `squash` news and picks, `tomato` deals, `ink` sold out, `beet` pre-order. */
  tone?: "squash" | "tomato" | "ink" | "beet";
  children: string;
}

/** A swallow-tailed ribbon from the left edge of a picture. */
export const Ribbon = ({ tone = "squash", children }: RibbonProps) => (
  <span className={cx(s.ribbon, s[tone])}>{children}</span>
);
