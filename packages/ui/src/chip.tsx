import { Children, type ReactNode, useEffect, useRef } from "react";

import { cx } from "./cx.ts";
import { Link, type LinkProps } from "./link.tsx";

import s from "./chip.module.css";

interface ChipLinkProps extends Omit<LinkProps, "className"> {
  current?: boolean;
  children: ReactNode;
}

/** A chip that goes somewhere. The current one is inked and scrolls into its rail's view. */
export function ChipLink({ current, children, ...rest }: ChipLinkProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    const chip = link.current;
    const rail = chip?.closest("ul");
    // Sideways only: scrollIntoView would move the page as well.
    if (current && chip && rail) rail.scrollLeft = chip.offsetLeft - rail.offsetLeft - chip.offsetWidth / 2;
  }, [current]);
  return (
    <Link {...rest} ref={link} className={s.chip} aria-current={current ? "page" : undefined}>
      {children}
    </Link>
  );
}

interface ChipProps {
  /** `kale` a plain fact, `squash` something missing, `tomato` a warning. */
  tone?: "kale" | "squash" | "tomato" | "plain";
  children: ReactNode;
}

/** A fact in a small frame: a tag, a missing field. */
export const Chip = ({ tone = "kale", children }: ChipProps) => <span className={cx(s.fact, s[tone])}>{children}</span>;

/** Chips in one row that scrolls sideways, fading at the edge. Each child becomes an item of the list. */
export function ChipRail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={s.rail} aria-label={label}>
      <ul className={s.list}>
        {Children.map(children, (child) => (
          <li>{child}</li>
        ))}
      </ul>
    </nav>
  );
}
