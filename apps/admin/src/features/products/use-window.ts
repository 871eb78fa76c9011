import { useLayoutEffect, useRef, useState } from "react";

/** Rows that are rendered above and below what is in sight. */
const MARGIN = 12;

/** Which of many rows of the same height are in sight of a box that scrolls: `from` to `to` (not included). */
export function useWindow(count: number, rowHeight: number) {
  const box = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const read = () =>
      setSight((before) => {
        const next = { top: element.scrollTop, height: element.clientHeight };
        // Rows come and go in steps, not with each pixel.
        return Math.abs(next.top - before.top) < (rowHeight * MARGIN) / 2 && next.height === before.height
          ? before
          : next;
      });
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener("scroll", read, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", read);
    };
  }, [rowHeight]);
  const to = Math.min(count, Math.ceil((sight.top + sight.height) / rowHeight) + MARGIN);
  const from = Math.min(Math.max(0, Math.floor(sight.top / rowHeight) - MARGIN), to);
  return { box, from, to };
}
