import * as t from "#messages";

import { cx } from "../cx.ts";
import { VisuallyHidden } from "../visually-hidden.tsx";

import s from "./tote-tag.module.css";

/** A tote's number as a tag with a punched hole: how it looks wherever it is alone. `lg` 46 px high. */
export const ToteTag = ({ number, size = "md" }: { number: number; size?: "md" | "lg" }) => (
  <span className={cx(s.tag, size === "lg" && s.lg)} translate="no">
    <VisuallyHidden>{t.tote}</VisuallyHidden>
    <span>{number}</span>
  </span>
);
