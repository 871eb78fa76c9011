import { cx } from "../cx.ts";

import s from "./icon.module.css";

/** Every drawing of `sprite.svg`: 24 grid, 1.75 px round stroke, our own. */
type SharedIconName =
  | "again"
  | "aim"
  | "back"
  | "bell"
  | "bin"
  | "bookmark"
  | "card"
  | "check"
  | "clock"
  | "close"
  | "crate"
  | "down"
  | "eye"
  | "find"
  | "gift"
  | "heart"
  | "help"
  | "info"
  | "leaf"
  | "leave"
  | "link"
  | "mail"
  | "minus"
  | "more"
  | "next"
  | "page"
  | "pause"
  | "person"
  | "pin"
  | "plus"
  | "share"
  | "stall"
  | "star"
  | "star-half"
  | "sun"
  | "wagon"
  | "warn";

/** The drawings of `admin-sprite.svg`, which only the page of apps/admin contains. */
type AdminIconName =
  | "apple"
  | "audit"
  | "chart"
  | "coins"
  | "columns"
  | "copy"
  | "filter"
  | "flag"
  | "key"
  | "keys"
  | "lock"
  | "memo"
  | "offline"
  | "order"
  | "out"
  | "phone"
  | "print"
  | "short"
  | "sliders"
  | "today"
  | "undo"
  | "up";

export type IconName = SharedIconName | AdminIconName;

interface IconProps {
  name: IconName;
  /** `sm` 17 px, `md` 22 px, `lg` 30 px. */
  size?: "sm" | "md" | "lg";
  filled?: boolean;
}

/** A drawing beside words or inside a labelled control: it is never read out. */
export function Icon({ name, size = "md", filled = false }: IconProps) {
  return (
    <svg className={cx(s.icon, s[size], filled && s.filled)} aria-hidden="true" focusable="false">
      <use href={`#i-${name}`} />
    </svg>
  );
}
