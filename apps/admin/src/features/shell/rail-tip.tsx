import { useMedia } from "@marketday/client/use-media.ts";
import { type FocusEvent, type PointerEvent, useLayoutEffect, useRef, useState } from "react";

import s from "./rail-tip.module.css";

interface Tip {
  text: string;
  /** The middle of its icon, px from the top of the window. */
  y: number;
}

/** The name of the icon that is pointed at or has the focus, where the rail has no room for names. */
export function useRailTip() {
  const isNarrow = useMedia("(min-width: 1024px) and (max-width: 1279px)");
  const [tip, setTip] = useState<Tip | null>(null);
  const show = ({ target }: FocusEvent | PointerEvent) => {
    const item = target instanceof Element ? target.closest("[data-tip]") : null;
    if (!item) return setTip(null);
    const { top, height } = item.getBoundingClientRect();
    setTip({ text: item.getAttribute("data-tip") ?? "", y: top + height / 2 });
  };
  const hide = () => setTip(null);
  return {
    tip: isNarrow ? tip : null,
    listeners: {
      onFocus: show,
      onPointerOver: show,
      onBlur: hide,
      onPointerLeave: hide,
      onKeyDown: ({ key }: { key: string }) => {
        if (key === "Escape") hide();
      },
    },
  };
}

/** Beside the rail. The link has the same name, so it is not read again. */
export function RailTip({ tip }: { tip: Tip | null }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    place.current?.style.setProperty("--y", `${tip?.y ?? 0}px`);
  }, [tip]);
  return (
    tip && (
      <span ref={place} className={s.tip} role="tooltip" aria-hidden="true">
        {tip.text}
      </span>
    )
  );
}
