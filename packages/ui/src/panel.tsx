import type { ReactNode } from "react";

import { cx } from "./cx.ts";

import s from "./panel.module.css";

interface PanelProps {
  /** The element it is; a region needs a `label`. */
  as?: "div" | "section" | "article";
  label?: string;
  padded?: boolean;
  children: ReactNode;
}

/** A card: surface, hairline, round corners. */
export const Panel = ({ as: Tag = "div", label, padded = true, children }: PanelProps) => (
  <Tag className={cx(s.panel, padded && s.padded)} aria-label={label}>
    {children}
  </Tag>
);
