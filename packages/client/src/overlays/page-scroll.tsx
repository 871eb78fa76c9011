import { useEffect, useLayoutEffect, useRef } from "react";
import type { Location, NavigationType } from "react-router";

import type { AppStorage } from "../storage.ts";

/** How many pages' positions are remembered. */
const KEPT = 50;

type Positions = [key: string, y: number][];

/** How this document was loaded. Only a reload and the history come back to a place; an address or a link starts at the top. */
export const isComingBack = () => {
  const [load] = performance.getEntriesByType("navigation");
  return load instanceof PerformanceNavigationTiming && (load.type === "reload" || load.type === "back_forward");
};

/** The first location of every load has the key "default": its address tells them apart. */
const positionKey = ({ key, pathname, search }: Location) => (key === "default" ? `${pathname}${search}` : key);

interface PageScrollProps {
  page: Location;
  /** How it came there. */
  navigationType: NavigationType;
  storage: AppStorage;
}

/**
 * Scroll of the pages: a new page starts at the top with the focus on its h1, one come back to (or reloaded) is where
 * it was. Layers above a page never move it: its location, and so its key, stays the same.
 */
export function PageScroll({ page, navigationType, storage }: PageScrollProps) {
  const { getItem, setItem } = storage;
  // Read, not watched: a layer opened above the page is a navigation too, and must not move it.
  const kind = useRef(navigationType);
  useLayoutEffect(() => {
    kind.current = navigationType;
  });
  const first = useRef(true);
  const shown = useRef(page.pathname);
  const place = positionKey(page);

  useEffect(() => {
    history.scrollRestoration = "manual";
  }, []);

  useLayoutEffect(() => {
    const positions = new Map(getItem<Positions>("session", "scroll") ?? []);
    if (first.current && !isComingBack()) positions.delete(place);
    const y = kind.current === "POP" ? (positions.get(place) ?? 0) : 0;
    // A page that only puts another query in its own place ("Show 18 more", a sort) is still the same view.
    const isSame = kind.current === "REPLACE" && shown.current === page.pathname;
    if ((y > 0 || !first.current) && !isSame) restore(y);
    if (!first.current && shown.current !== page.pathname && kind.current !== "POP") {
      const heading = document.querySelector<HTMLElement>("h1");
      if (heading) {
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }
    }
    first.current = false;
    shown.current = page.pathname;

    let last = isSame ? scrollY : y;
    const onScroll = () => {
      last = scrollY;
    };
    const save = () => {
      positions.delete(place);
      positions.set(place, last);
      setItem("session", "scroll", [...positions].slice(-KEPT));
    };
    const leave = () => {
      // The event of the last scroll comes with the next frame, which may be too late. At 0 the page may still be loading.
      if (scrollY > 0) last = scrollY;
      save();
    };
    addEventListener("scroll", onScroll, { passive: true });
    // Written once per page and visit, not once per frame of scrolling. A phone may end a hidden page without another word.
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", leave);
    return () => {
      removeEventListener("scroll", onScroll);
      removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", leave);
      save();
    };
  }, [place, page.pathname, getItem, setItem]);

  return null;
}

/** Content that still loads is not tall enough yet: tries again as the page grows, until the reader scrolls. */
function restore(y: number) {
  scrollTo(0, y);
  if (y === 0 || Math.abs(scrollY - y) < 2) return;
  const growth = new ResizeObserver(() => {
    scrollTo(0, y);
    if (Math.abs(scrollY - y) < 2) stop();
  });
  const stop = () => {
    growth.disconnect();
    clearTimeout(timer);
    for (const kind of moves) removeEventListener(kind, stop);
  };
  const moves = ["wheel", "touchstart", "keydown"] as const;
  for (const kind of moves) addEventListener(kind, stop, { passive: true, once: true });
  const timer = setTimeout(stop, 5000);
  growth.observe(document.body);
}
