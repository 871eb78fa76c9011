import type { HTMLAttributes } from "react";

import s from "./layout.module.css";

interface LayoutProps extends Omit<HTMLAttributes<HTMLElement>, "className" | "style"> {
  /** The element it is. */
  as?: "div" | "p" | "section" | "article" | "ul" | "ol";
  /** A step of the tokens' scale: 4 is `--s-4`. */
  gap: 0 | 1 | 2 | 3 | 4 | 5 | 6;
}

interface StackProps extends LayoutProps {
  /** As wide as what they hold; without it as wide as the stack. */
  align?: "start";
}

interface ClusterProps extends LayoutProps {
  /** Across the row, `center` without it. */
  align?: "baseline" | "stretch";
  /** Along the row, from its beginning without it. */
  justify?: "center" | "between";
}

interface GridProps extends LayoutProps {
  /** The least width of a column: of a button's words, of a half of a dialog, of a card. Few cards do not fill their row, the others do. */
  min: "button" | "half" | "card";
}

/** A layout: its element with the choices as attributes, which the stylesheet reads. */
const layout =
  <Props extends LayoutProps>(className: string | undefined) =>
  ({
    as: Tag = "div",
    gap,
    align,
    justify,
    min,
    ...rest
  }: Props & Partial<Omit<StackProps & ClusterProps & GridProps, "align"> & { align: string }>) => (
    <Tag {...rest} className={className} data-gap={gap} data-align={align} data-justify={justify} data-min={min} />
  );

/** One below the other. */
export const Stack = layout<StackProps>(s.stack);

/** Side by side, in as many rows as it takes. */
export const Cluster = layout<ClusterProps>(s.cluster);

/** Columns of the same width, as many as there is room for. */
export const Grid = layout<GridProps>(s.grid);
