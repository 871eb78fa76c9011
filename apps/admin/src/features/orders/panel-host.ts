import { useCallback, useEffect, useLayoutEffect, useRef } from "react";

import { panelTitleId } from "./panel-title.ts";

/** Scrolls to where the list was when it comes back in place of the panel, and to the top of the panel. */
export function useListScroll(isHidden: boolean): void {
  const top = useRef(0);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (isFirst.current && !isHidden) {
      isFirst.current = false;
      return;
    }
    isFirst.current = false;
    if (!isHidden) {
      scrollTo(0, top.current);
      return;
    }
    scrollTo(0, 0);
  }, [isHidden]);
  useEffect(() => {
    if (isHidden) return;
    const note = () => {
      top.current = scrollY;
    };
    addEventListener("scroll", note, { passive: true });
    return () => removeEventListener("scroll", note);
  }, [isHidden]);
}

/**
 * With a panel that was opened by a click or Enter, or from within the one before, the focus is at its title; when it is closed, at the
 * row that was open, else at the title of the list. Returns what is called for a panel that is about to be opened.
 */
export function usePanelFocus(
  openId: string | null,
  rowIdOf: (id: string) => string,
  titleIdOf: (id: string) => string = panelTitleId,
  /** Selects what the panel is in. */
  inPanel = "[data-order-panel]",
): () => void {
  const takesFocus = useRef(false);
  const last = useRef(openId);
  const wasInside = useRef(false);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      wasInside.current = target instanceof Element && target.closest(inPanel) !== null;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, [inPanel]);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = openId;
    if (before === openId) return;
    if (openId === null) {
      const row = before === null ? null : document.getElementById(rowIdOf(before));
      (row ?? document.querySelector<HTMLElement>("h1"))?.focus({ preventScroll: row === null });
      return;
    }
    document.getElementById(rowIdOf(openId))?.scrollIntoView({ block: "nearest" });
    if (takesFocus.current || wasInside.current)
      document.getElementById(titleIdOf(openId))?.focus({ preventScroll: true });
    takesFocus.current = false;
  }, [openId, rowIdOf, titleIdOf]);
  return useCallback(() => {
    takesFocus.current = true;
  }, []);
}
