import { useSyncExternalStore } from "react";

/** Whether a media query matches, live. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (change) => {
      const list = matchMedia(query);
      list.addEventListener("change", change);
      return () => list.removeEventListener("change", change);
    },
    () => matchMedia(query).matches,
  );
}

/** Where the side panel stands beside the page and the tab bar is gone. */
const DESKTOP = "(min-width: 1024px)";
export const useIsDesktop = (): boolean => useMedia(DESKTOP);

/** The same for what is not a component: only now. */
export const isDesktop = (): boolean => matchMedia(DESKTOP).matches;
