import { type ReactNode, useEffect } from "react";

import * as t from "#messages";

import { announce } from "./live-region.tsx";

import s from "./skeleton.module.css";

/** One box where something will be. `lines` text lines, or a `box` with the ratio the thing will have. */
export function SkeletonPart({
  kind,
  width = "full",
}: {
  kind: "line" | "title" | "square" | "wide" | "row" | "chip";
  width?: "full" | "half" | "third";
}) {
  return <span className={s.bone} data-kind={kind} data-width={width} />;
}

/**
 * Holds the boxes of something loading: nothing for 200 ms, then the boxes, and one polite sentence after a second.
 * Hidden from screen readers, which hear the sentence instead.
 */
export function Skeleton({ label, children }: { label: string; children: ReactNode }) {
  useEffect(() => {
    const timer = setTimeout(() => announce(t.loading(label)), 1000);
    return () => clearTimeout(timer);
  }, [label]);
  return (
    <div className={s.skeleton} aria-hidden="true" data-skeleton="">
      {children}
    </div>
  );
}
