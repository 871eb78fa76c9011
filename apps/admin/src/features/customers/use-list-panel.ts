import { useCallback, useEffect, useLayoutEffect, useRef } from "react";

/** The id of the title of a person's panel, which takes the focus. */
export const panelTitleId = (id: string): string => `customer-${id}-title`;
export const rowId = ({ id }: { id: number }): string => `row-customer-${id}`;

/** Scrolls to where the list was when it comes back in place of the panel, and to the top of the panel. */
export function useListScroll(isHidden: boolean): void {
  const top = useRef(0);
  const wasHidden = useRef(false);
  useLayoutEffect(() => {
    if (isHidden) scrollTo(0, 0);
    else if (wasHidden.current) scrollTo(0, top.current);
    wasHidden.current = isHidden;
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
export function usePanelFocus(openId: string | null): () => void {
  const takesFocus = useRef(false);
  const last = useRef(openId);
  const wasInside = useRef(false);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      wasInside.current = target instanceof Element && target.closest("[data-customer-panel]") !== null;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = openId;
    if (before === openId) return;
    if (openId === null) {
      const row = document.getElementById(rowId({ id: Number(before) }));
      (row ?? document.querySelector<HTMLElement>("h1"))?.focus({ preventScroll: row === null });
      return;
    }
    document.getElementById(rowId({ id: Number(openId) }))?.scrollIntoView({ block: "nearest" });
    if (takesFocus.current || wasInside.current)
      document.getElementById(panelTitleId(openId))?.focus({ preventScroll: true });
    takesFocus.current = false;
  }, [openId]);
  return useCallback(() => {
    takesFocus.current = true;
  }, []);
}
